//! Words and art: complete in every language, and everything that a view names is there.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tavola_core::Complete;
use tavola_core::svg::Theme;
use tavola_core::words::Words;

/// The languages that every game speaks.
const LANGUAGES: [&str; 2] = ["en", "ja"];

pub(crate) fn check<G: Complete>() {
    let assets = &G::INFO.assets;
    let languages = |files: &[(&'static str, &str)]| files.iter().map(|&(language, _)| language).collect::<Vec<_>>();
    assert_eq!(languages(assets.rules), LANGUAGES, "the rule book's languages");
    assert_eq!(languages(assets.words), LANGUAGES, "the words' languages");
    let keys: BTreeMap<_, BTreeSet<String>> = assets
        .words
        .iter()
        .map(|&(language, json)| {
            let words = Words::parse(language, json).unwrap_or_else(|error| panic!("words in {language}: {error}"));
            (language, words.keys().map(str::to_owned).collect())
        })
        .collect();
    assert_eq!(keys["en"], keys["ja"], "a key is missing in one language");
    let mut wanted = vec!["game.title".to_owned(), "game.tagline".to_owned()];
    for option in G::INFO.options {
        wanted.push(format!("option.{}", option.name));
        wanted.extend(option.values.iter().map(|value| format!("option.{}.{value}", option.name)));
    }
    for key in wanted {
        assert!(keys["en"].contains(&key), "no word for {key}");
    }
    let theme: Theme = serde_json::from_str(assets.theme).unwrap_or_else(|error| panic!("the theme: {error}"));
    assert!(theme.tilt > 0.0 && theme.tilt <= 1.0, "a tilt of {}", theme.tilt);
    let mut rest = assets.symbols;
    while let Some((_, after)) = rest.split_once("var(--") {
        let (name, tail) = after.split_once(')').expect("a closed var()");
        assert!(theme.colours.contains_key(name), "the symbols use the colour {name}, which the theme lacks");
        rest = tail;
    }
}

/// Every text has its words with all parameters filled in, and every symbol is drawn.
pub(crate) fn check_texts<G: Complete>(data: &Value, whence: &str) {
    match data {
        Value::Array(items) => items.iter().for_each(|item| check_texts::<G>(item, whence)),
        Value::Object(fields) => {
            if let Some(Value::String(key)) = fields.get("key") {
                check_text::<G>(key, fields.get("params"), whence);
            }
            if let Some(Value::String(symbol)) = fields.get("symbol") {
                let id = format!("id=\"{symbol}\"");
                assert!(G::INFO.assets.symbols.contains(&id), "{whence}: no symbol {symbol} in symbols.svg");
            }
            fields.values().for_each(|field| check_texts::<G>(field, whence));
        }
        _ => {}
    }
}

fn check_text<G: Complete>(key: &str, params: Option<&Value>, whence: &str) {
    for (language, json) in G::INFO.assets.words {
        let words: Value = serde_json::from_str(json).expect("checked before");
        let entry = words.get(key).unwrap_or_else(|| panic!("{whence}: no word {key} in {language}"));
        let forms: Vec<&str> = match entry {
            Value::String(text) => vec![text],
            Value::Object(forms) => forms.values().filter_map(Value::as_str).collect(),
            _ => panic!("{key} in {language} is neither a text nor plural forms"),
        };
        for form in forms {
            let mut rest = form;
            while let Some((_, after)) = rest.split_once('{') {
                let (name, tail) =
                    after.split_once('}').unwrap_or_else(|| panic!("{key} in {language}: an open brace"));
                let given = params.is_some_and(|params| params.get(name).is_some());
                assert!(given, "{whence}: {key} in {language} wants {{{name}}}, which is not given");
                rest = tail;
            }
        }
    }
}
