//! A table without a task.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    button: Interrupt::kernel(40, handler),
}

fn handler() {}
