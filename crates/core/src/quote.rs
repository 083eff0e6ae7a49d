//! Texts in messages: of a long one, whoever sent it needs the beginning and the end only.

use std::borrow::Cow;

/// How many characters of a text a message repeats.
const LONGEST: usize = 200;
/// How many of them are of its end.
const END: usize = 60;

/// The text, or of a long one the beginning and the end.
pub fn shortened(text: &str) -> Cow<'_, str> {
    let place = |number: usize| text.char_indices().nth(number).map(|(at, _)| at);
    if text.len() <= LONGEST || place(LONGEST).is_none() {
        return text.into();
    }
    let beginning = place(LONGEST - END - 1).expect("the text is longer");
    let (end, _) = text.char_indices().rev().nth(END - 1).expect("the text is longer");
    format!("{}…{}", &text[..beginning], &text[end..]).into()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for text in [String::new(), "é".repeat(200), "x".repeat(200)] {
            assert_eq!(shortened(&text), text);
        }
        let text = format!("{}{}", "é".repeat(150), "ö".repeat(51));
        let short = shortened(&text);
        assert_eq!(short.chars().count(), 200);
        assert!(short.starts_with(&"é".repeat(139)) && short.ends_with(&"ö".repeat(51)), "{short}");
    }
}
