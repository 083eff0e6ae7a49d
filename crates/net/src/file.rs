//! Network files: a header of JSON, the layers with weights of 8 bits, and a checksum.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | the version of the format, little-endian as all numbers |
//! | 4 | the length of the header |
//! | header | the [`Shape`] as JSON |
//! | each layer | a float scale for each output, a row of weights of 8 bits for each input, a float bias for each output |
//! | 8 | the checksum of everything before |

use tavola_core::observe::Space;

use crate::layer::Quantised;
use crate::network::{Network, Tensors};
use crate::shape::{Mismatch, Shape, checksum};

/// The first bytes of every network file.
const MAGIC: [u8; 8] = *b"TAVNET\r\n";

/// The version of the format. Version 1 has no features of the evaluation, and version 2 nothing of the search. Otherwise
/// they are the same.
const VERSION: u32 = 3;

/// The largest number of units, actions or numbers of a layer. Real ones are far below.
const MOST_UNITS: usize = 1 << 20;

/// The largest number of weights of a network.
const MOST_WEIGHTS: usize = 1 << 28;

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The file begins with other bytes.
    #[error("this is not a network file: it does not begin with {:?}", String::from_utf8_lossy(&MAGIC))]
    Foreign,
    /// A newer version of the format.
    #[error("the network file has format {0}, and this version of Tavola reads format {VERSION}; update Tavola")]
    TooNew(u32),
    /// The file is shorter or longer than its header says.
    #[error("the network file is damaged: it has {found} bytes, not {wanted}; copy or train it again")]
    Length {
        /// The number of bytes.
        found: usize,
        /// The number that the header calls for.
        wanted: usize,
    },
    /// The contents have another checksum.
    #[error("the network file is damaged: its checksum is wrong; copy or train it again")]
    Checksum,
    /// The header is not that of a network.
    #[error("the network file has a wrong header: {0}")]
    Header(String),
    /// A number is not finite.
    #[error("the network file has a weight that is not a finite number")]
    NotFinite,
    /// The network is for another game than expected.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

impl Network {
    /// The shape in the header of a network file, whose whole contents have passed the checksum.
    ///
    /// # Errors
    /// [`FileError`] with the first fault.
    pub fn shape_of(bytes: &[u8]) -> Result<Shape, FileError> {
        Ok(sections(bytes)?.0)
    }

