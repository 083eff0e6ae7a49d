//! The solution as a file: the results of all ends of the placement, and all lost positions of the movement phase with
//! the number of actions to their ends.
//!
//! A position is won if an action leads to a lost one, and otherwise drawn: so the lost positions, one in fifty, decide all.

mod block;
mod losses;
mod perfect;
mod solve;
mod write;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use tavola_core::random::mix;
use tavola_core::{Game, Options, Text};

pub(crate) use perfect::Perfect;
pub(crate) use solve::{check, solve};

use crate::frozen::{STATES, Value};
use crate::index::{LAYOUTS, number};
use crate::placement::Ends;
use crate::rules::Proteus;
use crate::solution::block::Mark;
use crate::state::State;

/// The first line of a file.
const HEADER: &str = "Proteus solved, 1";

/// The line of a file that names the options and the version of the rules.
pub fn header(options: &Options) -> String {
    format!("{options} rules_version={}", options.rules_version())
}

/// A solution: the file is asked for the lost positions.
pub struct Solution {
    ends: Ends,
    file: Mutex<File>,
    /// Where the block of each class begins, and where the last one ends.
    offsets: Vec<u64>,
    /// The marks of each block that has been asked.
    marks: Box<[OnceLock<Vec<Mark>>]>,
}

impl Solution {
    /// Opens a file of [`Evaluate::solve`](tavola_core::Evaluate::solve) and checks all of it.
    ///
    /// # Errors
    /// If it cannot be read, is of another kind or of other options, or is damaged.
    pub fn open(game: &Proteus, options: &str, path: &Path) -> Result<Self, Text> {
        let open = || -> io::Result<Result<Self, &'static str>> {
            let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
            let [header, own] = [read_line(&mut file)?, read_line(&mut file)?];
            if header != HEADER {
                return Ok(Err("solution.other-kind"));
            }
            if own != options {
                return Ok(Err("solution.other-options"));
            }
            Self::read(game, options, file)
        };
        let fault = match open() {
            Ok(Ok(solution)) => return Ok(solution),
            Ok(Err(key)) => Text::new(key),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Text::new("solution.missing"),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Text::new("solution.damaged"),
            Err(error) => Text::new("solution.unreadable").with("detail", &*error.to_string()),
        };
        Err(fault.with("file", &*path.display().to_string()))
    }

    /// Reads what follows the header.
    fn read(game: &Proteus, options: &str, mut file: BufReader<File>) -> io::Result<Result<Self, &'static str>> {
        let mut ends = vec![0; Ends::bytes_of(game)];
        file.read_exact(&mut ends)?;
        let mut table = vec![0; size_of::<u64>() * (LAYOUTS + 1)];
        file.read_exact(&mut table)?;
        let offsets: Vec<u64> = table.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
        let mut sum = mix(sum(&ends) ^ sum(options.as_bytes())) ^ self::sum(&table);
        let mut block = Vec::new();
        for range in offsets.windows(2) {
            let Some(length) = range[1].checked_sub(range[0]).filter(|&length| length <= 2 * STATES as u64) else {
                return Ok(Err("solution.damaged"));
            };
            block.resize(length as usize, 0);
            file.read_exact(&mut block)?;
            sum = mix(sum ^ self::sum(&block));
        }
        let mut written = [0; size_of::<u64>()];
        file.read_exact(&mut written)?;
        let more = file.read(&mut [0])?;
        if more != 0 || u64::from_le_bytes(written) != sum {
            return Ok(Err("solution.damaged"));
        }
        let marks = (0..LAYOUTS).map(|_| OnceLock::new()).collect();
        Ok(Ok(Self { ends: Ends::from_bytes(game, ends), file: Mutex::new(file.into_inner()), offsets, marks }))
    }

    /// The results of the ends of the placement.
    pub fn ends(&self) -> &Ends {
        &self.ends
    }

    /// The number of actions to the end of the position with a number, if it is lost for the seat to act.
    ///
    /// # Panics
    /// If the file, which was whole when it was opened, can no longer be read.
    pub fn loss(&self, position: u64) -> Option<u8> {
        let (class, rest) = ((position / STATES as u64) as usize, (position % STATES as u64) as u32);
        let (begin, end) = (self.offsets[class], self.offsets[class + 1]);
        let marks = self.marks[class].get_or_init(|| block::marks(&self.bytes(begin..end)));
        let after = marks.partition_point(|mark| mark.next <= rest);
        let mark = marks[after - 1];
        let end = marks.get(after).map_or(end, |mark| begin + u64::from(mark.offset));
        block::find(&self.bytes(begin + u64::from(mark.offset)..end), mark, rest)
    }

    fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(range.start)).and_then(|_| file.read_exact(&mut bytes));
        read.unwrap_or_else(|error| panic!("the file of the solution can no longer be read: {error}"));
        bytes
    }

    /// Whether the game is over in a position if an action has just led to it (rules 13).
    pub fn is_over(game: &Proteus, state: &State) -> bool {
        game.winner(&state.board, 1 - state.seat).is_some()
    }

    /// The value of a position of the movement phase in which a seat acts.
    ///
    /// Repetitions and the count of actions are ignored.
    pub fn value(&self, game: &Proteus, state: &State) -> Value {
        // A placement may leave such a position. The file has no value of it.
        let ended = Self::is_over(game, state);
        if let Some(plies) = number(state).filter(|_| !ended).and_then(|number| self.loss(number)) {
            return Value::Loss(plies);
        }
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        let after = actions.into_iter().map(|action| {
            let mut after = state.clone();
            game.play_unchecked(&mut after, action);
            match game.winner(&after.board, state.seat) {
                Some(winner) if winner == state.seat => Value::Loss(0),
                Some(_) => Value::Win(0),
                None if ended => self.value(game, &after),
                None => number(&after).and_then(|number| self.loss(number)).map_or(Value::Open, Value::Loss),
            }
        });
        Value::before(after)
    }
}

/// The sum of bytes, which shows damage.
fn sum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| mix(sum ^ word))
}

/// Reads a line of at most 200 bytes. A file of another kind may have none.
fn read_line(file: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    file.take(200).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned())
}

#[cfg(test)]
mod tests;
