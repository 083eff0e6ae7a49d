//! Quotations in messages: of a long text, the beginning and the end are enough.

use std::borrow::Cow;

use smol_str::SmolStr;

/// The maximum length of a quotation in characters. A message of 200 characters has room for two.
const LONGEST: usize = 70;
/// The number of characters from the end of a long text.
const END: usize = 20;

/// The text in quotes, shortened.
pub fn quoted(text: &str) -> SmolStr {
    shortened(&format!("{text:?}")).into()
}

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
    use super::{quoted, shortened};

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for text in [String::new(), "é".repeat(70), "x".repeat(70)] {
            assert_eq!(shortened(&text), text);
        }
        let text = format!("{}{}", "é".repeat(60), "ö".repeat(11));
        let short = shortened(&text);
        assert_eq!(short.chars().count(), 70);
        assert!(short.starts_with(&"é".repeat(49)) && short.ends_with(&"ö".repeat(11)), "{short}");
        assert_eq!(quoted("a\nb"), r#""a\nb""#);
        assert!(quoted(&text).starts_with("\"é") && quoted(&text).ends_with("ö\""));
    }
}
