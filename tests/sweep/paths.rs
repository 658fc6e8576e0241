//! The paths that are walked: each a function that the driver runs once a trial.

use takt_tests::Report;

mod calls;
mod console;
mod messages;
mod releases;

/// How many ticks are walked of a path whose end nobody marks: more than any takes.
const LONG_ENOUGH: u64 = 320;

/// A path.
pub(crate) struct Path {
    /// Its name in the lines.
    pub(crate) name: &'static str,
    /// Whether a timer releases somebody on it, so that it depends on the time base.
    pub(crate) has_release: bool,
    /// Whether a trial of it takes long, or it has many, so that the short form leaves most of them out.
    pub(crate) is_long: bool,
    /// Runs it once, up to the point where every task waits again.
    pub(crate) run: fn(&mut Report),
}

const fn releases(name: &'static str, run: fn(&mut Report)) -> Path {
    Path { name, has_release: true, is_long: false, run }
}

const fn calls(name: &'static str, run: fn(&mut Report)) -> Path {
    Path { name, has_release: false, is_long: false, run }
}

const fn long(path: Path) -> Path {
    Path { is_long: true, ..path }
}

/// All paths, in the order in which they are walked.
pub(crate) const ALL: [Path; 50] = [
    releases("release-without-switch", releases::without_switch),
    releases("release-with-switch", releases::with_switch),
    releases("release-of-two", releases::of_two),
    releases("release-before-another", releases::before_another),
    releases("release-of-20", releases::of_the_crowd),
    long(releases("release-held-off", releases::held_off)),
    releases("idle-exit", releases::idle_exit),
    releases("idle-entry", releases::idle_entry),
    releases("periodic-wait", releases::wait),
    releases("periodic-wait-among-20", releases::wait_in_the_crowd),
    releases("periodic-wait-held-off", releases::wait_held_off),
    releases("periodic-wait-skips", releases::wait_that_skips),
    releases("periodic-wait-postpones", releases::wait_that_postpones),
    long(calls("set-priority", releases::set_priority)),
    calls("yield", calls::yield_between_equals),
    calls("semaphore", calls::semaphore),
    calls("event-set-wakes-and-wait", calls::event_set_wakes),
    calls("event-set-wakes-twice", calls::event_set_wakes_twice),
    calls("event-set-without-switch", calls::event_set_without_switch),
    calls("event-wait-when-set", calls::event_wait_when_set),
    calls("event-wait-ends-early", calls::event_wait_ends_early),
    releases("event-wait-times-out", releases::event_wait_that_times_out),
    calls("preemption-lock", calls::preemption_is_locked),
    calls("sporadic-release", calls::sporadic_release),
    releases("sporadic-release-postponed", releases::sporadic_release_postponed),
    calls("timers-start-and-cancel", calls::timers_start_and_cancel),
    releases("timer-calls", releases::timer_calls),
    releases("sleep-until-what-has-passed", releases::sleep_until_what_has_passed),
    calls("inherit-mutex", calls::inherit_mutex),
    calls("inherit-mutex-contended", calls::inherit_mutex_contended),
    releases("inherit-mutex-times-out", releases::inherit_mutex_wait_that_times_out),
    calls("condvar", calls::condvar),
    calls("event-flags", calls::event_flags),
    calls("barrier", calls::barrier),
    calls("handover", calls::handover),
    calls("message-send-wakes", messages::send_wakes),
    calls("message-send-and-receive", messages::send_and_receive),
    calls("message-urgent-broadcast-flush", messages::urgent_broadcast_and_flush),
    calls("message-send-waits", messages::send_waits),
    releases("message-receive-times-out", releases::receive_that_times_out),
    calls("signal-wakes", messages::signal_wakes),
    calls("mailbox-post-wakes", messages::mailbox_post_wakes),
    calls("kernel-handler-wakes", calls::handler_wakes),
    calls("kernel-handler-wakes-two", calls::handler_wakes_two),
    calls("console-interrupt", console::interrupt),
    long(calls("console-full", console::full)),
    long(calls("console-room", console::room)),
    calls("questions", calls::questions),
    calls("task-report", calls::task_report),
    calls("task-report-further", calls::further_task_report),
];
