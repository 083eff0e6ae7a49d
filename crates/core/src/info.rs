//! The metadata of a game: its name, options, rule book, messages and art.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::locale::{ByLanguage, CORE_LOCALES, Locale, find};
use crate::text::Text;

/// The metadata of a game.
#[derive(Debug)]
pub struct Info {
    /// The name in code, on the command line and in records: lower case letters.
    pub name: &'static str,
    /// The version increases when the same actions can lead to another result.
    pub rules_version: u32,
    /// The oldest version that the game still supports; equal to `rules_version` without an older one.
    pub oldest_rules_version: u32,
    /// Whether the game has chance outcomes.
    pub has_chance: bool,
    /// Whether a game can end without a winner.
    pub has_draws: bool,
    /// The options, each with its values.
    pub options: &'static [OptionSpec],
    /// Rule book, messages and pictures, compiled in.
    pub assets: Assets,
}

impl Info {
    /// The version of the rules that a text names; `None` if the game does not support it.
    pub fn supported_rules(&self, text: &str) -> Option<u32> {
        text.parse().ok().filter(|version| (self.oldest_rules_version..=self.rules_version).contains(version))
    }

    /// The game's messages in a language; the English ones where it has none.
    pub fn locale(&self, language: &str) -> Locale {
        Locale::new(language, self.assets.locales)
    }

    /// The game's messages in English.
    pub fn english(&self) -> Locale {
        self.locale("en")
    }

    /// Every language of the core and of the game.
    pub fn languages(&self) -> BTreeSet<&'static str> {
        CORE_LOCALES.iter().chain(self.assets.locales).map(|&(language, _)| language).collect()
    }

    /// The game's own messages by language as JSON; the English ones stand for missing ones.
    pub fn words(&self) -> Value {
        self.by_language(|language| {
            let mut words = serde_json::Map::new();
            for json in ["en", language].into_iter().filter_map(|one| find(self.assets.locales, one)) {
                words.extend(
                    serde_json::from_str::<serde_json::Map<_, _>>(json).expect("a file that the tests have read"),
                );
            }
            words.into()
        })
    }

    /// The rule book by language as JSON; the English one stands for a missing one.
    pub fn rules(&self) -> Value {
        let book = |language| find(self.assets.rules, language).or_else(|| find(self.assets.rules, "en"));
        self.by_language(|language| book(language).into())
    }

    fn by_language(&self, value: impl Fn(&'static str) -> Value) -> Value {
        self.languages().into_iter().map(|language| (language.to_owned(), value(language))).collect()
    }

    /// The lessons as JSON, with their texts in every language.
    pub fn lessons(&self) -> Value {
        self.assets.lessons.iter().map(|lesson| self.with_every_language(lesson)).collect()
    }

    /// The puzzles as JSON, with their texts in every language; empty without puzzles.
    pub fn puzzles(&self) -> Cow<'static, str> {
        let puzzles = self.assets.puzzles;
        if puzzles.is_empty() || self.assets.lesson_words.is_empty() {
            return puzzles.into();
        }
        self.with_every_language(puzzles).to_string().into()
    }

    /// Adds the texts of `lesson_words` to JSON with texts by language.
    fn with_every_language(&self, json: &str) -> Value {
        let mut read = serde_json::from_str(json).expect("a file that the tests have read");
        for (language, words) in self.assets.lesson_words {
            let words = serde_json::from_str(words).expect("a file that the tests have read");
            add_language(&mut read, language, &words);
        }
        read
    }
}

/// Adds a text in a language to every object with an English one.
fn add_language(value: &mut Value, language: &str, words: &BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            if let Some(text) = fields.get("en").and_then(Value::as_str).and_then(|english| words.get(english)) {
                fields.insert(language.to_owned(), text.as_str().into());
            }
            fields.values_mut().for_each(|field| add_language(field, language, words));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| add_language(item, language, words)),
        _ => {}
    }
}

