//! 32 tasks: see the library.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]

takt_scaling::tasks! {
    t01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16
    t17 t18 t19 t20 t21 t22 t23 t24 t25 t26 t27 t28 t29 t30 t31 t32
}
