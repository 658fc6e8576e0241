//! 2 tasks: see the library.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]

takt_scaling::tasks! {
    t01 t02
}
