#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tussle_testkit::fuzz::ugi_input(bytes));