/// The files of a game's folder for people, compiled in, so that the program needs no data files.
#[derive(Debug)]
pub struct Assets {
    /// The rule book by language: Markdown, with figures as positions.
    pub rules: ByLanguage,
    /// The messages by language: JSON from keys to texts (see [`crate::locale`]).
    pub locales: ByLanguage,
    /// The texts of lessons and puzzles in further languages: JSON from the English text to the other one.
    pub lesson_words: ByLanguage,
    /// The pieces and cells as SVG groups with ids, 100 units to a cell's width, drawn around 0,0.
    pub symbols: &'static str,
    /// Geometry and colours: JSON (see [`crate::svg::Theme`]).
    pub theme: &'static str,
    /// The engines to play against, the weakest first: a JSON list of eight engine specifications, measured in
    /// `docs/reference/levels.md`. The last one is `classic`. With a network for the options, the top level is `net` with the
    /// same settings.
    pub levels: &'static str,
    /// The lessons, the first one first: JSON, one file each, as `docs/how-to/add-a-game.md` describes.
    pub lessons: &'static [&'static str],
    /// The puzzles: JSON, as `docs/how-to/make-puzzles.md` describes; empty without puzzles. WebAssembly leaves them out.
    pub puzzles: &'static str,
    /// Games between engines, as `tavola archive` makes them; empty without. WebAssembly leaves them out.
    pub archive: &'static [u8],
    /// Network files of `tavola train`, each for some options. The top level plays with them.
    pub networks: &'static [&'static [u8]],
}

