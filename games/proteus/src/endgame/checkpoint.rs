//! The analysis as a file, from which it continues after the last pass.

use std::io::{self, Read, Write};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::endgame::layout::Rules;
use crate::endgame::{Class, Endgame, Pass};
use crate::frozen::ARRANGEMENTS;
use crate::index::LAYOUTS;
use crate::rules::Proteus;

/// The first line of a file.
const HEADER: &str = "Proteus: movement phase, 1";

/// Stands for a pass that has found no lost position.
const NONE: u64 = u64::MAX;

impl Endgame {
    /// Writes the analysis: 22 GB.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, options: &str, file: &mut impl Write) -> io::Result<()> {
        write!(file, "{HEADER}\n{options}\n")?;
        file.write_all(&[self.passes.len() as u8])?;
        for pass in &self.passes {
            file.write_all(&pass.found.to_le_bytes())?;
            file.write_all(&pass.lost.unwrap_or(NONE).to_le_bytes())?;
        }
        for class in &self.classes {
            file.write_all(&[&class.won_in, &class.lost_in, &class.check_in].map(|pass| pass.load(Relaxed)))?;
            for words in [&class.won, &class.lost] {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()).collect();
                file.write_all(&bytes)?;
            }
        }
        file.flush()
    }

    /// Reads what [`Endgame::write`] wrote.
    ///
    /// # Errors
    /// If reading fails, or if the file is of another kind or of other options.
    pub fn read(game: Proteus, options: &str, file: &mut impl Read) -> io::Result<Self> {
        Self::read_first(LAYOUTS, game, options, file)
    }

    /// Reads an analysis of the first classes.
    fn read_first(count: usize, game: Proteus, options: &str, file: &mut impl Read) -> io::Result<Self> {
        let expected = format!("{HEADER}\n{options}\n");
        let mut header = vec![0; expected.len()];
        file.read_exact(&mut header)?;
        if header != expected.as_bytes() {
            return Err(io::Error::other(format!("this is not the movement phase with the options {options:?}")));
        }
        let [count_of_passes] = bytes(file)?;
        let mut passes = Vec::new();
        for plies in 1..=count_of_passes {
            let [found, lost] = [u64::from_le_bytes(bytes(file)?), u64::from_le_bytes(bytes(file)?)];
            passes.push(Pass { plies, found, lost: Some(lost).filter(|&lost| lost != NONE) });
        }
        let mut words = vec![0; 4 * ARRANGEMENTS];
        let mut classes = Vec::with_capacity(count);
        for _ in 0..count {
            let [won_in, lost_in, check_in] = bytes(file)?.map(Into::into);
            let [won, lost] = [read_words(file, &mut words)?, read_words(file, &mut words)?];
            classes.push(Class { won, lost, won_in, lost_in, check_in });
        }
        Ok(Self { game, rules: Rules::new(game), classes, passes, first_lost: NONE.into() })
    }
}

fn bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_words(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<Box<[AtomicU32]>> {
    file.read_exact(bytes)?;
    let (words, _) = bytes.as_chunks::<4>();
    Ok(words.iter().map(|word| AtomicU32::new(u32::from_le_bytes(*word))).collect())
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Options};

    use super::*;

    #[test]
    fn an_analysis_goes_on_as_it_was_written() {
        let game = Proteus::new(&Options::parse(Proteus::INFO, "").expect("valid options"));
        let mut endgame = Endgame::new(game, 1, |class| class < 2);
        endgame.classes.truncate(2);
        endgame.passes = vec![Pass { plies: 1, found: 7, lost: None }, Pass { plies: 2, found: 5, lost: Some(3) }];
        endgame.classes[1].won[9].store(77, Relaxed);
        endgame.classes[1].check_in.store(2, Relaxed);
        let mut file = Vec::new();
        endgame.write("", &mut file).expect("memory");
        let read = Endgame::read_first(2, game, "", &mut file.as_slice()).expect("a good file");
        let words = |endgame: &Endgame| -> Vec<u32> {
            let all = endgame.classes.iter().flat_map(|class| class.won.iter().chain(&class.lost));
            all.map(|word| word.load(Relaxed)).collect()
        };
        assert!(words(&read) == words(&endgame));
        assert_eq!(read.passes, endgame.passes);
        assert_eq!(read.classes[1].check_in.load(Relaxed), 2);
        assert!(Endgame::read_first(2, game, "rules=kadon", &mut file.as_slice()).is_err());
        file.pop();
        assert!(Endgame::read_first(2, game, "", &mut file.as_slice()).is_err());
    }
}
