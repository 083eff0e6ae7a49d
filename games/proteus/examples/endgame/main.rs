//! Solves the whole movement phase, and checks the solution. It takes 22 GB of memory.
//!
//! `cargo run --release -p tavola-proteus --example endgame -- [OPTIONS] [THREADS] [--games N FILE]
//! [--checkpoint FILE]`, for example `-- rules=kadon 4`:
//!
//! - `--games` plays games between weak players first, and writes their actions with the results of all actions that were
//!   legal to a file.
//! - `--checkpoint` writes the state of the analysis (22 GB) to a file every five minutes, and continues from there when it
//!   is called again.

mod games;

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::time::{Duration, Instant};

use tavola_core::{CancelToken, Compiled, Notation, Options, Random};
use tavola_proteus::Proteus;
use tavola_proteus::endgame::{Endgame, Pass, Verdict};
use tavola_proteus::index::{POSITIONS, position};
use tavola_search::prove;

/// Random positions that are checked.
const CHECKED: u64 = 1_000_000;

/// Random positions whose shortest forced end is compared with a proof, and the most actions of a proof.
const PROVEN: usize = 10_000;
const PROOF_PLIES: u8 = 6;

/// Stands for the length of a forced end that was found before the checkpoint.
const EARLIER: u8 = 0;

/// A checkpoint is written after a pass if the last one is older than this.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// The arguments of the command.
struct Arguments {
    game: Proteus,
    threads: usize,
    games: u64,
    file: Option<String>,
    /// The options as text.
    options: String,
    checkpoint: Option<PathBuf>,
}

impl Arguments {
    fn parse() -> Result<Self, String> {
        let mut options = Vec::new();
        let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (mut games, mut file, mut checkpoint) = (0, None, None);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            if argument == "--games" {
                let count = arguments.next().and_then(|count| count.parse().ok());
                games = count.ok_or("--games needs a number and a file")?;
                file = Some(arguments.next().ok_or("--games needs a number and a file")?);
            } else if argument == "--checkpoint" {
                checkpoint = Some(arguments.next().ok_or("--checkpoint needs a file")?.into());
            } else if let Ok(count) = argument.parse() {
                threads = count;
            } else {
                options.push(argument);
            }
        }
        if games > 0 && checkpoint.is_some() {
            return Err("games get no labels from passes before a checkpoint: leave out --games or --checkpoint".into());
        }
        if threads == 0 {
            return Err("the number of threads must be at least 1".into());
        }
        let options = Options::parse(Proteus::INFO, &options.join(" ")).map_err(|error| error.to_string())?;
        Ok(Self { game: Proteus::new(&options), threads, games, file, options: options.to_string(), checkpoint })
    }
}