    /// The network of a file, for a game with these observations, seats, actions and features of its evaluation.
    ///
    /// # Errors
    /// [`FileError`] with the first fault.
    pub fn from_bytes(
        bytes: &[u8],
        rules_version: u32,
        space: &Space,
        seats: usize,
        actions: usize,
        features: &[&str],
    ) -> Result<Self, FileError> {
        let (shape, mut rest) = sections(bytes)?;
        shape.check(rules_version, space, seats, actions, features)?;
        let layers = shape.layers().map(|(inputs, outputs)| {
            let scale = floats(take(&mut rest, 4 * outputs));
            let weight = take(&mut rest, inputs * outputs).iter().map(|&byte| byte as i8).collect();
            Quantised { weight, scale, bias: floats(take(&mut rest, 4 * outputs)) }
        });
        let floats = layers.iter().flat_map(|layer| layer.scale.iter().chain(&layer.bias));
        let mut numbers = floats.chain(shape.features.iter().map(|(_, weight)| weight));
        if numbers.any(|number| !number.is_finite()) {
            return Err(FileError::NotFinite);
        }
        let [input, value, shares, policy] = layers;
        Ok(Self::of(shape, space, Tensors { input, value, shares, policy }))
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_vec(self.shape()).expect("a shape has texts and numbers only");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        for layer in self.quantised().all() {
            bytes.extend(layer.scale.iter().flat_map(|scale| scale.to_le_bytes()));
            bytes.extend(layer.weight.iter().map(|&weight| weight as u8));
            bytes.extend(layer.bias.iter().flat_map(|bias| bias.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// The header and the bytes of the layers of a whole file.
fn sections(bytes: &[u8]) -> Result<(Shape, &[u8]), FileError> {
    let mut rest = bytes;
    let short = |wanted| FileError::Length { found: bytes.len(), wanted };
    if bytes.get(..MAGIC.len()) != Some(&MAGIC[..]) {
        return Err(FileError::Foreign);
    }
    take(&mut rest, MAGIC.len());
    if rest.len() < 8 {
        return Err(short(MAGIC.len() + 8));
    }
    let version = number(take(&mut rest, 4));
    if !(1..=VERSION).contains(&version) {
        return Err(FileError::TooNew(version));
    }
    let header = number(take(&mut rest, 4)) as usize;
    if rest.len() < header {
        return Err(short(MAGIC.len() + 8 + header));
    }
    let header = take(&mut rest, header);
    let shape: Shape = serde_json::from_slice(header).map_err(|fault| FileError::Header(fault.to_string()))?;
    if shape.looks && shape.features.is_empty() {
        return Err(FileError::Header("looks without features".to_owned()));
    }
    let layers = shape.layers();
    let sizes = layers.iter().flat_map(|&(inputs, outputs)| [inputs, outputs]);
    if let Some(size) = sizes.into_iter().find(|&size| size == 0 || size > MOST_UNITS) {
        return Err(FileError::Header(format!("a layer of {size} units")));
    }
    if layers.iter().map(|(inputs, outputs)| inputs * outputs).sum::<usize>() > MOST_WEIGHTS {
        return Err(FileError::Header("too many weights".to_owned()));
    }
    let size: usize = layers.iter().map(|(inputs, outputs)| inputs * outputs + 8 * outputs).sum();
    if rest.len() != size + 8 {
        return Err(short(bytes.len() - rest.len() + size + 8));
    }
    let (content, sum) = bytes.split_at(bytes.len() - 8);
    if sum != checksum(content).to_le_bytes() {
        return Err(FileError::Checksum);
    }
    Ok((shape, &rest[..size]))
}

/// Splits off the first bytes.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (first, after) = rest.split_at(count);
    *rest = after;
    first
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|bytes| f32::from_bits(number(bytes))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FEATURES, plain_network, test_network};

    fn read(bytes: &[u8]) -> Result<Network, FileError> {
        Network::from_bytes(bytes, 1, &test_network().1, 2, 3, FEATURES)
    }

    #[test]
    fn a_file_reads_back() {
        let (network, _) = test_network();
        let bytes = network.to_bytes();
        let back = read(&bytes).expect("a whole file");
        assert_eq!(back.shape(), network.shape());
        assert_eq!(back.to_bytes(), bytes);
        assert_eq!(Network::shape_of(&bytes).as_ref(), Ok(network.shape()));
    }

    #[test]
    fn every_damage_is_found() {
        let bytes = test_network().0.to_bytes();
        for length in 0..bytes.len() {
            let fault = read(&bytes[..length]).expect_err("a part of a file");
            assert!(matches!(fault, FileError::Foreign | FileError::Length { .. }), "{length}: {fault}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(read(&damaged).is_err(), "byte {place}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(read(&longer).err(), Some(FileError::Length { found: bytes.len() + 1, wanted: bytes.len() }));
    }

    #[test]
    fn version_1_has_no_features() {
        let mut bytes = plain_network().0.to_bytes();
        bytes[8] = 1;
        let content = bytes.len() - 8;
        let sum = checksum(&bytes[..content]);
        bytes[content..].copy_from_slice(&sum.to_le_bytes());
        let network = Network::from_bytes(&bytes, 1, &plain_network().1, 2, 3, &["another"]).expect("an old file");
        assert_eq!(network.shape(), plain_network().0.shape());
        assert_eq!(network.shape().layers(), [(4, 8), (8, 3), (3, 2), (8, 3)]);
    }

    #[test]
    fn a_newer_format_is_named() {
        let mut bytes = test_network().0.to_bytes();
        bytes[8] = 4;
        assert_eq!(read(&bytes).err(), Some(FileError::TooNew(4)));
    }

    #[test]
    fn a_header_without_sense_is_refused() {
        let (network, _) = test_network();
        let bytes = network.to_bytes();
        let header = number(&bytes[12..16]) as usize;
        let named = r#""features":[["near",0.5],["far",-2.0]],"#;
        let faults = [("\"hidden\":8", "\"hidden\":0"), ("\"seats\":2", "\"seats\":x"), (named, "")];
        for (old, new) in faults {
            let text = String::from_utf8(bytes[16..16 + header].to_vec()).expect("JSON").replace(old, new);
            let mut changed = bytes[..12].to_vec();
            changed.extend((text.len() as u32).to_le_bytes());
            changed.extend(text.bytes());
            changed.extend(&bytes[16 + header..]);
            assert!(matches!(read(&changed), Err(FileError::Header(_))), "{new}");
            assert_ne!(changed, bytes, "{old}");
        }
    }
}
