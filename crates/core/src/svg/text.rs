//! Text in a picture: its width, and its lines.
//!
//! A picture has no fonts of its own, so that widths are estimates for wide system fonts.

/// The estimated width of a text in units of its font size.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(advance).sum()
}

fn advance(letter: char) -> f64 {
    match letter {
        _ if is_wide(letter) => 1.0,
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.32,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | 'I' => 0.38,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        'A'..='Z' | '–' | '→' => 0.7,
        _ => 0.6,
    }
}

/// Whether a letter is as wide as its height: Chinese, Japanese, Korean, emoji.
fn is_wide(letter: char) -> bool {
    matches!(
        letter,
        '\u{1100}'..='\u{11ff}'
            | '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7ff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ff60}'
            | '\u{1f300}'..='\u{1faff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// The lines of a text, each at most `most` font sizes wide where its words allow.
///
/// Lines of Latin text break at spaces, those of Japanese also between characters, but not before closing marks.
pub(super) fn lines(text: &str, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut wide) = (String::new(), 0.0);
    for piece in pieces(text) {
        let next = width(piece);
        if wide + width(piece.trim_end()) > most && !line.is_empty() {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            wide = 0.0;
        }
        line.push_str(piece);
        wide += next;
    }
    lines.push(line.trim_end().to_owned());
    lines.retain(|line| !line.is_empty());
    lines
}

/// The parts of a text between which a line can break.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut before = None;
    for (at, letter) in text.char_indices() {
        let breaks = match before {
            Some(' ') => letter != ' ',
            Some(last) => (is_wide(last) || is_wide(letter)) && !is_closing(letter) && !is_opening(last),
            None => false,
        };
        if breaks && letter != ' ' {
            pieces.push(&text[from..at]);
            from = at;
        }
        before = Some(letter);
    }
    pieces.push(&text[from..]);
    pieces
}

fn is_closing(letter: char) -> bool {
    "、。，．・：；？！）」』】〉》ーっゃゅょッャュョぁぃぅぇぉァィゥェォ々.,:;?!)".contains(letter)
}

fn is_opening(letter: char) -> bool {
    "（「『【〈《(".contains(letter)
}

/// A text as the content or the attribute of an element.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(lines("one two three", 5.0), ["one two", "three"]);
        assert_eq!(lines("  ", 5.0), [""; 0]);
        assert_eq!(lines("unbreakable", 1.0), ["unbreakable"]);
    }

    #[test]
    fn japanese_breaks_anywhere_but_before_closing_marks() {
        assert_eq!(lines("赤の手番です。", 3.0), ["赤の手", "番で", "す。"]);
        assert_eq!(lines("手番、終了", 3.0), ["手番、", "終了"]);
        assert_eq!(lines("あと（手）です", 3.0), ["あと", "（手）", "です"]);
    }
}
