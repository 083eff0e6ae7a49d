//! Every fuzz target survives damaged input, and is a program of libFuzzer.

use std::collections::BTreeSet;
use std::path::Path;

use tavola_core::Random;
use tavola_fuzz::TARGETS;
use tavola_registry::{games, load};
use tavola_testkit::Effort;

/// The bytes with some replaced, removed, or doubled.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        let end = bytes.len().min(at + 1 + random.below(8) as usize);
        match random.below(4) {
            0 => bytes.insert(at, random.word() as u8),
            1 if at < bytes.len() => bytes[at] = b' ' + random.below(95) as u8,
            2 => drop(bytes.drain(at..end)),
            _ => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

#[test]
fn every_target_reads_damaged_seeds() {
    let count = Effort::of_profile().garbage / 30;
    for target in TARGETS {
        for (number, info) in games().iter().enumerate() {
            let seed = (target.seed)(&load(info.name, []).expect("a registered game"));
            let mut random = Random::stream(number as u64, 1);
            for _ in 0..count {
                let mut rest = seed.clone();
                damage(&mut rest, &mut random);
                (target.run)(&[&[number as u8], rest.as_slice()].concat());
            }
            (target.run)(&[&[number as u8], seed.as_slice()].concat());
        }
        (target.run)(&[]);
    }
}

#[test]
fn every_target_is_a_program_of_libfuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let programs: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the folder of programs")
        .map(|file| file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let names: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(programs, names);
}
