//! A solution of made-up results, read again.

use std::path::PathBuf;

use tavola_core::{CancelToken, Compiled, Evaluate, Options, PerfectResult, Random, SeatSet, solved_actions};

use super::losses::write_pass;
use super::write::write;
use super::*;
use crate::actions::Action;
use crate::endgame::{lost_at_once, neighbours};
use crate::frozen::FACINGS;
use crate::index::position;

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
    let plies = [2, 4, 12].get(number as usize % 96).copied();
    plies.filter(|_| mix(arrangement as u64).is_multiple_of(2))
}

/// Writes made-up passes of two classes. As in an analysis, a word also has the losses of the passes before.
fn write_passes(game: &Proteus, folder: &Path, classes: &[usize]) {
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
    write_passes(&game, &folder.0, &CLASSES);
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
    assert_eq!(refusal("rules=kadon"), "solution.missing");
}

/// The made-up result of a position for the seat to act, as far as the classes have lost positions.
fn made_up(game: &Proteus, classes: &[usize], state: &State) -> Value {
    let loss = |state: &State| {
        let number = number(state)? as usize;
        let (class, rest) = (number / STATES, number % STATES);
        found_in(class, rest / FACINGS, rest % FACINGS).filter(|_| classes.contains(&class))
    };
    if let Some(plies) = loss(state) {
        return Value::Loss(plies);
    }
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let shortest = actions.into_iter().filter_map(|action| {
        let mut after = state.clone();
        game.play_unchecked(&mut after, action);
        if after.end.is_some() { (after.end?.winner == Some(state.seat)).then_some(1) } else { Some(loss(&after)? + 1) }
    });
    shortest.min().map_or(Value::Open, Value::Win)
}

#[test]
fn perfect_play_wins_fast_keeps_draws_and_loses_late() {
    let (mut game, folder) = (game(""), Folder::new("perfect"));
    // All classes that a trade leads to from the first one.
    let classes: Vec<usize> = neighbours(&game, 77);
    write_passes(&game, &folder.0, &classes);
    let path = folder.0.join("file");
    let ends = Ends::from_bytes(&game, vec![0; Ends::bytes_of(&game)]);
    write(&game, "", &ends, &folder.0, &path).expect("a file");
    game.perfect = Some(Perfect::open(&game, "", &path).unwrap_or_else(|fault| panic!("{fault:?}")));
    let (mut random, mut seen) = (Random::new(8), [0; 3]);
    while seen.iter().sum::<u32>() < 300 {
        let state = position(77 * STATES as u64 + random.word() % STATES as u64);
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        if Solution::is_over(&game, &state) || actions.len() < 2 {
            continue;
        }
        // An earlier win, then a draw, then a later loss.
        let rank = |&action: &Action| {
            let mut after = state.clone();
            game.play_unchecked(&mut after, action);
            match after.end.map(|end| end.winner) {
                Some(winner) if winner == Some(state.seat) => (2, 0),
                Some(_) => (0, 0),
                None => match made_up(&game, &classes, &after) {
                    Value::Loss(plies) => (2, -i32::from(plies)),
                    Value::Open => (1, 0),
                    Value::Win(plies) => (0, i32::from(plies)),
                },
            }
        };
        let best = actions.iter().map(rank).max().expect("a seat acts");
        let expected: Vec<Action> = actions.iter().copied().filter(|action| rank(action) == best).collect();
        assert_eq!(game.perfect_actions(&state, &CancelToken::default()), expected, "{state:?}");
        let winners = [SeatSet::one(1 - state.seat), SeatSet::EMPTY, SeatSet::one(state.seat)][best.0 as usize];
        assert_eq!(solved_actions(&game, &state), Some((winners, expected)), "{state:?}");
        let (winners, actions) = match made_up(&game, &classes, &state) {
            Value::Win(plies) => (SeatSet::one(state.seat), plies),
            Value::Loss(plies) => (SeatSet::one(1 - state.seat), plies),
            Value::Open => (SeatSet::EMPTY, 0),
        };
        assert_eq!(game.solved(&state), Some(PerfectResult { winners, actions }), "{state:?}");
        seen[best.0 as usize] += 1;
    }
    assert!(seen[1] > 10 && seen[2] > 10, "{seen:?}");
}

#[test]
fn a_choice_among_actions_is_worth_its_best_one() {
    use Value::{Loss, Open, Win};
    assert_eq!(Value::before([Open, Loss(4), Loss(2), Win(1)]), Win(3));
    assert_eq!(Value::before([Win(3), Win(7), Win(1)]), Loss(8));
    assert_eq!(Value::before([Win(3), Open]), Open);
    assert_eq!(Value::before([Open, Win(3)]), Open);
}
