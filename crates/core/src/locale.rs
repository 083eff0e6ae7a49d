//! Messages in a language: those of a game, or of the core, with their parameters.
//!
//! A locale file is a JSON object from keys to messages. A message is a text, or an object of plural forms (`one`,
//! `other`) that the parameter `n` selects: `one` for 1, where the language has that form. `{name}` stands for a parameter. The browser does the same in `web/src/lib/i18n/translate.ts`;
//! both are held to `tests/data/words.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::text::{Param, Params, Text};

/// The text of each file of a folder by language, as the build script lists them.
#[macro_export]
macro_rules! languages {
    ($folder:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $folder, ".rs"))
    };
}

/// Texts by language.
pub type ByLanguage = &'static [(&'static str, &'static str)];

/// The messages of the core.
pub const CORE_LOCALES: ByLanguage = languages!("locales");

/// The text in a language; `None` if there is none.
pub fn find(texts: ByLanguage, language: &str) -> Option<&'static str> {
    texts.iter().find(|(known, _)| *known == language).map(|&(_, text)| text)
}

/// The messages of one game in one language, with those of the core. English messages stand for missing ones.
#[derive(Clone, Debug, Default)]
pub struct Locale {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Entry {
    Plain(String),
    Plural { one: Option<String>, other: String },
}

impl Locale {
    /// The messages of a game in a language, with those of the core.
    ///
    /// # Panics
    /// If a file is malformed, which the tests detect.
    pub fn new(language: &str, game: ByLanguage) -> Self {
        let mut locale = Self::default();
        for texts in [CORE_LOCALES, game] {
            for json in ["en", language].into_iter().filter_map(|one| find(texts, one)) {
                locale.add(json).expect("a valid locale file");
            }
        }
        locale
    }

    /// The messages of the core in a language.
    pub fn shared(language: &str) -> Self {
        Self::new(language, &[])
    }

    /// The messages of the core in English.
    pub fn english() -> Self {
        Self::shared("en")
    }

    /// Adds the messages of a locale file.
    ///
    /// # Errors
    /// If the JSON is not an object of texts and plural forms.
    pub fn add(&mut self, json: &str) -> Result<(), serde_json::Error> {
        self.entries.extend(serde_json::from_str::<BTreeMap<_, _>>(json)?);
        Ok(())
    }

    /// Every key, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Formats a text in this language. A missing key appears as `⟨key⟩`, and fails the tests.
    pub fn format(&self, text: &Text) -> String {
        let Some(entry) = self.entries.get(&*text.key) else {
            return format!("⟨{}⟩", text.key);
        };
        let template = match entry {
            Entry::Plain(template) => template,
            Entry::Plural { one, other } => match (one, text.params.get("n")) {
                (Some(one), Some(Param::Number(1))) => one,
                _ => other,
            },
        };
        self.fill(template, &text.params)
    }

    fn fill(&self, template: &str, params: &Params) -> String {
        let mut formatted = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            formatted.push_str(before);
            let Some((name, tail)) = after.split_once('}') else {
                formatted.push('{');
                rest = after;
                continue;
            };
            match params.get(name) {
                Some(Param::Number(number)) => formatted.push_str(&number.to_string()),
                Some(Param::Raw(raw)) => formatted.push_str(raw),
                Some(Param::Text(text)) => formatted.push_str(&self.format(text)),
                None => {
                    formatted.push('{');
                    formatted.push_str(name);
                    formatted.push('}');
                }
            }
            rest = tail;
        }
        formatted.push_str(rest);
        formatted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locale() -> Locale {
        let mut locale = Locale::default();
        locale
            .add(r#"{"left": {"one": "{n} left", "other": "{n} are left"}, "to": "{who} to {cell}", "red": "Red"}"#)
            .expect("a valid locale");
        locale
    }

    #[test]
    fn a_number_selects_the_plural_form() {
        assert_eq!(locale().format(&Text::new("left").with("n", 1)), "1 left");
        assert_eq!(locale().format(&Text::new("left").with("n", 2)), "2 are left");
    }

    #[test]
    fn english_messages_stand_for_those_that_a_language_lacks() {
        let game: ByLanguage = &[("en", r#"{"red": "Red", "blue": "Blue"}"#), ("xx", r#"{"red": "R"}"#)];
        let locale = Locale::new("xx", game);
        let said = ["red", "blue"].map(|key| locale.format(&Text::new(key)));
        assert_eq!(said, ["R", "Blue"]);
        let core = Locale::english().keys().next().expect("a message").to_owned();
        assert_eq!(locale.format(&Text::new(core.clone())), Locale::english().format(&Text::new(core)));
    }

    #[test]
    fn parameters_may_be_texts_themselves() {
        let text = Text::new("to").with("who", Text::new("red")).with("cell", "0,1");
        assert_eq!(locale().format(&text), "Red to 0,1");
    }

    #[test]
    fn what_is_missing_is_seen() {
        assert_eq!(locale().format(&Text::new("nothing")), "⟨nothing⟩");
        assert_eq!(locale().format(&Text::new("to").with("who", Text::new("red"))), "Red to {cell}");
    }
}
