# Sourced by scripts/setup and scripts/device-cargo: which toolchain builds for the device.
# Sets device_toolchain to rustup, debian or none, and device_linker (debian only).
device_target=aarch64-unknown-none-softfloat

find_device_toolchain() {
    local sysroot candidate
    device_toolchain=none
    device_linker=
    sysroot=$(rustc --print sysroot 2>/dev/null || true)
    if [ -n "$sysroot" ] && [ -d "$sysroot/lib/rustlib/$device_target/lib" ]; then
        device_toolchain=rustup
        return
    fi
    # Debian's web packages carry a rustc of 1.96 with the source of core beside it.
    if [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/core" ] \
        && [ -x /usr/bin/clippy-driver ]; then
        device_toolchain=debian
        for candidate in "$sysroot"/lib/rustlib/*/bin/rust-lld "$(command -v ld.lld || true)" /usr/bin/ld.lld-*; do
            if [ -x "$candidate" ]; then
                device_linker=$candidate
                return
            fi
        done
    fi
}

find_device_toolchain
