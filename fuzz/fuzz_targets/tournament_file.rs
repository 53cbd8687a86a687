#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tussle_testkit::fuzz::tournament_file(bytes));
