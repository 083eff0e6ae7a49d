//! The whole work: the movement phase, the ends of the placement, and the file.

use std::fs;
use std::io;
use std::path::PathBuf;

use tavola_core::{Solving, Text};

use crate::endgame::Endgame;
use crate::placement::Ends;
use crate::preset::Preset;
use crate::rules::Proteus;
use crate::solution::losses::write_losses;
use crate::solution::write::write;

/// The memory that the whole work takes with the allocator of the Python module, in bytes, as measured.
const MEMORY: u64 = 24_000_000_000;

/// Checks that these options can be solved.
///
/// # Errors
/// Placements may leave ends that no action would: of missing colours, or won at once in the first version of `article`. If the
/// first action cannot win, its number counts too.
pub(crate) fn check(game: &Proteus) -> Result<(), Text> {
    let leaves_unusual_ends = game.preset == Preset::Literal || game.preset == Preset::Article && !game.only_actor_wins;
    if leaves_unusual_ends || game.balance { Err(Text::new("solution.none")) } else { Ok(()) }
}

/// Solves the game with these options, and writes the solution.
///
/// # Errors
/// If the rules leave ends without a result, memory is missing, a file cannot be written, or the work was cancelled.
pub(crate) fn solve(game: &Proteus, options: &str, work: &mut Solving<'_>) -> Result<(), Text> {
    check(game)?;
    if let Some(memory) = work.memory.filter(|&memory| memory < MEMORY) {
        let gigabytes = |bytes: u64| format!("{:.0}", bytes as f64 / 1e9);
        let text = Text::new("solution.memory").with("needed", &*gigabytes(MEMORY));
        return Err(text.with("available", &*gigabytes(memory)));
    }
    let mut name = work.file.as_os_str().to_owned();
    name.push(".work");
    let folder = PathBuf::from(name);
    let fault = |error: io::Error| {
        let text = Text::new("solution.unwritable").with("file", &*work.file.display().to_string());
        text.with("detail", &*error.to_string())
    };
    fs::create_dir(&folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Text::new("solution.folder").with("folder", &*folder.display().to_string()),
        _ => fault(error),
    })?;
    let threads = work.threads.get();
    (work.report)(&Text::new("solution.begin"));
    let mut written = Ok(());
    let report = &mut work.report;
    let solved = Endgame::unsolved(*game, threads).solve(threads, work.stop, |endgame, pass| {
        if written.is_ok() {
            written = write_losses(endgame, &folder);
        }
        if written.is_err() {
            work.stop.cancel();
        }
        let key = if pass.plies % 2 == 1 { "solution.pass-won" } else { "solution.pass-lost" };
        report(&Text::new(key).with("plies", pass.plies).with("count", &*grouped(pass.found)));
    });
    let cancelled = || Text::new("solution.cancelled");
    let result = written.map_err(fault).and_then(|()| {
        let endgame = solved.ok_or_else(cancelled)?;
        let ends = Ends::new(game, threads, |number| endgame.began(number));
        drop(endgame);
        report(&Text::new("solution.ends").with("count", &*grouped(ends.count())));
        let new = folder.join("solution");
        write(game, options, &ends, &folder, &new).map_err(fault)?;
        if work.stop.is_cancelled() {
            return Err(cancelled());
        }
        // The result of an hour stays where it is if it cannot be moved.
        fs::rename(&new, work.file).map_err(|error| {
            let text = Text::new("solution.unmoved").with("file", &*work.file.display().to_string());
            text.with("solution", &*new.display().to_string()).with("detail", &*error.to_string())
        })
    });
    match &result {
        Err(fault) if fault.key == "solution.unmoved" => result,
        _ => result.and(fs::remove_dir_all(&folder).map_err(fault)),
    }
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
