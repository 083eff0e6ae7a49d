//! What is known of a game before anybody plays: its name, options, rule book, words and art.

use std::collections::BTreeMap;

use crate::locale::Locale;
use crate::text::Text;

/// A game's particulars.
#[derive(Debug)]
pub struct Info {
    /// The name in code, on the command line and in records: lower case letters.
    pub name: &'static str,
    /// Raised whenever the same actions could lead to another result.
    pub rules_version: u32,
    /// Whether chance ever acts.
    pub has_chance: bool,
    /// Whether a game can end without a winner.
    pub has_draws: bool,
    /// The options, each with its values.
    pub options: &'static [OptionSpec],
    /// Rule book, words and pictures, compiled in.
    pub assets: Assets,
}

impl Info {
    /// The game's words in a language; `None` if it does not speak it.
    ///
    /// # Panics
    /// If the words cannot be read: the conformance suite has read them before.
    pub fn locale(&self, language: &str) -> Option<Locale> {
        let (_, json) = self.assets.locales.iter().find(|(known, _)| *known == language)?;
        Some(Locale::parse(language, json).expect("a file that the tests have read"))
    }

    /// The game's messages in English.
    ///
    /// # Panics
    /// If there are none: the conformance suite has checked that there are.
    pub fn english(&self) -> Locale {
        self.locale("en").expect("every game has English messages")
    }
}

/// The files of a game's folder that people see, compiled in, so that a game is one folder wherever it goes.
#[derive(Debug)]
pub struct Assets {
    /// The rule book that players read, by language: Markdown, figures given as positions.
    pub rules: &'static [(&'static str, &'static str)],
    /// Every word of the game, by language: JSON from message keys to texts (see [`crate::locale`]).
    pub locales: &'static [(&'static str, &'static str)],
    /// The pieces and cells as SVG groups with ids, 100 units to a cell's width, drawn around 0,0.
    pub symbols: &'static str,
    /// Geometry and colours: JSON (see [`crate::svg::Theme`]).
    pub theme: &'static str,
    /// The engines that people play against, the weakest first: a JSON list of eight engine names
    /// (`docs/reference/ugi.md`), measured in `docs/reference/levels.md`.
    pub levels: &'static str,
}

/// One named choice of set-up.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// The option's name.
    pub name: &'static str,
    /// Its values as text, the default first.
    pub values: &'static [&'static str],
}

/// A value for every option of a game: always complete, always valid.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options(BTreeMap<&'static str, &'static str>);

impl Options {
    /// The options of a game, those given checked and the others at their defaults.
    ///
    /// # Errors
    /// [`OptionError`], which names the fault and every valid option and value.
    pub fn new<'a>(info: &Info, given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, OptionError> {
        let mut chosen: BTreeMap<_, _> = info.options.iter().map(|spec| (spec.name, spec.values[0])).collect();
        let mut faults = Vec::new();
        for (name, value) in given {
            let Some(spec) = info.options.iter().find(|spec| spec.name == name) else {
                faults.push(Text::quoting("fault.option.unknown", name));
                continue;
            };
            match spec.values.iter().find(|&&known| known == value) {
                Some(known) => {
                    chosen.insert(spec.name, known);
                }
                None => faults.push(Text::quoting("fault.option.value", value).with("name", spec.name)),
            }
        }
        if faults.is_empty() { Ok(Self(chosen)) } else { Err(OptionError::new(info, faults)) }
    }

    /// The options written as in a record: `actions=2 layout=triangle`.
    ///
    /// # Errors
    /// [`OptionError`] for a word that is not `name=value`, and as [`Options::new`].
    pub fn parse(info: &Info, text: &str) -> Result<Self, OptionError> {
        let mut given = Vec::new();
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(pair) => given.push(pair),
                None => return Err(OptionError::new(info, vec![Text::quoting("fault.option.pair", word)])),
            }
        }
        Self::new(info, given)
    }

    /// The value of an option.
    ///
    /// # Panics
    /// If the game has no such option: a slip in the game's own code.
    pub fn get(&self, name: &str) -> &'static str {
        self.0[name]
    }

    /// The value of an option whose values are numbers.
    ///
    /// # Panics
    /// If the game has no such option, or its value is no number: a slip in the game's own code.
    pub fn number(&self, name: &str) -> u8 {
        self.get(name).parse().expect("a numeric option")
    }

    /// Names and values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().map(|(&name, &value)| (name, value))
    }
}

impl std::fmt::Display for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<_> = self.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&words.join(" "))
    }
}

/// An option or value that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {}; {}", in_english(faults), valid_options(valid))]
pub struct OptionError {
    /// The game's name.
    pub game: &'static str,
    /// What is wrong, one sentence each.
    pub faults: Vec<Text>,
    /// Every valid option with its values, the default first.
    pub valid: Vec<(&'static str, &'static [&'static str])>,
}

impl OptionError {
    fn new(info: &Info, faults: Vec<Text>) -> Self {
        let valid = info.options.iter().map(|spec| (spec.name, spec.values)).collect();
        Self { game: info.name, faults, valid }
    }
}

fn in_english(faults: &[Text]) -> String {
    let words = Locale::english();
    faults.iter().map(|fault| words.format(fault)).collect::<Vec<_>>().join("; ")
}

fn valid_options(valid: &[(&'static str, &'static [&'static str])]) -> String {
    if valid.is_empty() {
        return "this game has no options".to_owned();
    }
    let options: Vec<_> = valid.iter().map(|(name, values)| format!("{name}={}", values.join("|"))).collect();
    format!("valid are {}", options.join(", "))
}
