//! What tasks send to one another.

use takt::prelude::*;
use takt_tests::Report;

use crate::actors::{FULL, MESSAGES, Message, POSTED, TAKER, VALUE, note_message};
use crate::probe::{end, start};
use crate::state::note;

const MESSAGE: Message = [7, !7];

/// To a more urgent task, which waits for the next one then.
pub(super) fn send_wakes(_: &mut Report) {
    start();
    MESSAGES.send(MESSAGE);
    end(0);
    note(b'd');
}

/// One is refused, since there is a place for one, and one that is received is the first that was sent.
pub(super) fn send_and_receive(_: &mut Report) {
    start();
    let is_sent = FULL.try_send(MESSAGE).is_ok();
    let is_refused = FULL.try_send([0, 0]).is_err();
    let message = FULL.receive();
    end(0);
    note(if is_sent && is_refused { b'd' } else { b'?' });
    note_message(message, b'm');
}

/// To the one that waits, to a more urgent one that waits for the next then, and away.
pub(super) fn urgent_broadcast_and_flush(_: &mut Report) {
    start();
    let receivers = MESSAGES.broadcast(MESSAGE);
    let is_sent = FULL.try_send_urgent(MESSAGE).is_ok();
    let flushed = FULL.flush();
    end(0);
    note(if receivers == 1 && is_sent && flushed == 1 { b'd' } else { b'?' });
}

/// There is a place when a less urgent task has received.
pub(super) fn send_waits(_: &mut Report) {
    FULL.send(MESSAGE);
    TAKER.set();
    start();
    FULL.send([8, !8]);
    end(0);
    note(b'd');
    note_message(FULL.receive(), b'm');
}

/// A value for a more urgent task, and one that is replaced before it is taken.
pub(super) fn signal_wakes(_: &mut Report) {
    static UNAWAITED: Signal<Message> = Signal::new();
    start();
    VALUE.signal(MESSAGE);
    UNAWAITED.signal([0, 0]);
    UNAWAITED.signal(MESSAGE);
    let taken = UNAWAITED.try_take();
    end(0);
    note_message(taken.unwrap_or([0, 0]), b'd');
}

/// Posted as a direct handler does: through takt's own interrupt, whose handler hands it to a more urgent task.
pub(super) fn mailbox_post_wakes(_: &mut Report) {
    start();
    let is_posted = POSTED.post(MESSAGE).is_ok();
    end(0);
    note(if is_posted { b'd' } else { b'?' });
}