/// The files of the folder of a game, by their names: its lessons in order, and its networks.
#[macro_export]
macro_rules! assets {
    (lessons: [$($lesson:literal),* $(,)?], networks: [$($network:literal),* $(,)?] $(,)?) => {
        $crate::info::Assets {
            rules: $crate::languages!("rules"),
            locales: $crate::languages!("art/words"),
            lesson_words: $crate::languages!("art/words/lessons"),
            symbols: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/art/symbols.svg")),
            theme: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/art/theme.json")),
            levels: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/levels.json")),
            lessons: &[$(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/lessons/", $lesson, ".json"))),*],
            puzzles: if cfg!(target_arch = "wasm32") {
                ""
            } else {
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles.json"))
            },
            archive: if cfg!(target_arch = "wasm32") {
                &[]
            } else {
                include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/archive.bin"))
            },
            networks: &[$(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/networks/", $network, ".net"))),*],
        }
    };
}

impl Assets {
    /// No files, for games without people: tests, and the parts that a game does not have.
    pub const NONE: Self = Self {
        rules: &[],
        locales: &[],
        lesson_words: &[],
        symbols: "",
        theme: "",
        levels: "",
        lessons: &[],
        puzzles: "",
        archive: &[],
        networks: &[],
    };
}

/// One option of a game.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// The option's name.
    pub name: &'static str,
    /// Its values as text, the default first.
    pub values: &'static [&'static str],
    /// Other names of values, which are read and never listed: the alias, then the value.
    pub aliases: &'static [(&'static str, &'static str)],
    /// Whether it is a house rule: no part of the published game, and off by default. [`Options`] list it only if it is on,
    /// so that games without it have the same options as before.
    pub is_house_rule: bool,
}

impl OptionSpec {
    /// An option without aliases.
    pub const fn new(name: &'static str, values: &'static [&'static str]) -> Self {
        Self { name, values, aliases: &[], is_house_rule: false }
    }

    /// A house rule; its first value turns it off.
    pub const fn house_rule(name: &'static str, values: &'static [&'static str]) -> Self {
        Self { is_house_rule: true, ..Self::new(name, values) }
    }

    /// The value that a text names.
    fn read(&self, text: &str) -> Option<&'static str> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == text).map(|&(_, value)| value);
        self.values.iter().copied().find(|&known| known == text).or(alias)
    }
}

/// The name under which [`Options`] take an older version of the rules.
pub const RULES_VERSION: &str = "rules_version";

/// Versions as text.
const OLD_VERSIONS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// A value for every option of a game: always complete, always valid.
///
/// An older version of the rules is one more option, `rules_version`. The list contains it only if it is not the current
/// version, so that a copy of the options of an old match includes its rules. The list contains a house rule only if it is on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options {
    values: BTreeMap<&'static str, &'static str>,
    /// The house rules that are off.
    off: BTreeSet<&'static str>,
    rules_version: u32,
}

impl Options {
    /// Checks the given options and completes them with defaults.
    ///
    /// # Errors
    /// [`OptionError`], with every error, every valid option and every valid value.
    pub fn new<'a>(info: &Info, given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, OptionError> {
        let mut chosen: BTreeMap<_, _> = info.options.iter().map(|spec| (spec.name, spec.values[0])).collect();
        let mut rules_version = info.rules_version;
        let mut faults = Vec::new();
        for (name, value) in given {
            if name == RULES_VERSION {
                match info.supported_rules(value) {
                    Some(version) => rules_version = version,
                    None => faults.push(Text::quoting("fault.option.value", value).with("name", RULES_VERSION)),
                }
                continue;
            }
            let Some(spec) = info.options.iter().find(|spec| spec.name == name) else {
                faults.push(Text::quoting("fault.option.unknown", name));
                continue;
            };
            match spec.read(value) {
                Some(known) => {
                    chosen.insert(spec.name, known);
                }
                None => faults.push(Text::quoting("fault.option.value", value).with("name", spec.name)),
            }
        }
        if !faults.is_empty() {
            return Err(OptionError::new(info, faults));
        }
        if rules_version != info.rules_version {
            let listed = OLD_VERSIONS.get(rules_version as usize).expect("few versions of a game's rules");
            chosen.insert(RULES_VERSION, listed);
        }
        let house_rules = info.options.iter().filter(|spec| spec.is_house_rule);
        let off = house_rules.filter(|spec| chosen[spec.name] == spec.values[0]).map(|spec| spec.name).collect();
        Ok(Self { values: chosen, off, rules_version })
    }

    /// Parses options as in a record: `actions=2 layout=triangle`.
    ///
    /// # Errors
    /// [`OptionError`] for a word that is not `name=value`, and as [`Options::new`].
    pub fn parse(info: &Info, text: &str) -> Result<Self, OptionError> {
        let given = pairs(text).map_err(|fault| OptionError::new(info, vec![fault]))?;
        Self::new(info, given.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// The value of an option.
    ///
    /// # Panics
    /// If the game has no such option.
    pub fn get(&self, name: &str) -> &'static str {
        self.values[name]
    }

    /// The value of an option whose values are numbers.
    ///
    /// # Panics
    /// If the game has no such option, or its value is not a number.
    pub fn number(&self, name: &str) -> u8 {
        self.get(name).parse().expect("a numeric option")
    }

    /// The version of the rules that is played.
    pub fn rules_version(&self) -> u32 {
        self.rules_version
    }

    /// Names and values, by name; `rules_version` only if it is an older one, and a house rule only if it is on.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let listed = self.values.iter().filter(|(name, _)| !self.off.contains(*name));
        listed.map(|(&name, &value)| (name, value))
    }
}

impl std::fmt::Display for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<_> = self.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&words.join(" "))
    }
}

/// Options as a record writes them, not checked: `players=3 layout=ring`.
///
/// # Errors
/// The fault of a word that is not `name=value`.
pub fn pairs(text: &str) -> Result<BTreeMap<String, String>, Text> {
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').ok_or_else(|| Text::quoting("fault.option.pair", word))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    text.split_whitespace().map(pair).collect()
}

/// An unknown option or value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {}; {}", in_english(faults), valid_options(valid))]
pub struct OptionError {
    /// The game's name.
    pub game: &'static str,
    /// The errors, one sentence each.
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
    let english = Locale::english();
    faults.iter().map(|fault| english.format(fault)).collect::<Vec<_>>().join("; ")
}

