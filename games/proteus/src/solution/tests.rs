//! A solution of made-up results, read again.

use std::path::PathBuf;

use tavola_core::{Compiled, Options};

use super::losses::write_pass;
use super::write::write;
use super::*;
use crate::endgame::lost_at_once;
use crate::frozen::FACINGS;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tavola-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a new folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn game(options: &str) -> Proteus {
    Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"))
}

/// The pass that finds an arrangement lost in made-up results: half of the words have no loss.
fn found_in(class: usize, arrangement: usize, facing: usize) -> Option<u8> {
    let number = mix((class * STATES + arrangement * FACINGS + facing) as u64);
    [None, Some(2), Some(4), Some(12)][number as usize % 4].filter(|_| mix(arrangement as u64).is_multiple_of(2))
}

/// Writes made-up passes of two classes. As in an analysis, a word also has the losses of the passes before.
fn write_passes(game: &Proteus, folder: &Path, classes: [usize; 2]) {
    for plies in (2..=12).step_by(2) {
        let words = |class| {
            let ended = if classes.contains(&class) { lost_at_once(game, class) } else { Vec::new() };
            let words = (0..).zip(ended).map(|(arrangement, ended)| {
                let lost = |last: u8| {
                    let found = |&facing: &usize| found_in(class, arrangement.into(), facing);
                    let lost = (0..FACINGS).filter(|facing| found(facing).is_some_and(|plies| plies <= last));
                    lost.fold(ended, |word, facing| word | 1 << facing)
                };
                (arrangement, lost(plies), lost(plies - 2))
            });
            let new = words.filter(|(_, now, before)| now != before);
            new.map(|(arrangement, now, _)| (arrangement, now)).collect()
        };
        write_pass(plies, words, folder).expect("a file");
    }
}

#[test]
fn a_solution_is_read_again_and_a_damaged_one_is_refused() {
    const CLASSES: [usize; 2] = [3, 45_359];
    let (game, folder) = (game("rules=kadon"), Folder::new("solution"));
    let ends = Ends::from_bytes(&game, (0..Ends::bytes_of(&game)).map(|place| place as u8 % 128).collect());
    write_passes(&game, &folder.0, CLASSES);
    let path = folder.0.join("file");
    write(&game, "rules=kadon", &ends, &folder.0, &path).expect("a file");
    let solution = Solution::open(&game, "rules=kadon", &path).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert!(solution.ends().as_bytes() == ends.as_bytes());
    for class in CLASSES {
        let ended = lost_at_once(&game, class);
        for rest in (0..STATES).step_by(1_009) {
            let (arrangement, facing) = (rest / FACINGS, rest % FACINGS);
            let expected = found_in(class, arrangement, facing).filter(|_| ended[arrangement] >> facing & 1 == 0);
            assert_eq!(solution.loss((class * STATES + rest) as u64), expected);
        }
    }
    assert_eq!(solution.loss(7), None);
    let refusal = |options: &str| Solution::open(&game, options, &path).err().expect("a refusal").key;
    assert_eq!(refusal(""), "solution.other-options");
    let whole = std::fs::read(&path).expect("the file");
    for (place, key) in
        [(2, "solution.other-kind"), (1_000_000, "solution.damaged"), (whole.len() - 1, "solution.damaged")]
    {
        let mut damaged = whole.clone();
        damaged[place] ^= 4;
        std::fs::write(&path, damaged).expect("a file");
        assert_eq!(refusal("rules=kadon"), key, "{place}");
    }
    for length in [0, 10, 1_000_000, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).expect("a file");
        assert!(refusal("rules=kadon").starts_with("solution."), "{length}");
    }
    std::fs::remove_file(&path).expect("the file");
    assert_eq!(refusal("rules=kadon"), "solution.unreadable");
}

#[test]
fn a_choice_among_actions_is_worth_its_best_one() {
    use Value::{Loss, Open, Win};
    assert_eq!(Value::before([Open, Loss(4), Loss(2), Win(1)]), Win(3));
    assert_eq!(Value::before([Win(3), Win(7), Win(1)]), Loss(8));
    assert_eq!(Value::before([Win(3), Open]), Open);
    assert_eq!(Value::before([Open, Win(3)]), Open);
}
