// SPDX-License-Identifier: MIT OR Apache-2.0
//! QEMU's arguments for a run. All files are named relative to the run's own directory.

use std::ffi::OsString;

use super::Run;

/// The raw image.
pub const IMAGE: &str = "kernel8.img";
/// The socket of QMP, which QEMU listens on.
pub const QMP_SOCKET: &str = "qmp";
/// The socket of the guest's console, which we listen on.
pub const CONSOLE_SOCKET: &str = "console";
/// The socket of the guest's second serial interface, where it has something to say that we can decode.
pub const LOG_SOCKET: &str = "log-messages";
/// QEMU's log of guest errors and unimplemented devices.
pub const LOG: &str = "log";

/// What a traced run logs: instructions, exceptions, device accesses.
const TRACED: &str = "exec,nochain,int,trace:memory_region_ops_read,trace:memory_region_ops_write";

/// The arguments of QEMU for this run; `with_log` says that somebody listens to the second serial interface.
#[must_use]
pub fn qemu_arguments(run: &Run, with_log: bool) -> Vec<OsString> {
    let mut words = vec![
        "-M".to_owned(),
        "raspi4b".into(),
        "-kernel".into(),
        IMAGE.into(),
        // Stopped, so that the system timer is connected before the first instruction.
        "-S".into(),
        "-qmp".into(),
        format!("unix:{QMP_SOCKET},server=on,wait=off"),
        "-display".into(),
        "none".into(),
        "-monitor".into(),
        "none".into(),
        "-chardev".into(),
        format!("socket,id=console,path={CONSOLE_SOCKET}"),
        "-serial".into(),
        "chardev:console".into(),
        "-serial".into(),
        if with_log { "chardev:log".into() } else { "null".into() },
        "-semihosting-config".into(),
        "enable=on,target=native".into(),
        // A reset ends the run instead of starting it over.
        "-no-reboot".into(),
        "-d".into(),
        if run.is_traced { TRACED.into() } else { "guest_errors,unimp".into() },
        "-D".into(),
        LOG.into(),
    ];
    if with_log {
        words.extend(["-chardev".into(), format!("socket,id=log,path={LOG_SOCKET}")]);
    }
    for device in &run.devices {
        words.extend(["-device".into(), device.clone()]);
    }
    if let Some(shift) = run.icount {
        words.extend(["-icount".into(), format!("shift={shift},sleep=off")]);
    }
    if run.is_traced {
        // Each instruction is a translation block of its own, so that the log names each.
        words.extend(["-accel".into(), "tcg,one-insn-per-tb=on".into()]);
    }
    if let Some(cores) = run.cores {
        words.extend(["-global".into(), format!("bcm2838.enabled-cpus={cores}")]);
    }
    if !run.append.is_empty() {
        words.extend(["-append".into(), run.append.clone()]);
    }
    words.into_iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(run: &Run) -> Vec<String> {
        qemu_arguments(run, false).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_plain_run_has_a_console_a_control_socket_and_a_log() {
        let line = words(&Run::new("app.elf")).join(" ");
        assert_eq!(
            line,
            "-M raspi4b -kernel kernel8.img -S -qmp unix:qmp,server=on,wait=off -display none -monitor none \
             -chardev socket,id=console,path=console -serial chardev:console -serial null \
             -semihosting-config enable=on,target=native -no-reboot -d guest_errors,unimp -D log"
        );
    }

    #[test]
    fn a_run_whose_messages_are_read_has_a_second_socket() {
        let words = qemu_arguments(&Run::new("app.elf"), true);
        let line = words.join(std::ffi::OsStr::new(" ")).into_string().unwrap();
        assert!(line.contains("-serial chardev:console -serial chardev:log "), "{line}");
        assert!(line.ends_with("-chardev socket,id=log,path=log-messages"), "{line}");
    }

    #[test]
    fn a_traced_run_logs_instructions_one_by_one() {
        let line = words(&Run { is_traced: true, ..Run::new("app.elf") }).join(" ");
        assert!(line.contains("-d exec,nochain,int,trace:memory_region_ops_read,trace:memory_region_ops_write -D log"));
        assert!(line.ends_with("-accel tcg,one-insn-per-tb=on"), "{line}");
    }

    #[test]
    fn devices_are_added_in_their_order() {
        let devices = vec!["tmp105,bus=i2c-bus.1,address=0x48".into(), "w25q32,id=flash,bus=spi".into()];
        let words = words(&Run { devices, ..Run::new("app.elf") });
        let tail = words.get(words.len() - 4..).unwrap();
        assert_eq!(tail, ["-device", "tmp105,bus=i2c-bus.1,address=0x48", "-device", "w25q32,id=flash,bus=spi"]);
    }

    #[test]
    fn options_are_added_and_the_command_line_stays_one_word() {
        let run =
            Run { icount: Some(4), cores: Some(1), append: "loads=uart idle=spin".into(), ..Run::new("kernel8.img") };
        let words = words(&run);
        let tail = words.get(words.len() - 6..).unwrap();
        assert_eq!(
            tail,
            ["-icount", "shift=4,sleep=off", "-global", "bcm2838.enabled-cpus=1", "-append", "loads=uart idle=spin"]
        );
    }
}
