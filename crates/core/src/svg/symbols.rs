//! The symbols that a picture uses, so that it contains no others.

use std::collections::{BTreeMap, BTreeSet};

/// The elements of a game's symbols that a drawing needs, directly or through other symbols.
///
/// `symbols` is a game's `art/symbols.svg`. An element without an id is always needed.
pub(super) fn used(symbols: &str, drawing: &str) -> String {
    let elements = elements(symbols);
    let mut owners = BTreeMap::new();
    for (place, element) in elements.iter().enumerate() {
        for id in after(element, "id=\"", '"') {
            owners.entry(id).or_insert(place);
        }
    }
    let mut needed: BTreeSet<usize> =
        (0..elements.len()).filter(|&place| after(elements[place], "id=\"", '"').next().is_none()).collect();
    let mut open: Vec<&str> = references(drawing).collect();
    open.extend(needed.iter().flat_map(|&place| references(elements[place])));
    while let Some(name) = open.pop() {
        if let Some(&place) = owners.get(name)
            && needed.insert(place)
        {
            open.extend(references(elements[place]));
        }
    }
    needed.into_iter().map(|place| elements[place]).collect()
}

/// The names that an element refers to.
fn references(element: &str) -> impl Iterator<Item = &str> {
    after(element, "href=\"#", '"').chain(after(element, "url(#", ')'))
}

/// The parts of a text after each `start`, up to `end`.
fn after<'a>(text: &'a str, start: &'a str, end: char) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| rest.split(end).next())
}

/// The outermost elements, without the text and comments between them.
fn elements(symbols: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut from, mut at) = (0_usize, 0, 0);
    while let Some(next) = symbols[at..].find('<') {
        let open = at + next;
        let tag = &symbols[open..];
        if tag.starts_with("<!--") {
            at = tag.find("-->").map_or(symbols.len(), |end| open + end + 3);
            continue;
        }
        let close = tag.find('>').map_or(symbols.len(), |end| open + end + 1);
        if depth == 0 {
            from = open;
        }
        if tag.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !symbols[open..close].ends_with("/>") {
            depth += 1;
        }
        if depth == 0 {
            found.push(&symbols[from..close]);
        }
        at = close;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYMBOLS: &str = r##"
        <linearGradient id="wood"><stop offset="0"/></linearGradient>
        <!-- <g id="old"/> -->
        <g id="chip"><circle r="9" fill="url(#wood)"/></g>
        <g id="stack"><g><use href="#chip"/></g><path id="edge" d="M0 0"/></g>
        <g id="pawn"><use href="#edge"/></g>
        <g id="tile"/>
    "##;

    #[test]
    fn symbols_bring_those_that_they_use() {
        let ids = |drawing| after(&used(SYMBOLS, drawing), "id=\"", '"').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(ids(r##"<use href="#stack"/>"##), ["wood", "chip", "stack", "edge"]);
        assert_eq!(ids(r##"<use href="#pawn"/>"##), ["wood", "chip", "stack", "edge", "pawn"]);
        assert_eq!(ids(r##"<use href="#tile"/><use href="#unknown"/>"##), ["tile"]);
        assert!(ids("<rect/>").is_empty());
    }

    #[test]
    fn elements_are_whole() {
        assert_eq!(elements(SYMBOLS).len(), 5);
        assert!(elements(SYMBOLS).iter().all(|element| element.starts_with('<') && element.ends_with('>')));
    }
}
