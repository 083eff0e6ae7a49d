//! Game records as text, in the manner of chess's PGN.
//!
//! A record consists of tag pairs (`[Game "passtally"]`), then turns with their actions, comments in braces and
//! variations in parentheses. It includes the chance outcomes, so that a replay needs no seed. Turn numbers (`12.`) are
//! for people; a replay ignores them. A text may contain many records. A second tag `Game` begins the next one.

mod read;
mod tags;
mod write;

use serde::{Deserialize, Serialize};

use crate::locale::Locale;
use crate::quote::shortened;
use crate::text::Text;

/// One game as text. It knows no rules: a replay checks the actions.
#[derive(Clone, Debug, Default, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The tag pairs in order.
    pub tags: Vec<(String, String)>,
    /// The comments before the first action.
    pub comments: Vec<String>,
    /// The actions of the game.
    pub line: Vec<Step>,
    /// The lines of the tags in the text that was read, from 1. They do not count for equality.
    pub places: Vec<usize>,
}

/// An action in a record.
#[derive(Clone, Debug, Default, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// The number of the turn that begins here; `None` within a turn.
    pub turn: Option<u32>,
    /// The action's token.
    pub token: String,
    /// The comments on it.
    pub comments: Vec<String>,
    /// Alternatives to it.
    pub variations: Vec<Variation>,
    /// Line and column in the text that was read, from 1. They do not count for equality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<(usize, usize)>,
}

/// An alternative line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Variation {
    /// The comments before its first action.
    pub comments: Vec<String>,
    /// Its actions.
    pub line: Vec<Step>,
}

/// A text is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a record: line {line}: {}", Locale::english().format(fault))]
pub struct RecordError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The error.
    pub fault: Text,
}

/// A record cannot be written, because its text would read back to another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record cannot be written: {}", Locale::english().format(&self.0))]
pub struct Unwritable(pub Text);

/// The maximum depth of nested variations.
pub const DEEPEST: usize = 64;

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        (&self.tags, &self.comments, &self.line) == (&other.tags, &other.comments, &other.line)
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        (self.turn, &self.token, &self.comments, &self.variations)
            == (other.turn, &other.token, &other.comments, &other.variations)
    }
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The line of a tag in the text that was read, or else in the record's own; of a missing tag, that of the first one.
    pub fn place(&self, name: &str) -> usize {
        let place = self.tags.iter().position(|(tag, _)| tag == name).unwrap_or(0);
        self.places.get(place).copied().unwrap_or(place + 1)
    }

    /// The record as text, which reads back to an equal record.
    ///
    /// # Errors
    /// [`Unwritable`] with the part that would not read back.
    pub fn text(&self) -> Result<String, Unwritable> {
        write::text(self).map_err(Unwritable)
    }
}

