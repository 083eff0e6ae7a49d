#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tavola_fuzz::engine(data));
