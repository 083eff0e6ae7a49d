//! Writing of records. It refuses content that would not read back.

use super::{DEEPEST, Record, Step, is_action, is_line_break, of_tag, too_deep};
use crate::text::Text;

/// The maximum length of a line of text, except for long comments and tags.
const WIDTH: usize = 100;

/// The text of a record.
pub(super) fn text(record: &Record) -> Result<String, Text> {
    if record.tags.is_empty() {
        return Err(Text::new("fault.record.tags"));
    }
    let mut text = String::new();
    for (place, (tag, value)) in record.tags.iter().enumerate() {
        if tag.is_empty() || !tag.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(Text::new("fault.record.tag.name"));
        }
        if record.tags[..place].iter().any(|(known, _)| known == tag) {
            return Err(of_tag("fault.record.tag.twice", tag));
        }
        if value.contains(is_line_break) {
            return Err(of_tag("fault.record.tag.break", tag));
        }
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.extend(["[", tag, " \"", &value, "\"]\n"]);
    }
    let mut words = Vec::new();
    write_comments(&record.comments, &mut words)?;
    write_line(&record.line, 0, &mut words)?;
    let mut width = 0;
    for word in &words {
        let (first, last) = (word.split('\n').next(), word.rsplit_once('\n'));
        let length = first.map_or(0, |first| first.chars().count());
        if width == 0 || width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else {
            text.push(' ');
            width += 1;
        }
        text += word;
        // A comment may have lines of its own.
        width = last.map_or(width + length, |(_, last)| last.chars().count());
    }
    if !words.is_empty() {
        text.push('\n');
    }
    Ok(text)
}

fn write_comments(comments: &[String], words: &mut Vec<String>) -> Result<(), Text> {
    for comment in comments {
        // Reading turns carriage returns into line breaks.
        if comment.contains(['{', '}', '\r']) {
            return Err(Text::quoting("fault.record.comment.text", comment));
        }
        words.push(format!("{{{comment}}}"));
    }
    Ok(())
}

fn write_line(line: &[Step], depth: usize, words: &mut Vec<String>) -> Result<(), Text> {
    for step in line {
        if !is_action(&step.token) {
            return Err(Text::quoting("fault.record.action", &step.token));
        }
        // A number and its action stay on one line.
        words.push(match step.turn {
            Some(turn) => format!("{turn}. {}", step.token),
            None => step.token.clone(),
        });
        write_comments(&step.comments, words)?;
        for variation in &step.variations {
            if variation.line.is_empty() {
                return Err(Text::new("fault.record.variation.empty"));
            }
            if depth == DEEPEST {
                return Err(too_deep());
            }
            let first = words.len();
            write_comments(&variation.comments, words)?;
            write_line(&variation.line, depth + 1, words)?;
            words[first].insert(0, '(');
            words.last_mut().expect("it has actions").push(')');
        }
    }
    Ok(())
}
