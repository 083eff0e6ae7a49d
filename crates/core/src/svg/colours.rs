//! The colours of a picture: fixed, or for light and dark pages.

use std::fmt::Write;

use super::{Colours, Theme};

/// Writes the colours themselves where the picture names them, so that it stands alone.
pub(super) fn resolve(svg: &str, theme: &Theme, colours: Colours) -> String {
    let mut resolved = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once("var(--") {
        resolved.push_str(before);
        let (name, tail) = after.split_once(')').unwrap_or((after, ""));
        let colour =
            theme.colours.get(name).map(|colour| if colours == Colours::Dark { &colour.dark } else { &colour.light });
        resolved.push_str(colour.map_or("currentColor", String::as_str));
        rest = tail;
    }
    resolved.push_str(rest);
    resolved
}

/// The style that sets the variables of a picture: for light pages, and for dark ones.
pub(super) fn style(game: &str, theme: &Theme) -> String {
    let set = |dark: bool| {
        let mut colours = String::new();
        for (name, colour) in &theme.colours {
            // Writing to a String cannot fail.
            let _ = write!(colours, "--{name}:{};", if dark { &colour.dark } else { &colour.light });
        }
        colours
    };
    let (light, dark) = (set(false), set(true));
    format!("<style>.tavola-{game}{{{light}}}@media(prefers-color-scheme:dark){{.tavola-{game}{{{dark}}}}}</style>")
}