fn valid_options(valid: &[(&'static str, &'static [&'static str])]) -> String {
    if valid.is_empty() {
        return "this game has no options".to_owned();
    }
    let options: Vec<_> = valid.iter().map(|(name, values)| format!("{name}={}", values.join("|"))).collect();
    format!("valid are {}", options.join(", "))
}

/// A game without options, for tests.
#[cfg(test)]
pub(crate) const TOY: Info = Info {
    name: "toy",
    rules_version: 3,
    oldest_rules_version: 2,
    has_chance: false,
    has_draws: false,
    options: &[],
    assets: Assets::NONE,
};

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: Info = Info {
        options: &[OptionSpec { aliases: &[("tiny", "small")], ..OptionSpec::new("size", &["small", "large"]) }],
        ..TOY
    };

    #[test]
    fn an_older_version_of_the_rules_is_an_option_that_is_listed_only_then() {
        let options = |text| Options::parse(&INFO, text).map(|options| (options.rules_version(), options.to_string()));
        assert_eq!(options(""), Ok((3, "size=small".to_owned())));
        assert_eq!(options("rules_version=3"), options(""));
        assert_eq!(options("rules_version=2"), Ok((2, "rules_version=2 size=small".to_owned())));
        for unknown in ["rules_version=1", "rules_version=4", "rules_version=new"] {
            assert!(options(unknown).is_err(), "{unknown}");
        }
    }

    #[test]
    fn a_house_rule_is_listed_only_if_it_is_on() {
        const WITH: Info = Info { options: &[OptionSpec::house_rule("head", &["0", "4"])], ..INFO };
        let off = Options::parse(&WITH, "head=0").expect("a value");
        assert_eq!((off.to_string().as_str(), off.number("head")), ("", 0));
        assert_eq!(Ok(off), Options::parse(&WITH, ""));
        assert_eq!(Options::parse(&WITH, "head=4").map(|options| options.to_string()), Ok("head=4".to_owned()));
    }

    #[test]
    fn a_file_adds_a_language_to_the_messages_and_the_rule_book() {
        let assets = Assets {
            rules: &[("en", "Rules"), ("xx", "R")],
            locales: &[("en", r#"{"red": "Red", "blue": "Blue"}"#), ("xx", r#"{"red": "R"}"#)],
            ..Assets::NONE
        };
        let info = Info { assets, ..INFO };
        assert!(info.languages().contains("xx"));
        assert_eq!(info.words()["xx"], serde_json::json!({"red": "R", "blue": "Blue"}));
        assert_eq!((&info.rules()["xx"], &info.rules()["ja"]), (&"R".into(), &"Rules".into()));
    }

    #[test]
    fn a_file_adds_a_language_to_lessons_and_puzzles() {
        let assets = Assets {
            lessons: &[r#"{"id": "first", "steps": [{"task": {"en": "Win", "ja": "勝つ"}, "done": {"en": "Yes"}}]}"#],
            puzzles: r#"{"goals": [{"title": {"en": "Win"}}]}"#,
            lesson_words: &[("xx", r#"{"Win": "W"}"#)],
            ..Assets::NONE
        };
        let info = Info { assets, ..INFO };
        let step = &info.lessons()[0]["steps"][0];
        assert_eq!((step["task"]["xx"].as_str(), step["task"]["ja"].as_str()), (Some("W"), Some("勝つ")));
        assert_eq!(step["done"].get("xx"), None);
        assert_eq!(info.puzzles(), r#"{"goals":[{"title":{"en":"Win","xx":"W"}}]}"#);
    }

    #[test]
    fn an_alias_is_read_as_its_value_and_not_listed() {
        assert_eq!(Options::parse(&INFO, "size=tiny"), Options::parse(&INFO, "size=small"));
        let error = Options::parse(&INFO, "size=huge").expect_err("an unknown value").to_string();
        assert!(error.ends_with("valid are size=small|large"), "{error}");
    }
}
