//! Checks of messages and art: complete in every language, with everything that a view refers to.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use tavola_core::locale::{ByLanguage, CORE_LOCALES, Locale, find};
use tavola_core::svg::Theme;
use tavola_core::text::Param;
use tavola_core::{Compiled, Refusal, Text};

pub(crate) fn check<G: Compiled>() {
    let assets = &G::INFO.assets;
    let languages = |texts: ByLanguage| texts.iter().map(|&(language, _)| language).collect::<BTreeSet<_>>();
    assert_eq!(languages(assets.rules), languages(CORE_LOCALES), "the rule book's languages");
    assert_eq!(languages(assets.locales), languages(CORE_LOCALES), "the languages of the messages");
    let keys: BTreeMap<_, BTreeSet<String>> = assets
        .locales
        .iter()
        .map(|&(language, json)| {
            let mut words = Locale::default();
            words.add(json).unwrap_or_else(|error| panic!("words in {language}: {error}"));
            (language, words.keys().map(str::to_owned).collect())
        })
        .collect();
    for (language, known) in &keys {
        assert_eq!(&keys["en"], known, "a key is missing in English or {language}");
    }
    let mut wanted = vec!["game.title".to_owned(), "game.tagline".to_owned()];
    for option in G::INFO.options {
        wanted.push(format!("option.{}", option.name));
        wanted.extend(option.values.iter().map(|value| format!("option.{}.{value}", option.name)));
    }
    for key in wanted {
        assert!(keys["en"].contains(&key), "no message for {key}");
    }
    let theme: Theme = serde_json::from_str(assets.theme).unwrap_or_else(|error| panic!("the theme: {error}"));
    assert!(theme.tilt > 0.0 && theme.tilt <= 1.0, "a tilt of {}", theme.tilt);
    for name in ["shadow", "shade", "number", "number-edge"].iter().filter(|_| theme.depth.is_some()) {
        assert!(theme.colours.contains_key(*name), "levels seen from above want the colour {name}");
    }
    let levels: Vec<String> = serde_json::from_str(assets.levels).unwrap_or_else(|error| panic!("the levels: {error}"));
    assert_eq!(levels.len(), 8, "there are eight levels");
    let mut rest = assets.symbols;
    while let Some((_, after)) = rest.split_once("var(--") {
        let (name, tail) = after.split_once(')').expect("a closed var()");
        assert!(theme.colours.contains_key(name), "the symbols use the colour {name}, which the theme lacks");
        rest = tail;
    }
}

/// The messages and symbols of a game.
pub(crate) struct Vocabulary {
    /// For each language and key, the parameters of its message.
    wanted: Vec<(&'static str, BTreeMap<String, BTreeSet<String>>)>,
    symbols: BTreeSet<String>,
    /// The clauses that every rule book has.
    clauses: BTreeSet<&'static str>,
    /// The prompts with an explanation for beginners, each with its clause.
    explained: BTreeMap<String, String>,
}

/// The part of a theme that is text.
#[derive(Deserialize)]
struct Explained {
    #[serde(default)]
    explain: BTreeMap<String, String>,
}

impl Vocabulary {
    pub(crate) fn of<G: Compiled>() -> Self {
        let wanted = G::INFO.assets.locales.iter().map(|&(language, own)| {
            let words = [find(CORE_LOCALES, language).expect("checked before"), own]
                .into_iter()
                .flat_map(|json| serde_json::from_str::<BTreeMap<String, Value>>(json).expect("checked before"));
            let wanted = words.map(|(key, entry)| {
                let parameters = parameters(&key, &entry);
                (key, parameters)
            });
            (language, wanted.collect())
        });
        let symbols = G::INFO.assets.symbols.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let clauses = |book: &'static str| -> BTreeSet<&str> {
            book.split("{#clause-").skip(1).filter_map(|rest| rest.split('}').next()).collect()
        };
        let books = G::INFO.assets.rules.iter().map(|&(_, book)| clauses(book));
        let theme: Explained = serde_json::from_str(G::INFO.assets.theme).expect("checked before");
        let vocabulary = Self {
            wanted: wanted.collect(),
            symbols: symbols.map(str::to_owned).collect(),
            clauses: books.reduce(|all, book| &all & &book).unwrap_or_default(),
            explained: theme.explain,
        };
        vocabulary.check_explanations();
        vocabulary
    }