fn of_tag(fault: &'static str, tag: &str) -> Text {
    Text::new(fault).with("tag", &*shortened(tag))
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn too_deep() -> Text {
    Text::new("fault.record.variation.deep").with("most", DEEPEST)
}

/// The number that an action shows: that of its turn where the turn begins. `before`: the turn of the action before, which
/// becomes this one.
pub fn shown_turn(turn: u32, before: &mut Option<u32>) -> Option<u32> {
    (before.replace(turn) != Some(turn)).then_some(turn)
}

/// Whether a word is an action, not the number of a turn.
fn is_action(word: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_graphic() && !"(){}[]".contains(c);
    !word.is_empty() && word.chars().all(is_allowed) && turn_number(word).is_none()
}

fn turn_number(word: &str) -> Option<u32> {
    word.strip_suffix('.')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    const TEXT: &str =
        "[Game \"toy\"]\n[Event \"a \\\"b\\\" \\\\\"]\n\n{before} 1. a1 b2 {good} (b3 (c1 {deep}) 2. c2) 2. *x\n";

    #[test]
    fn a_record_reads_back() {
        let records = Record::read_all(TEXT).expect("a record");
        assert_eq!(records.len(), 1);
        let record = &records[0];
        assert_eq!(record.tag("Event"), Some("a \"b\" \\"));
        assert_eq!(record.line.iter().map(|step| step.token.as_str()).collect::<Vec<_>>(), ["a1", "b2", "*x"]);
        assert_eq!(record.line[1].variations[0].line[0].variations[0].line[0].comments, ["deep"]);
        assert_eq!(Record::read_all(&record.text().expect("written")).expect("its own text"), records);
    }

    #[test]
    fn a_record_knows_its_places() {
        let text = "\u{feff}[Game \"toy\"]\r\n[Event\n\"e\"]\n{a\n} a1 (x) {b\n}";
        let record = &Record::read_all(text).expect("a record")[0];
        assert_eq!((record.place("Game"), record.place("Event"), record.place("None")), (1, 2, 1));
        assert_eq!(record.line[0].place, Some((5, 3)));
        assert_eq!(record.line[0].variations[0].line[0].place, Some((5, 7)));
        let mut moved = record.clone();
        (moved.places, moved.line[0].place) = (Vec::new(), None);
        assert_eq!(moved, *record);
    }

    #[test]
    fn a_written_record_reads_back_or_is_refused() {
        const PARTS: [&str; 16] =
            ["a", "b2", "", " ", "  x ", "\n", "\r", "{", "}", "(", "]", "\"", "\\", "3.", "é", "a\n\nb  c"];
        let mut random = Random::new(5);
        let mut pick = |count: usize| random.below(count as u32) as usize;
        let mut written = 0;
        for _ in 0..20_000 {
            let mut texts =
                |most: usize| -> Vec<String> { (0..pick(most)).map(|_| PARTS[pick(PARTS.len())].to_owned()).collect() };
            let mut line: Vec<Step> = texts(4).into_iter().map(|token| Step { token, ..Step::default() }).collect();
            if let Some(step) = line.first_mut() {
                let inner = texts(3).into_iter().map(|token| Step { token, ..Step::default() }).collect();
                step.comments = texts(3);
                step.variations = vec![Variation { comments: texts(2), line: inner }];
                step.turn = Some(7);
            }
            let mut tags = vec![("Game".to_owned(), "toy".to_owned())];
            tags.extend(texts(3).into_iter().map(|value| (format!("T{value}"), value)));
            let record = Record { tags, comments: texts(3), line, places: Vec::new() };
            if let Ok(text) = record.text() {
                written += 1;
                let twice = format!("{text}\u{feff}{text}");
                assert_eq!(Record::read_all(&twice), Ok(vec![record.clone(), record]), "{text:?}");
            }
        }
        assert!(written > 100, "{written}");
    }

    #[test]
    fn variations_are_read_and_written_to_the_same_depth() {
        let nested = |depth: usize| format!("[Game \"toy\"]\n\na{}{}\n", " (a".repeat(depth), ")".repeat(depth));
        let deepest = Record::read_all(&nested(DEEPEST)).expect("a record").remove(0);
        assert_eq!(Record::read_all(&deepest.text().expect("written")), Ok(vec![deepest.clone()]));
        assert!(Record::read_all(&nested(DEEPEST + 1)).is_err());
        let line =
            vec![Step { variations: vec![Variation { line: deepest.line, ..Variation::default() }], ..step("a") }];
        assert!(Record { line, tags: deepest.tags, ..Record::default() }.text().is_err());
    }

    fn step(token: &str) -> Step {
        Step { token: token.to_owned(), ..Step::default() }
    }

    #[test]
    fn several_records_follow_one_another() {
        let text = format!("{TEXT}\n{TEXT}\n[Game \"empty\"]\n");
        assert_eq!(Record::read_all(&text).expect("three records").len(), 3);
        let without_actions = "[Game \"toy\"]\n\n\u{feff}[Game \"toy\"]\n[Event \"\"]\na\u{feff}[Game \"x\"]\n";
        assert_eq!(Record::read_all(without_actions).expect("three records").len(), 3);
        assert_eq!(Record::read_all("  \n").expect("none"), []);
    }

    #[test]
    fn faults_are_found_with_their_lines() {
        for (text, line, fault) in [
            ("a1", 1, "must begin with tags"),
            ("[Game \"x\"]\n\n(a)", 3, "must follow an action"),
            ("[Game \"x\"]\na (b", 2, "lacks its closing ')'"),
            ("[Game \"x\"]\na {b", 2, "lacks its closing '}'"),
            ("[Game \"x]\n", 1, "lacks its closing quote"),
            ("[Game \"x\"]\n[Round \"1\"]\n[Round \"2\"]", 3, "duplicate tag"),
            ("[Game \"x\ry\"]", 1, "lacks its closing quote"),
            ("[Game \"x\"] é", 1, "not an action"),
            ("[Game \"x\"] a 3.", 1, "without an action"),
        ] {
            let error = Record::read_all(text).expect_err(text);
            assert!(error.line == line && error.to_string().contains(fault), "{text:?}: {error}");
        }
    }
}
