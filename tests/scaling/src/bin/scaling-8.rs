//! 8 tasks: see the library.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]

takt_scaling::tasks! {
    t01 t02 t03 t04 t05 t06 t07 t08
}
