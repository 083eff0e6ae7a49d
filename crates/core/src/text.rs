//! Sentences and labels in no language yet: [`words`](crate::locale) says them in one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use crate::quote::quoted;

/// A sentence or label in no language yet: a key of the game's words, and what to put into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Text {
    /// The key in the game's `art/words/LANG.json`.
    pub key: SmolStr,
    /// What stands for `{name}` in the text.
    #[serde(default, skip_serializing_if = "Params::is_empty")]
    #[schemars(with = "BTreeMap<String, Param>")]
    pub params: Params,
}

/// Something to put into a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Param {
    /// A number; `n` also chooses between the plural forms of a text.
    Number(i64),
    /// Characters as they are: a cell's name, a token.
    Raw(SmolStr),
    /// Another text.
    Text(Text),
}

/// What to put into a text, by name. A view has hundreds of texts with one or two each: a short list holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(SmolStr, Param)>);

impl Text {
    /// A text without parameters.
    pub fn new(key: impl Into<SmolStr>) -> Self {
        Self { key: key.into(), params: Params::default() }
    }

    /// A text with another in quotes as its parameter `text`.
    pub fn quoting(key: impl Into<SmolStr>, text: &str) -> Self {
        Self::new(key).with("text", quoted(text))
    }

    /// This text with a parameter more.
    #[must_use]
    pub fn with(mut self, name: impl Into<SmolStr>, value: impl Into<Param>) -> Self {
        self.params.set(name.into(), value.into());
        self
    }
}

impl Params {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What stands for the name.
    pub fn get(&self, name: &str) -> Option<&Param> {
        self.0.iter().find_map(|(known, value)| (known == name).then_some(value))
    }

    /// All of them.
    pub fn values(&self) -> impl Iterator<Item = &Param> {
        self.0.iter().map(|(_, value)| value)
    }

    /// They stand in the order of their names, each once.
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
