//! The lost positions while the analysis runs: a file for each pass that finds some.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use crate::endgame::{Endgame, Facings};
use crate::index::LAYOUTS;

/// The words of a class with lost positions, with their arrangements.
pub(super) type Words = Vec<(u16, Facings)>;

/// Writes the words in which the last pass found lost positions, if it found some.
///
/// # Errors
/// If writing fails.
pub(super) fn write_losses(endgame: &Endgame, folder: &Path) -> io::Result<()> {
    match endgame.passes().last() {
        Some(pass) if pass.plies % 2 == 0 => {
            write_pass(pass.plies, |class| endgame.newly_lost(class).collect(), folder)
        }
        _ => Ok(()),
    }
}

/// Writes the words of each class in which a pass found lost positions. A word also has those of earlier passes.
pub(super) fn write_pass(plies: u8, words: impl Fn(usize) -> Words, folder: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(folder.join(name(plies)))?);
    for class in 0..LAYOUTS {
        let words = words(class);
        if words.is_empty() {
            continue;
        }
        file.write_all(&(class as u16).to_le_bytes())?;
        file.write_all(&(words.len() as u16).to_le_bytes())?;
        for (arrangement, facings) in words {
            file.write_all(&arrangement.to_le_bytes())?;
            file.write_all(&facings.to_le_bytes())?;
        }
    }
    file.flush()
}

fn name(plies: u8) -> String {
    format!("{plies:02}.losses")
}

/// Reads the file of a pass, class by class.
pub(super) struct Losses {
    pub(super) plies: u8,
    file: BufReader<File>,
    /// The next class with words.
    next: Option<u16>,
}

impl Losses {
    /// The files of all passes in a folder, the first pass first.
    pub(super) fn all(folder: &Path) -> io::Result<Vec<Self>> {
        let exists = |plies: &u8| folder.join(name(*plies)).exists();
        (2..=u8::MAX).step_by(2).take_while(exists).map(|plies| Self::open(folder, plies)).collect()
    }

    fn open(folder: &Path, plies: u8) -> io::Result<Self> {
        let mut losses = Self { plies, file: BufReader::new(File::open(folder.join(name(plies)))?), next: None };
        losses.next = losses.class()?;
        Ok(losses)
    }

    /// The words of a class. Classes must be asked in ascending order.
    pub(super) fn of(&mut self, class: usize) -> io::Result<Words> {
        if self.next.map(usize::from) != Some(class) {
            return Ok(Vec::new());
        }
        let count = self.number()?;
        let words = (0..count).map(|_| Ok((self.number()?, u32::from_le_bytes(self.bytes()?)))).collect();
        self.next = self.class()?;
        words
    }

    /// The number of the next class, `None` at the end of the file.
    fn class(&mut self) -> io::Result<Option<u16>> {
        match self.number() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            class => class.map(Some),
        }
    }

    fn number(&mut self) -> io::Result<u16> {
        Ok(u16::from_le_bytes(self.bytes()?))
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
