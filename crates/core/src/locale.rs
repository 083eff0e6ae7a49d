//! Messages in a language: those of a game, or of the core, with their parameters.
//!
//! A locale file is a JSON object from keys to messages. A message is a text, or an object of plural forms (`one`,
//! `other`) that the parameter `n` selects. `{name}` stands for a parameter. The browser does the same in `web/src/lib/i18n/translate.ts`;
//! both are held to `tests/data/words.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::text::{Param, Params, Text};

/// The messages of the core, by language.
pub const CORE_LOCALES: [(&str, &str); 2] =
    [("en", include_str!("../locales/en.json")), ("ja", include_str!("../locales/ja.json"))];

/// The messages of one game in one language, with those of the core.
#[derive(Clone, Debug)]
pub struct Locale {
    language: String,
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Entry {
    Plain(String),
    Plural { one: Option<String>, other: String },
}

impl Locale {
    /// Parses a locale file and adds the messages of the core.
    ///
    /// # Errors
    /// If the JSON is not an object of texts and plural forms.
    pub fn parse(language: &str, json: &str) -> Result<Self, serde_json::Error> {
        let mut entries = Self::shared(language).map(|locale| locale.entries).unwrap_or_default();
        entries.extend(serde_json::from_str::<BTreeMap<_, _>>(json)?);
        Ok(Self { language: language.to_owned(), entries })
    }

    /// The messages of the core in a language; `None` if there are none.
    ///
    /// # Panics
    /// If the file is malformed, which the tests detect.
    pub fn shared(language: &str) -> Option<Self> {
        let (_, json) = CORE_LOCALES.iter().find(|(known, _)| *known == language)?;
        let entries = serde_json::from_str(json).expect("a valid locale file");
        Some(Self { language: language.to_owned(), entries })
    }

    /// The messages of the core in English.
    pub fn english() -> Self {
        Self::shared("en").expect("the core has English messages")
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
                (Some(one), Some(Param::Number(1))) if self.language == "en" => one,
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

    fn locale(language: &str) -> Locale {
        Locale::parse(
            language,
            r#"{"left": {"one": "{n} left", "other": "{n} are left"}, "to": "{who} to {cell}", "red": "Red"}"#,
        )
        .expect("a valid locale")
    }

    #[test]
    fn plural_forms_follow_the_language() {
        assert_eq!(locale("en").format(&Text::new("left").with("n", 1)), "1 left");
        assert_eq!(locale("en").format(&Text::new("left").with("n", 2)), "2 are left");
        assert_eq!(locale("ja").format(&Text::new("left").with("n", 1)), "1 are left");
    }

    #[test]
    fn parameters_may_be_texts_themselves() {
        let text = Text::new("to").with("who", Text::new("red")).with("cell", "0,1");
        assert_eq!(locale("en").format(&text), "Red to 0,1");
    }

    #[test]
    fn what_is_missing_is_seen() {
        assert_eq!(locale("en").format(&Text::new("nothing")), "⟨nothing⟩");
        assert_eq!(locale("en").format(&Text::new("to").with("who", Text::new("red"))), "Red to {cell}");
    }
}
