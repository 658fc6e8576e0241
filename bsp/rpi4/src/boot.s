// SPDX-License-Identifier: MIT OR Apache-2.0
// From the firmware's jump to the first Rust function, on core 0, and on the others.
//
// The firmware enters at EL2 with x0 = device tree, caches and MMU off [HW 1.3]. QEMU does the same for a raw image,
// and enters an ELF at EL3 on all cores at once [HW 1.6]. Registers that carry something through this file:
//   x19 what x0 held    x20 the exception level at entry    x21 the function to call at the end    x22 the word at x0

.section .text.boot.rest, "ax"

// x21 is the function that the application's entry macro names; everything else is as the firmware left it.
.global takt_boot
takt_boot:
    msr daifset, #15
    mrs x1, mpidr_el1
    and x1, x1, #3
    cbnz x1, takt_wait_for_release
    mov x19, x0
    mrs x20, CurrentEL
    lsr x20, x20, #2
    bl takt_enter_el1

    // EL1, MMU off. Read the word that a device tree would begin with: it is out of reach once the MMU is on. Only an
    // address in RAM that is a multiple of 8 can be one.
    mov w22, wzr
    cbz x19, 1f
    tst x19, #7
    b.ne 1f
    mov x1, #0x40000000
    cmp x19, x1
    b.hs 1f
    ldr w22, [x19]
1:
    adrp x1, __exception_stack_top
    add x1, x1, :lo12:__exception_stack_top
    mov sp, x1
    mov x29, xzr
    mov x30, xzr
    bl takt_build_translation_tables

    // What was written so far went past the caches: lines the firmware may have left there would hide it.
    adrp x0, __early_start
    adrp x1, __early_end
2:  dc ivac, x0
    add x0, x0, #64
    cmp x0, x1
    b.lo 2b
    dsb sy
    bl takt_enable_mmu

    // With the caches on, zeroing megabytes takes little time.
    adrp x0, __bss_start
    add x0, x0, :lo12:__bss_start
    adrp x1, __bss_end
    add x1, x1, :lo12:__bss_end
3:  cmp x0, x1
    b.hs 4f
    stp xzr, xzr, [x0], #16
    b 3b
4:
    mov x0, x19
    mov x1, x20
    mov x2, x22
    br x21

// Brings the calling core from EL3, EL2 or EL1 to EL1 with the MMU off. Uses x0 and x1.
takt_enter_el1:
    mrs x0, CurrentEL
    cmp x0, #(3 << 2)
    b.lo 1f
    // From EL3 to EL2: non-secure, AArch64, HVC on. On a board the firmware's stub has done this already.
    mov x0, #((1 << 10) | (1 << 8) | (1 << 5) | (1 << 4) | 1)
    msr scr_el3, x0
    msr cptr_el3, xzr
    mov x0, #0x3c9
    msr spsr_el3, x0
    adr x0, 1f
    msr elr_el3, x0
    eret
1:  mrs x0, CurrentEL
    cmp x0, #(2 << 2)
    b.lo 2f
    // From EL2 to EL1. The stub leaves these registers undefined [HW 1.3], so each is written.
    mov x0, #(1 << 31)              // HCR_EL2.RW: EL1 is AArch64; nothing is routed to EL2
    msr hcr_el2, x0
    mov x0, #3                      // CNTHCTL_EL2: EL1 may read the counter and use the physical timer
    msr cnthctl_el2, x0
    msr cntvoff_el2, xzr
    mov x0, #0x33ff                 // CPTR_EL2: RES1, no trap to EL2
    msr cptr_el2, x0
    msr hstr_el2, xzr
    mrs x0, pmcr_el0                // MDCR_EL2: all event counters belong to EL1, no trap
    ubfx x0, x0, #11, #5
    msr mdcr_el2, x0
    mrs x0, midr_el1
    msr vpidr_el2, x0
    mrs x0, mpidr_el1
    msr vmpidr_el2, x0
    mov x0, #0x3c5                  // EL1 on SP_EL1, everything masked
    msr spsr_el2, x0
    adr x0, 2f
    msr elr_el2, x0
    ldr x0, =0x30d00800             // SCTLR_EL1: RES1 bits alone, MMU and caches off
    msr sctlr_el1, x0
    eret
2:  ldr x0, =0x30d00800
    msr sctlr_el1, x0
    msr cpacr_el1, xzr              // floating point and SIMD trap
    isb
    ret

// Where the other cores wait when all are started at once: as the firmware's stub does [HW 1.4].
takt_wait_for_release:
    mov x2, #0xd8
1:  wfe
    ldr x3, [x2, x1, lsl #3]
    cbz x3, 1b
    br x3

// Where the spin table sends a core, with caches and MMU off: it says that it arrived. One that has tasks goes on to
// EL1, turns the map of core 0 on, and calls Rust on its own exception stack; another sleeps for good.
.global takt_other_core
takt_other_core:
    msr daifset, #15
    mrs x19, mpidr_el1
    and x19, x19, #3
    adrp x2, takt_core_arrived
    add x2, x2, :lo12:takt_core_arrived
    mov w3, #1
    str w3, [x2, x19, lsl #2]
    dsb sy
    sev
    adrp x2, takt_core_has_tasks
    add x2, x2, :lo12:takt_core_has_tasks
    ldr w3, [x2, x19, lsl #2]
    cbz w3, 1f
    bl takt_enter_el1
    adrp x1, __exception_stack_top
    add x1, x1, :lo12:__exception_stack_top
    mov x2, #0xA000                 // from a core's stacks to the next: the linker script checks it
    madd x1, x19, x2, x1
    mov sp, x1
    mov x29, xzr
    bl takt_enable_mmu
    mov x30, xzr
    mov x0, x19
    b takt_core_is_up
1:  wfi
    b 1b
