//! Game records as text, in the manner of chess's PGN.
//!
//! A record consists of tag pairs (`[Game "passtally"]`), then turns with their actions, comments in braces and
//! variations in parentheses. It includes the chance outcomes, so that a replay needs no seed. Turn numbers (`12.`) are
//! for people, and the parser skips them. A text may contain many records.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::locale::Locale;
use crate::quote::shortened;
use crate::text::Text;

/// One game as text. It knows no rules: a replay checks the actions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The tag pairs in order.
    pub tags: Vec<(String, String)>,
    /// The comments before the first action.
    pub comments: Vec<String>,
    /// The actions of the game.
    pub line: Vec<Step>,
}

/// An action in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// The maximum depth of nested variations.
const DEEPEST: usize = 64;

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Parses every record in a text.
    ///
    /// # Errors
    /// [`RecordError`] with the line and the error. Never panics, whatever the text.
    pub fn read_all(text: &str) -> Result<Vec<Self>, RecordError> {
        let mut reader = Reader { text, at: 0 };
        let mut records = Vec::new();
        while reader.peek().is_some() {
            records.push(reader.record()?);
        }
        Ok(records)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (tag, value) in &self.tags {
            writeln!(f, "[{tag} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        let mut words = Vec::new();
        write_comments(&self.comments, &mut words);
        write_line(&self.line, &mut words);
        if !words.is_empty() {
            writeln!(f)?;
        }
        let mut width = 0;
        for word in words {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > 100 {
                writeln!(f)?;
                width = 0;
            }
            if width > 0 {
                write!(f, " ")?;
                width += 1;
            }
            write!(f, "{word}")?;
            width += length;
        }
        if width > 0 {
            writeln!(f)?;
        }
        Ok(())
    }
}

fn write_comments(comments: &[String], words: &mut Vec<String>) {
    words.extend(comments.iter().map(|comment| format!("{{{comment}}}")));
}

fn write_line(line: &[Step], words: &mut Vec<String>) {
    for step in line {
        // A number and its action stay on one line.
        words.push(match step.turn {
            Some(turn) => format!("{turn}. {}", step.token),
            None => step.token.clone(),
        });
        write_comments(&step.comments, words);
        for variation in &step.variations {
            let mut inside = Vec::new();
            write_comments(&variation.comments, &mut inside);
            write_line(&variation.line, &mut inside);
            if let Some(first) = inside.first_mut() {
                first.insert(0, '(');
            }
            if let Some(last) = inside.last_mut() {
                last.push(')');
            }
            words.append(&mut inside);
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, fault: Text) -> RecordError {
        let line = self.text[..self.at].matches('\n').count() + 1;
        RecordError { line, fault }
    }

    fn tag_error(&self, key: &'static str, tag: &str) -> RecordError {
        self.error(Text::new(key).with("tag", &*shortened(tag)))
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn record(&mut self) -> Result<Record, RecordError> {
        let mut record = Record::default();
        while self.peek() == Some('[') {
            let tag = self.tag()?;
            if record.tag(&tag.0).is_some() {
                return Err(self.tag_error("fault.record.tag.twice", &tag.0));
            }
            record.tags.push(tag);
        }
        if record.tags.is_empty() {
            return Err(self.error(Text::new("fault.record.tags")));
        }
        (record.comments, record.line) = self.line(0)?;
        Ok(record)
    }

    fn tag(&mut self) -> Result<(String, String), RecordError> {
        self.at += 1;
        let rest = &self.text[self.at..];
        let name_length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = &rest[..name_length];
        if name.is_empty() {
            return Err(self.error(Text::new("fault.record.tag.name")));
        }
        self.at += name_length;
        if self.peek() != Some('"') {
            return Err(self.tag_error("fault.record.tag.value", name));
        }
        self.at += 1;
        let mut value = String::new();
        let mut characters = self.text[self.at..].char_indices();
        loop {
            match characters.next() {
                Some((_, '\\')) => match characters.next() {
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    _ => return Err(self.tag_error("fault.record.tag.escape", name)),
                },
                Some((offset, '"')) => {
                    self.at += offset + 1;
                    break;
                }
                Some((_, '\n')) | None => {
                    return Err(self.tag_error("fault.record.tag.quote", name));
                }
                Some((_, c)) => value.push(c),
            }
        }
        if self.peek() != Some(']') {
            return Err(self.tag_error("fault.record.tag.bracket", name));
        }
        self.at += 1;
        Ok((name.to_owned(), value))
    }

    /// Comments and actions up to the next tag, the closing parenthesis or the end.
    fn line(&mut self, depth: usize) -> Result<(Vec<String>, Vec<Step>), RecordError> {
        let mut comments = Vec::new();
        let mut line: Vec<Step> = Vec::new();
        let mut turn = None;
        loop {
            match self.peek() {
                None if depth > 0 => return Err(self.error(Text::new("fault.record.variation.open"))),
                Some('[') if depth > 0 => return Err(self.error(Text::new("fault.record.variation.tag"))),
                None | Some('[') => break,
                Some(')') if depth > 0 => break,
                Some(')') => return Err(self.error(Text::new("fault.record.variation.close"))),
                Some('{') => {
                    let comment = self.comment()?;
                    line.last_mut().map_or(&mut comments, |step| &mut step.comments).push(comment);
                }
                Some('}') => return Err(self.error(Text::new("fault.record.comment.close"))),
                Some('(') => {
                    if depth == DEEPEST {
                        return Err(self.error(Text::new("fault.record.variation.deep").with("most", DEEPEST)));
                    }
                    if line.is_empty() {
                        return Err(self.error(Text::new("fault.record.variation.first")));
                    }
                    self.at += 1;
                    let (comments, inner) = self.line(depth + 1)?;
                    self.at += 1;
                    if inner.is_empty() {
                        return Err(self.error(Text::new("fault.record.variation.empty")));
                    }
                    line.last_mut().expect("not empty").variations.push(Variation { comments, line: inner });
                }
                Some(_) => {
                    let word = self.word()?;
                    if let Some(number) = turn_number(word) {
                        turn = Some(number);
                    } else {
                        line.push(Step { turn: turn.take(), token: word.to_owned(), ..Step::default() });
                    }
                }
            }
        }
        if turn.is_some() {
            return Err(self.error(Text::new("fault.record.turn")));
        }
        Ok((comments, line))
    }

    fn comment(&mut self) -> Result<String, RecordError> {
        let rest = &self.text[self.at + 1..];
        let Some(end) = rest.find('}') else { return Err(self.error(Text::new("fault.record.comment.open"))) };
        if rest[..end].contains('{') {
            return Err(self.error(Text::new("fault.record.comment.inside")));
        }
        self.at += end + 2;
        // Line breaks in a comment are the page's, not the author's.
        Ok(rest[..end].split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn word(&mut self) -> Result<&'a str, RecordError> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| c.is_whitespace() || "(){}[]".contains(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if word.is_empty() || !word.chars().all(|c| c.is_ascii_graphic()) {
            return Err(self.error(Text::quoting("fault.record.action", word)));
        }
        self.at += length;
        Ok(word)
    }
}

fn turn_number(word: &str) -> Option<u32> {
    word.strip_suffix('.')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(Record::read_all(&record.to_string()).expect("its own text"), records);
    }

    #[test]
    fn several_records_follow_one_another() {
        let text = format!("{TEXT}\n{TEXT}\n[Game \"empty\"]\n");
        assert_eq!(Record::read_all(&text).expect("three records").len(), 3);
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
            ("[Game \"x\"]\n[Game \"y\"]", 2, "duplicate tag"),
            ("[Game \"x\"] é", 1, "not an action"),
            ("[Game \"x\"] a 3.", 1, "without an action"),
        ] {
            let error = Record::read_all(text).expect_err(text);
            assert!(error.line == line && error.to_string().contains(fault), "{text:?}: {error}");
        }
    }
}
