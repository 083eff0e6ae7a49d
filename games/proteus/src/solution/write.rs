//! Writing of a solution from the files of the passes.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use tavola_core::random::mix;

use super::losses::Losses;
use super::{HEADER, block, sum};
use crate::endgame::lost_at_once;
use crate::frozen::FACINGS;
use crate::index::LAYOUTS;
use crate::placement::Ends;
use crate::rules::Proteus;

/// Writes the solution of a game with these options: the results of the ends, and the lost positions of a folder
/// ([`write_losses`](super::losses::write_losses)).
///
/// # Errors
/// If reading or writing fails.
pub(super) fn write(game: &Proteus, options: &str, ends: &Ends, losses: &Path, out: &Path) -> io::Result<()> {
    let mut passes = Losses::all(losses)?;
    let mut file = BufWriter::with_capacity(1 << 20, File::create(out)?);
    write!(file, "{HEADER}\n{options}\n")?;
    file.write_all(ends.as_bytes())?;
    let table = (HEADER.len() + options.len() + 2 + ends.as_bytes().len()) as u64;
    let first = table + (size_of::<u64>() * (LAYOUTS + 1)) as u64;
    file.seek(SeekFrom::Start(first))?;
    let (mut offsets, mut sums) = (vec![first], Vec::with_capacity(LAYOUTS));
    for class in 0..LAYOUTS {
        let bytes = block::encode(lost(game, class, &mut passes)?);
        file.write_all(&bytes)?;
        offsets.push(offsets[class] + bytes.len() as u64);
        sums.push(sum(&bytes));
    }
    let offsets: Vec<u8> = offsets.into_iter().flat_map(u64::to_le_bytes).collect();
    let start = mix(sum(ends.as_bytes()) ^ sum(options.as_bytes())) ^ sum(&offsets);
    let total = sums.into_iter().fold(start, |total, block| mix(total ^ block));
    file.write_all(&total.to_le_bytes())?;
    file.seek(SeekFrom::Start(table))?;
    file.write_all(&offsets)?;
    file.flush()
}

/// The lost positions of a class in ascending order, each with the number of actions to its end.
fn lost(game: &Proteus, class: usize, passes: &mut [Losses]) -> io::Result<Vec<(u32, u8)>> {
    let mut known = lost_at_once(game, class);
    let mut lost = Vec::new();
    for pass in passes {
        for (arrangement, facings) in pass.of(class)? {
            let known = &mut known[usize::from(arrangement)];
            let mut new = facings & !*known;
            *known |= new;
            while new != 0 {
                lost.push((u32::from(arrangement) * FACINGS as u32 + new.trailing_zeros(), pass.plies));
                new &= new - 1;
            }
        }
    }
    lost.sort_unstable();
    Ok(lost)
}