    /// Checks that each explanation has a message and a clause in every rule book, and that no message lacks a prompt.
    fn check_explanations(&self) {
        for (prompt, clause) in &self.explained {
            self.check_text(&format!("explain.{prompt}"), |_| false, "the theme");
            assert!(
                self.clauses.contains(clause.as_str()),
                "{prompt} is explained by clause {clause}, which is missing"
            );
        }
        for key in self.wanted.iter().flat_map(|(_, words)| words.keys()) {
            let explains = key.strip_prefix("explain.");
            assert!(explains.is_none_or(|prompt| self.explained.contains_key(prompt)), "{key} is in no theme");
        }
    }

    /// Checks that a game with explanations explains every prompt.
    pub(crate) fn check_prompt(&self, prompt: &Text, whence: &str) {
        let explained = self.explained.is_empty() || self.explained.contains_key(&*prompt.key);
        assert!(explained, "{whence}: {} is not explained", prompt.key);
    }

    /// Checks that a refusal has a message in every language, and a clause in every rule book.
    pub(crate) fn check_refusal(&self, refusal: &Refusal, whence: &str) {
        self.check_said(&refusal.text, whence);
        assert!(
            self.clauses.contains(refusal.clause.as_str()),
            "{whence}: no clause {} in a rule book",
            refusal.clause
        );
    }

    /// Checks that a text and its parameters have messages in every language, with all parameters.
    pub(crate) fn check_said(&self, text: &Text, whence: &str) {
        self.check_text(&text.key, |name| text.params.get(name).is_some(), whence);
        for param in text.params.values() {
            if let Param::Text(text) = param {
                self.check_said(text, whence);
            }
        }
    }

    /// Checks that every text has a message with all parameters, and that every symbol exists.
    pub(crate) fn check(&self, data: &Value, whence: &str) {
        match data {
            Value::Array(items) => items.iter().for_each(|item| self.check(item, whence)),
            Value::Object(fields) => {
                if let Some(Value::String(key)) = fields.get("key") {
                    let given = |name: &str| fields.get("params").is_some_and(|params| params.get(name).is_some());
                    self.check_text(key, given, whence);
                }
                if let Some(Value::String(symbol)) = fields.get("symbol") {
                    self.check_symbol(symbol, whence);
                }
                fields.values().for_each(|field| self.check(field, whence));
            }
            _ => {}
        }
    }

    /// Checks that a symbol exists.
    pub(crate) fn check_symbol(&self, symbol: &str, whence: &str) {
        assert!(self.symbols.contains(symbol), "{whence}: no symbol {symbol} in symbols.svg");
    }

    fn check_text(&self, key: &str, given: impl Fn(&str) -> bool, whence: &str) {
        for (language, words) in &self.wanted {
            let wanted = words.get(key).unwrap_or_else(|| panic!("{whence}: no word {key} in {language}"));
            for name in wanted {
                assert!(given(name), "{whence}: {key} in {language} wants {{{name}}}, which is not given");
            }
        }
    }
}

/// The names in braces of a text or its plural forms.
fn parameters(key: &str, entry: &Value) -> BTreeSet<String> {
    let forms: Vec<&str> = match entry {
        Value::String(text) => vec![text],
        Value::Object(forms) => forms.values().filter_map(Value::as_str).collect(),
        _ => panic!("{key} is neither a text nor plural forms"),
    };
    let mut names = BTreeSet::new();
    for form in forms {
        let mut rest = form;
        while let Some((_, after)) = rest.split_once('{') {
            let (name, tail) = after.split_once('}').unwrap_or_else(|| panic!("{key}: an open brace"));
            names.insert(name.to_owned());
            rest = tail;
        }
    }
    names
}
