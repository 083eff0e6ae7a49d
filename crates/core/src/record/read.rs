//! Reading of records, with the place of every tag and action.

use super::{DEEPEST, Record, RecordError, Step, Variation, is_action, is_line_break, of_tag, too_deep, turn_number};
use crate::text::Text;

/// A text that is being read.
#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
    /// The bytes that were read.
    at: usize,
    /// Line and column of the next character, from 1.
    line: usize,
    column: usize,
}

impl Record {
    /// Parses every record in a text.
    ///
    /// # Errors
    /// [`RecordError`] with the line and the error. Never panics, whatever the text.
    pub fn read_all(text: &str) -> Result<Vec<Self>, RecordError> {
        let mut reader = Reader::new(text);
        let mut records = Vec::new();
        while reader.peek().is_some() {
            records.push(reader.record()?);
        }
        Ok(records)
    }
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    fn error(&self, fault: Text) -> RecordError {
        RecordError { line: self.line, fault }
    }

    fn tag_error(&self, key: &'static str, tag: &str) -> RecordError {
        self.error(of_tag(key, tag))
    }

    /// The rest of the text.
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by this number of bytes.
    fn advance(&mut self, length: usize) {
        let passed = &self.rest()[..length];
        let last = passed.rfind('\n').map_or(passed, |end| {
            self.line += passed.matches('\n').count();
            self.column = 1;
            &passed[end + 1..]
        });
        self.column += last.chars().count();
        self.at += length;
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.advance(rest.len() - rest.trim_start_matches(is_space).len());
        self.rest().chars().next()
    }

    /// The next record.
    fn record(&mut self) -> Result<Record, RecordError> {
        let mut record = Record::default();
        while self.peek() == Some('[') {
            let before = *self;
            let tag = self.tag()?;
            if record.tag(&tag.0).is_some() {
                if tag.0 != "Game" {
                    return Err(before.tag_error("fault.record.tag.twice", &tag.0));
                }
                *self = before;
                break;
            }
            record.tags.push(tag);
            record.places.push(before.line);
        }
        if record.tags.is_empty() {
            return Err(self.error(Text::new("fault.record.tags")));
        }
        (record.comments, record.line) = self.line(0)?;
        Ok(record)
    }

    fn tag(&mut self) -> Result<(String, String), RecordError> {
        self.advance(1);
        let rest = self.rest();
        let name_length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = &rest[..name_length];
        if name.is_empty() {
            return Err(self.error(Text::new("fault.record.tag.name")));
        }
        self.advance(name_length);
        if self.peek() != Some('"') {
            return Err(self.tag_error("fault.record.tag.value", name));
        }
        self.advance(1);
        let mut value = String::new();
        let mut characters = self.rest().char_indices();
        loop {
            match characters.next() {
                Some((_, '\\')) => match characters.next() {
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    _ => return Err(self.tag_error("fault.record.tag.escape", name)),
                },
                Some((offset, '"')) => {
                    self.advance(offset + 1);
                    break;
                }
                Some((_, c)) if !is_line_break(c) => value.push(c),
                _ => return Err(self.tag_error("fault.record.tag.quote", name)),
            }
        }
        if self.peek() != Some(']') {
            return Err(self.tag_error("fault.record.tag.bracket", name));
        }
        self.advance(1);
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
                        return Err(self.error(too_deep()));
                    }
                    if line.is_empty() {
                        return Err(self.error(Text::new("fault.record.variation.first")));
                    }
                    self.advance(1);
                    let (comments, inner) = self.line(depth + 1)?;
                    self.advance(1);
                    if inner.is_empty() {
                        return Err(self.error(Text::new("fault.record.variation.empty")));
                    }
                    line.last_mut().expect("not empty").variations.push(Variation { comments, line: inner });
                }
                Some(_) => {
                    let place = Some((self.line, self.column));
                    let word = self.word()?;
                    if let Some(number) = turn_number(word) {
                        turn = Some(number);
                    } else {
                        line.push(Step { turn: turn.take(), token: word.to_owned(), place, ..Step::default() });
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
        let rest = &self.rest()[1..];
        let Some(end) = rest.find('}') else { return Err(self.error(Text::new("fault.record.comment.open"))) };
        let comment = &rest[..end];
        if comment.contains('{') {
            return Err(self.error(Text::new("fault.record.comment.inside")));
        }
        self.advance(end + 2);
        Ok(comment.replace("\r\n", "\n").replace('\r', "\n"))
    }

    fn word(&mut self) -> Result<&'a str, RecordError> {
        let rest = self.rest();
        let length = rest.find(|c: char| is_space(c) || "(){}[]".contains(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if turn_number(word).is_none() && !is_action(word) {
            return Err(self.error(Text::quoting("fault.record.action", word)));
        }
        self.advance(length);
        Ok(word)
    }
}

/// White space between words, with the byte order mark where files were joined.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}
