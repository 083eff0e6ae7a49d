//! Passes over random results of one class and its neighbours, compared with the rules action by action.

use tavola_core::{Compiled, Options, Random};

use super::*;
use crate::index::{layout, position};

const OPTIONS: [&str; 2] = ["", "rules=kadon faces=30"];

/// A class and its neighbours, of whose positions nothing is known but which of them are over.
fn neighbourhood(options: &str, class: usize) -> Endgame {
    let game = Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"));
    let classes = neighbours(&game, class);
    Endgame::new(game, 1, |other| classes.contains(&other))
}

/// Adds random results to each word that is analysed: bits that are all set in `words` random words, or in any of them.
fn scatter(endgame: &Endgame, random: &mut Random, mut add: impl FnMut(&Class, usize, [u32; 5])) {
    for class in &endgame.classes {
        for place in 0..class.won.len() {
            add(class, place, std::array::from_fn(|_| random.word() as u32 & ALL));
        }
    }
}

/// Random positions of a class that are not over, with the results of their actions and the pass's result.
fn sample(endgame: &Endgame, class: usize, random: &mut Random) -> Vec<(Vec<Verdict>, Verdict)> {
    let numbers = (0..5_000).map(|_| class as u64 * STATES as u64 + random.word() % STATES as u64);
    let open = numbers.filter(|&number| endgame.game.winner(&position(number).board, 1).is_none());
    open.map(|number| {
        let after = endgame.after_actions(&position(number)).expect("the movement phase");
        (after, endgame.reached(number))
    })
    .collect()
}

#[test]
fn positions_with_an_action_to_a_lost_one_are_won() {
    let mut random = Random::new(1);
    for (options, class) in OPTIONS.into_iter().zip([12_345, 45_359]) {
        let endgame = neighbourhood(options, class);
        scatter(&endgame, &mut random, |class, place, words| {
            let lost = words.into_iter().fold(ALL, |all, word| all & word) & !class.won[place].load(Relaxed);
            if lost != 0 {
                class.lost[place].fetch_or(lost | NEW, Relaxed);
            }
        });
        let found: u64 = (0..LAYOUTS).map(|class| endgame.wins(class, 1)).sum();
        let (mut won, mut open) = (0, 0);
        for (after, verdict) in sample(&endgame, class, &mut random) {
            if verdict == Verdict::Lost {
                continue;
            }
            assert_eq!(verdict == Verdict::Won, after.contains(&Verdict::Lost), "{options}");
            won += u32::from(verdict == Verdict::Won);
            open += u32::from(verdict == Verdict::Drawn);
        }
        assert!(won > 500 && open > 500 && found > 100_000, "{won} won, {open} open of {found}");
    }
}

#[test]
fn positions_with_all_actions_to_won_ones_are_lost() {
    let mut random = Random::new(3);
    let cases = OPTIONS.into_iter().zip([0, 23_456]);
    for ((options, class), all) in cases.flat_map(|case| [(case, true), (case, false)]) {
        let endgame = neighbourhood(options, class);
        scatter(&endgame, &mut random, |class, place, [one, two, three, ..]| {
            let won = (one | two | three) & !class.lost[place].load(Relaxed) & ALL;
            class.won[place].fetch_or(won | NEW, Relaxed);
            class.won_in.store(1, Relaxed);
        });
        if !all {
            (0..LAYOUTS).for_each(|class| _ = endgame.mark(class, 2));
        }
        let found = endgame.losses(class, 2, all);
        let (mut lost, mut open) = (0, 0);
        for (after, verdict) in sample(&endgame, class, &mut random) {
            if verdict == Verdict::Won {
                continue;
            }
            assert_eq!(verdict == Verdict::Lost, after.iter().all(|&next| next == Verdict::Won), "{options}");
            lost += u32::from(verdict == Verdict::Lost);
            open += u32::from(verdict == Verdict::Drawn);
        }
        assert!(lost > 10 && open > 100 && found > 1000, "{lost} lost, {open} open of {found}");
    }
}

#[test]
fn every_class_has_the_layout_of_its_number() {
    let game = Proteus::new(&Options::parse(Proteus::INFO, "").expect("valid options"));
    for class in [0, 1, 22_680, 45_359] {
        let rules = Rules::new(game);
        for pair in Layout::new(&rules, class).pairs {
            let mut traded = layout(class);
            traded.swap(pair.cells[0].into(), pair.cells[1].into());
            let mut moved = [0; 9];
            for (cell, tile) in traded.into_iter().enumerate() {
                moved[usize::from(crate::board::SYMMETRIES[pair.symmetry][cell])] = tile;
            }
            assert_eq!(moved, layout(pair.class));
        }
    }
}
