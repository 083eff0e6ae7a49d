//! The tags that say which game was played, under which options, and how it ended.

use std::collections::BTreeMap;

use super::{Record, RecordError};
use crate::info::{Info, RULES_VERSION, pairs};
use crate::quote::{quoted, shortened};
use crate::text::Text;

/// A record may round the returns by less than this.
const ROUNDING: f64 = 1e-3;

impl Record {
    /// The name of the game.
    ///
    /// # Errors
    /// [`RecordError`] without the tag `Game`.
    pub fn game(&self) -> Result<&str, RecordError> {
        self.tag("Game").ok_or_else(|| self.wrong("Game", Text::new("fault.record.game")))
    }

    /// The options of the game. Other rules than today's in the tag `Rules` are the option `rules_version`.
    ///
    /// # Errors
    /// [`RecordError`] if the tag `Options` is not `name=value ...`, or the game does not support the rules.
    pub fn options(&self, info: &Info) -> Result<BTreeMap<String, String>, RecordError> {
        let options = pairs(self.tag("Options").unwrap_or_default());
        let mut options = options.map_err(|fault| self.wrong("Options", fault))?;
        if let Some(rules) = self.tag("Rules") {
            let Some(version) = info.supported_rules(rules) else {
                let fault = Text::new("fault.record.rules").with("played", &*shortened(rules));
                return Err(self.wrong("Rules", fault.with("now", info.rules_version)));
            };
            options.remove(RULES_VERSION);
            if version != info.rules_version {
                options.insert(RULES_VERSION.to_owned(), version.to_string());
            }
        }
        Ok(options)
    }

    /// The returns by seat; `None` if the tag `Result` is missing or is not numbers.
    pub fn returns(&self) -> Option<Vec<f64>> {
        let returns: Option<Vec<_>> = self.tag("Result")?.split_whitespace().map(number).collect();
        returns.filter(|returns| !returns.is_empty())
    }

    /// Compares the tag `Result` with the returns at the end of the game. A line that ends before the game has none to compare.
    ///
    /// # Errors
    /// [`RecordError`] if they differ.
    pub fn check_result(&self, ended: &[f64]) -> Result<(), RecordError> {
        let Some(result) = self.tag("Result") else { return Ok(()) };
        let returns = self.returns().unwrap_or_default();
        let close = |(one, other): (&f64, &f64)| (one - other).abs() < ROUNDING;
        if returns.len() == ended.len() && returns.iter().zip(ended).all(close) {
            return Ok(());
        }
        let ended: Vec<_> = ended.iter().map(|value| ((value * 1e6).round() / 1e6).to_string()).collect();
        let fault = Text::quoting("fault.record.result", result).with("ended", quoted(&ended.join(" ")));
        Err(self.wrong("Result", fault))
    }

    fn wrong(&self, tag: &str, fault: Text) -> RecordError {
        RecordError { line: self.place(tag), fault }
    }
}

/// A decimal or a fraction.
fn number(word: &str) -> Option<f64> {
    let (over, under) = word.split_once('/').unwrap_or((word, "1"));
    let value = over.parse::<f64>().ok()? / under.parse::<f64>().ok()?;
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::TOY;

    fn record(tags: &str) -> Record {
        Record::read_all(tags).expect("a record").remove(0)
    }

    fn said<T>(answer: Result<T, RecordError>) -> String {
        answer.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn options_include_rules_that_are_not_those_of_today() {
        let options = |tags| record(tags).options(&TOY).map(|options| options.into_iter().collect::<Vec<_>>());
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options("[Game \"toy\"]"), Ok(vec![]));
        assert_eq!(options("[Options \" a=1  b=x=y \"][Rules \"3\"]"), Ok(vec![pair("a", "1"), pair("b", "x=y")]));
        assert_eq!(options("[Rules \"2\"]"), Ok(vec![pair("rules_version", "2")]));
        assert_eq!(options("[Options \"rules_version=2\"][Rules \"3\"]"), Ok(vec![]));
    }

    #[test]
    fn a_wrong_tag_is_named_with_its_line() {
        assert_eq!(said(record("\n[Event \"x\"]").game()), "not a record: line 2: there is no tag Game");
        let options = said(record("[Game \"toy\"]\n[Options \"a=1 b\"]").options(&TOY));
        assert_eq!(options, "not a record: line 2: expected name=value, found \"b\"");
        for rules in ["1", "4", "new", ""] {
            let told = said(record(&format!("[Game \"toy\"]\n\n[Rules \"{rules}\"]")).options(&TOY));
            assert!(told.contains(&format!("line 3: it was played under version {rules} of the rules")), "{told}");
        }
        // A record that was not read has the lines of its own text.
        let tags = vec![("Event".to_owned(), String::new()), ("Options".to_owned(), "b".to_owned())];
        assert!(said(Record { tags, ..Record::default() }.options(&TOY)).contains("line 2"));
    }

    #[test]
    fn a_result_is_numbers_that_the_end_of_the_game_confirms() {
        let with = |result: &str| record(&format!("[Game \"toy\"]\n[Result \"{result}\"]"));
        assert_eq!(with("-1/2 1 -0.5").returns(), Some(vec![-0.5, 1.0, -0.5]));
        for same in ["-1/2 1 -0.5", "-.5 1.0 -0.4995"] {
            assert_eq!(with(same).check_result(&[-0.5, 1.0, -0.5]), Ok(()));
        }
        for wrong in ["", "1-0", "1/0 1", "nan 1", "inf 1", &format!("{}/1 1", "9".repeat(400)), "*"] {
            assert_eq!(with(wrong).returns(), None, "{wrong}");
            assert!(with(wrong).check_result(&[1.0, 1.0]).is_err(), "{wrong}");
        }
        let told = said(with("1 -1").check_result(&[1.0, -0.5, -0.5]));
        assert_eq!(told, "not a record: line 2: the tag Result is \"1 -1\", but the game ended \"1 -0.5 -0.5\"");
        assert!(with("1 -1").check_result(&[-1.0, 1.0]).is_err());
        assert_eq!(record("[Game \"toy\"]").check_result(&[1.0]), Ok(()));
    }
}
