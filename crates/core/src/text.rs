//! Sentences and labels without a language: [`locale`](crate::locale) formats them in one.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use crate::quote::quoted;

/// A sentence or label without a language: a key of the game's messages, and parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Text {
    /// The key in the game's `art/words/LANG.json`.
    pub key: SmolStr,
    /// The values of `{name}` in the message.
    #[serde(default, skip_serializing_if = "Params::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Param>"))]
    pub params: Params,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Param {
    /// A number; `n` also selects the plural form of the message.
    Number(i64),
    /// Literal characters: the name of a cell, a token.
    Raw(SmolStr),
    /// Another text.
    Text(Text),
}

/// Parameters by name, in a sorted list: a view has hundreds of texts with one or two parameters each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(SmolStr, Param)>);

impl Text {
    /// A text without parameters.
    pub fn new(key: impl Into<SmolStr>) -> Self {
        Self { key: key.into(), params: Params::default() }
    }

    /// A text with a quotation as its parameter `text`.
    pub fn quoting(key: impl Into<SmolStr>, text: &str) -> Self {
        Self::new(key).with("text", quoted(text))
    }

    /// This text with one more parameter.
    #[must_use]
    pub fn with(mut self, name: impl Into<SmolStr>, value: impl Into<Param>) -> Self {
        self.params.set(name.into(), value.into());
        self
    }
}

impl Params {
    /// Whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&Param> {
        self.0.iter().find_map(|(known, value)| (known == name).then_some(value))
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &Param> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Inserts or replaces a parameter; the list is sorted by name.
    fn set(&mut self, name: SmolStr, value: Param) {
        match self.0.binary_search_by(|(known, _)| known.cmp(&name)) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (name, value)),
        }
    }
}

impl Serialize for Params {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sorted = BTreeMap::<SmolStr, Param>::deserialize(deserializer)?;
        Ok(Self(sorted.into_iter().collect()))
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for Param {
            fn from(number: $number) -> Self {
                Self::Number(number as i64)
            }
        }
    )*};
}

numbers!(u8, u16, i32, u32, i64, u64, usize);

impl From<SmolStr> for Param {
    fn from(raw: SmolStr) -> Self {
        Self::Raw(raw)
    }
}

impl From<char> for Param {
    fn from(raw: char) -> Self {
        Self::Raw(SmolStr::from_iter([raw]))
    }
}

impl From<&str> for Param {
    fn from(raw: &str) -> Self {
        Self::Raw(raw.into())
    }
}

impl From<Text> for Param {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}