fn main() {
    let Arguments { game, threads, games, file, options, checkpoint } = Arguments::parse().unwrap_or_else(|error| {
        eprintln!("{error}");
        exit(2);
    });
    // A file that cannot be written should not cost the time of the analysis.
    let mut file = file.map(|path| File::create(&path).unwrap_or_else(|error| fail(&path, &error)));
    let began = Instant::now();
    let seconds = || began.elapsed().as_secs_f64();
    let mut labelled = games::play(game, games, threads);
    println!("{:6.1} s: {games} games are played", seconds());
    let mut random = Random::new(1);
    let watched: Vec<u64> = (0..PROVEN).map(|_| random.word() % POSITIONS).collect();
    let mut plies = vec![None; PROVEN];
    let start = checkpoint.as_deref().and_then(|path| resumed(game, &options, path));
    let start = start.unwrap_or_else(|| Endgame::unsolved(game, threads));
    println!("{:6.1} s: the analysis begins after pass {}", seconds(), start.passes().len());
    for (plies, &number) in plies.iter_mut().zip(&watched) {
        *plies = (!start.passes().is_empty() && start.reached(number) != Verdict::Drawn).then_some(EARLIER);
    }
    let mut written = Instant::now();
    let endgame = start.solve(threads, &CancelToken::default(), |endgame, pass| {
        let Pass { plies: pass, found, lost } = pass;
        for (plies, &number) in plies.iter_mut().zip(&watched) {
            if plies.is_none() && endgame.reached(number) != Verdict::Drawn {
                *plies = Some(pass);
            }
        }
        games::label(&mut labelled, endgame, pass, threads);
        let example = lost.map_or(String::new(), |number| format!(", first {}", game.position(&position(number))));
        println!("{:6.1} s: {found:14} {} in {pass}{example}", seconds(), ["lost", "won"][usize::from(pass % 2)]);
        if let Some(path) = &checkpoint
            && written.elapsed() > CHECKPOINT_EVERY
        {
            write_checkpoint(endgame, &options, path).unwrap_or_else(|error| fail(&path.display().to_string(), &error));
            written = Instant::now();
        }
    });
    let endgame = endgame.expect("nothing cancels it");
    let total =
        [0, 1].map(|won| endgame.passes().iter().filter(|pass| pass.plies % 2 == won).map(|pass| pass.found).sum());
    let percent = |count: u64| 100.0 * count as f64 / POSITIONS as f64;
    println!("won {} ({:.2} %), lost {} ({:.2} %)", total[1], percent(total[1]), total[0], percent(total[0]));
    if let Some(file) = &mut file {
        file.write_all(&games::to_bytes(&labelled)).unwrap_or_else(|error| fail("the labelled games", &error));
    }
    check_results(&endgame);
    check_lengths(&endgame, &game, &watched, &plies);
    println!("{:6.1} s: done", seconds());
}

/// The analysis of an earlier run, if there is one.
fn resumed(game: Proteus, options: &str, path: &Path) -> Option<Endgame> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        file => file,
    };
    let read = file.and_then(|file| Endgame::read(game, options, &mut BufReader::new(file)));
    Some(read.unwrap_or_else(|error| fail(&path.display().to_string(), &error)))
}

/// Writes the analysis to a file. The file before it stays until the new one is complete.
fn write_checkpoint(endgame: &Endgame, options: &str, path: &Path) -> std::io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    endgame.write(options, &mut BufWriter::new(File::create(&new)?))?;
    std::fs::rename(new, path)
}

fn fail(what: &str, error: &std::io::Error) -> ! {
    eprintln!("{what}: {error}");
    exit(1);
}

/// Compares the results of random positions with those of their actions.
fn check_results(endgame: &Endgame) {
    let mut random = Random::new(2);
    let mut counts = [0; 3];
    for _ in 0..CHECKED {
        let number = random.word() % POSITIONS;
        if endgame.is_over(number) {
            continue;
        }
        let expected = Verdict::of_actions(&endgame.after_actions(&position(number)).expect("the movement phase"));
        assert_eq!(endgame.reached(number), expected, "position {number}");
        counts[expected as usize] += 1;
    }
    let [won, lost, drawn] = counts;
    println!(
        "{CHECKED} random positions agree with their actions: {won} won, {lost} lost, {drawn} drawn, the rest over"
    );
}

/// Compares the lengths of forced lines with proofs.
fn check_lengths(endgame: &Endgame, game: &Proteus, positions: &[u64], plies: &[Option<u8>]) {
    let mut forced = 0;
    let open = |&(&number, &plies): &(&u64, &Option<u8>)| plies != Some(EARLIER) && !endgame.is_over(number);
    for (&number, &plies) in positions.iter().zip(plies).filter(open) {
        let proof = prove(game, &position(number), PROOF_PLIES.into(), &CancelToken::default());
        let expected = plies.filter(|&plies| plies <= PROOF_PLIES).map(Into::into);
        assert_eq!(proof.map(|proof| proof.plies), expected, "position {number}");
        forced += u32::from(proof.is_some());
    }
    let compared = plies.iter().filter(|&&plies| plies != Some(EARLIER)).count();
    println!("{compared} random positions agree with proofs of up to {PROOF_PLIES} actions: {forced} are forced");
}
