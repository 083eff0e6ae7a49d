//! A whole position as a picture: turn, prompt, seats with their counters, board, supply and cards.

use std::fmt::Write;

use super::text::{escape, lines, width};
use super::{Board, Colour, Colours, Notes, Theme, document};
use crate::game::Seat;
use crate::info::Info;
use crate::interned::Shared;
use crate::locale::Locale;
use crate::text::Text;
use crate::view::{Card, Counter, SeatView, View};

/// The contents of a picture and their form.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The position as the viewer sees it.
    pub view: View,
    /// The seat that sees it; `None` for a spectator.
    pub viewer: Option<Seat>,
    /// The game's metadata, with its symbols.
    pub info: &'a Info,
    /// The language.
    pub locale: &'a Locale,
    /// The game's geometry and colours.
    pub theme: Theme,
    /// The source of the colours.
    pub colours: Colours,
    /// The width in pixels.
    pub width: f64,
    /// Additions to the board. Without a title the picture describes the position.
    pub notes: Notes,
}

/// The colours of the page around the board, as in the web client: name, light, dark.
const PAGE_COLOURS: [(&str, &str, &str); 6] = [
    ("table", "#f1e9dc", "#1a1613"),
    ("accent", "#155ec2", "#9cc8ff"),
    ("t-sheet", "#fdfaf4", "#25201b"),
    ("t-line", "#dccfba", "#40372e"),
    ("t-ink", "#2a2017", "#f2e9dc"),
    ("t-soft", "#655443", "#bfb09d"),
];

/// Lengths in pixels.
const MARGIN: f64 = 16.0;
const GAP: f64 = 8.0;
const NARROWEST_SEAT: f64 = 150.0;
const NARROWEST_CARD: f64 = 200.0;
const ROW: f64 = 24.0;

/// The greatest height of the board as a part of the picture's width.
const HIGHEST: f64 = 0.8;

/// Draws a picture.
pub fn picture(mut picture: Picture<'_>) -> String {
    for (name, light, dark) in PAGE_COLOURS {
        let colour = Colour { light: light.to_owned(), dark: dark.to_owned() };
        picture.theme.colours.entry(name.to_owned()).or_insert(colour);
    }
    if picture.viewer.is_none() || picture.viewer != picture.to_act() {
        picture.view.hide_choices();
    }
    let mut page = Page { picture: &picture, svg: String::new(), y: MARGIN };
    page.head();
    page.seats();
    page.board();
    page.supply();
    page.cards();
    let (width, height) = (picture.width, page.y - GAP + MARGIN);
    let drawing = format!(r#"<rect width="{width}" height="{height:.0}" rx="12" fill="var(--table)"/>{}"#, page.svg);
    let title = if picture.notes.title.is_empty() { picture.description() } else { picture.notes.title.clone() };
    let view_box = format!("0 0 {width} {height:.0}");
    let symbols = picture.info.assets.symbols;
    document(&picture.view.game, &drawing, &view_box, width, &title, symbols, &picture.theme, picture.colours)
}

impl Picture<'_> {
    fn to_act(&self) -> Option<Seat> {
        self.view.to_act.and_then(|seat| Seat::try_from(seat).ok())
    }

    fn say(&self, key: &str) -> String {
        self.locale.format(&Text::new(key))
    }

    /// The turn, and the seat that sees it.
    fn turn(&self) -> String {
        let turn = Text::new("picture.turn").with("n", self.view.turn);
        let viewer = self.viewer.and_then(|seat| self.view.seats.get(usize::from(seat)));
        let seen =
            |seat: &SeatView| Text::new("picture.seen").with("turn", turn.clone()).with("seat", seat.name.clone());
        self.locale.format(&viewer.map_or_else(|| turn.clone(), seen))
    }

    /// The question to the seat to act, or the result.
    fn status(&self) -> String {
        self.locale.format(self.view.outcome.as_ref().map_or(&self.view.prompt, |outcome| &outcome.text))
    }

    /// The position in words, for screen readers.
    fn description(&self) -> String {
        let counted = |counters: &[Shared<Counter>]| -> Vec<String> {
            counters.iter().map(|one| format!("{} {}", self.locale.format(&one.label), amount(one))).collect()
        };
        let mut parts = vec![self.say("game.title"), self.turn(), self.status()];
        for seat in &self.view.seats {
            parts.push(format!("{}: {}", self.locale.format(&seat.name), counted(&seat.counters).join(", ")));
        }
        parts.extend(counted(&self.view.supply));
        for card in &self.view.cards {
            parts.push(format!("{}: {}", self.locale.format(&card.title), self.locale.format(&card.text)));
        }
        parts.join("; ")
    }
}

/// A number, with its limit unless it exceeds it.
fn amount(counter: &Counter) -> String {
    match counter.of {
        Some(of) if counter.value <= of => format!("{}/{of}", counter.value),
        _ => counter.value.to_string(),
    }
}

/// The size, weight and colour of a text.
#[derive(Clone, Copy)]
struct Font {
    size: f64,
    bold: bool,
    colour: &'static str,
}

const TITLE: Font = Font { size: 17.0, bold: true, colour: "t-ink" };
const NOTE: Font = Font { size: 14.0, bold: false, colour: "t-soft" };
const NAME: Font = Font { size: 15.0, bold: true, colour: "t-ink" };
const VALUE: Font = Font { size: 14.0, bold: true, colour: "t-ink" };
const LABEL: Font = Font { size: 13.0, bold: false, colour: "t-soft" };
const BADGE: Font = Font { size: 11.5, bold: true, colour: "table" };

impl Font {
    fn width(self, text: &str) -> f64 {
        width(text) * self.size * if self.bold { 1.06 } else { 1.0 }
    }

    fn lines(self, text: &str, most: f64) -> Vec<String> {
        lines(text, most / self.size)
    }
}

/// A picture in the making; everything so far is above `y`.
struct Page<'a> {
    picture: &'a Picture<'a>,
    svg: String,
    y: f64,
}

impl Page<'_> {
    fn inner(&self) -> f64 {
        self.picture.width - 2.0 * MARGIN
    }

    fn text(&mut self, x: f64, y: f64, font: Font, text: &str) {
        let Font { size, bold, colour } = font;
        let weight = if bold { r#" font-weight="700""# } else { "" };
        let text = escape(text);
        // Writing to a String cannot fail.
        let _ = write!(
            self.svg,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}"{weight} fill="var(--{colour})">{text}</text>"#
        );
    }

    /// Writes lines below `y` and returns the end of the last one.
    fn paragraph(&mut self, x: f64, mut y: f64, most: f64, font: Font, text: &str) -> f64 {
        for line in font.lines(text, most) {
            y += font.size * 1.35;
            self.text(x, y - font.size * 0.3, font, &line);
        }
        y
    }

    fn panel(&mut self, x: f64, y: f64, width: f64, height: f64, marked: bool) {
        let (colour, stroke) = if marked { ("accent", 2.5) } else { ("t-line", 1.0) };
        let _ = write!(
            self.svg,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="10" fill="var(--t-sheet)" stroke="var(--{colour})" stroke-width="{stroke}"/>"#
        );
    }

    /// Draws a symbol around a point.
    fn symbol(&mut self, name: &str, x: f64, y: f64, size: f64) {
        let scale = size / 100.0;
        let _ = write!(self.svg, r##"<use href="#{name}" transform="translate({x:.1} {y:.1}) scale({scale:.3})"/>"##);
    }

    /// The game and the turn, and below them the prompt or the result.
    fn head(&mut self) {
        let picture = self.picture;
        let (title, turn) = (picture.say("game.title"), picture.turn());
        self.text(MARGIN, self.y + 15.0, TITLE, &title);
        let room = self.inner() - TITLE.width(&title) - 2.0 * GAP;
        if NOTE.width(&turn) <= room {
            let x = picture.width - MARGIN;
            let turn = escape(&turn);
            let y = self.y + 15.0;
            let _ = write!(
                self.svg,
                r#"<text x="{x:.1}" y="{y:.1}" font-size="{}" text-anchor="end" fill="var(--{})">{turn}</text>"#,
                NOTE.size, NOTE.colour
            );
            self.y += 22.0;
        } else {
            self.y = self.paragraph(MARGIN, self.y + 22.0, self.inner(), NOTE, &turn);
        }
        self.y = self.paragraph(MARGIN, self.y, self.inner(), NOTE, &picture.status()) + GAP;
    }

    fn seats(&mut self) {
        let seats = &self.picture.view.seats;
        let columns = self.columns(seats.len(), NARROWEST_SEAT);
        let width = self.column_width(columns);
        for row in seats.chunks(columns) {
            let height = row.iter().map(|seat| self.seat_height(seat, width)).fold(0.0, f64::max);
            for (place, seat) in row.iter().enumerate() {
                let x = MARGIN + place as f64 * (width + GAP);
                self.seat(seat, x, width, height);
            }
            self.y += height + GAP;
        }
    }

    /// The number of columns for some panels, balanced over the rows.
    fn columns(&self, count: usize, narrowest: f64) -> usize {
        let most = (1..=count).rev().find(|&columns| self.column_width(columns) >= narrowest).unwrap_or(1);
        count.div_ceil(count.div_ceil(most).max(1)).max(1)
    }

    fn column_width(&self, columns: usize) -> f64 {
        (self.inner() + GAP) / columns as f64 - GAP
    }

    fn seat_height(&self, seat: &SeatView, width: f64) -> f64 {
        let rows = self.flow(&seat.counters, width - 52.0);
        let rows = rows.last().map_or(0, |&(_, row, _)| row + 1);
        (32.0 + rows as f64 * ROW).max(56.0)
    }

    fn seat(&mut self, seat: &SeatView, x: f64, width: f64, height: f64) {
        let picture = self.picture;
        let acts = picture.to_act() == Some(seat.seat);
        let won = picture.view.outcome.as_ref().is_some_and(|outcome| outcome.winners.contains(&seat.seat));
        let y = self.y;
        self.panel(x, y, width, height, acts || won);
        self.symbol(&seat.symbol, x + 24.0, y + 28.0, 36.0);
        self.text(x + 46.0, y + 21.0, NAME, &picture.locale.format(&seat.name));
        if acts || won {
            let badge = picture.say(if won { "picture.won" } else { "picture.to-act" });
            let wide = BADGE.width(&badge) + 14.0;
            let left = x + width - wide - 8.0;
            let _ = write!(
                self.svg,
                r#"<rect x="{left:.1}" y="{:.1}" width="{wide:.1}" height="18" rx="9" fill="var(--accent)"/>"#,
                y + 8.0
            );
            self.text(left + 7.0, y + 21.0, BADGE, &badge);
        }
        self.counters(&seat.counters, x + 46.0, y + 30.0, width - 52.0);
    }

    /// The place of each counter in rows of a width: its distance from the left, its row, and whether it has its label.
    fn flow(&self, counters: &[Shared<Counter>], most: f64) -> Vec<(f64, usize, bool)> {
        let all: f64 = counters.iter().map(|counter| self.counter_width(counter, true)).sum();
        // With labels only if they fit into one row.
        let labelled = all - GAP <= most;
        let (mut x, mut row) = (0.0, 0);
        let mut places = Vec::with_capacity(counters.len());
        for counter in counters {
            let labelled = labelled || counter.symbol.is_none();
            let wide = self.counter_width(counter, labelled);
            if x > 0.0 && x + wide - GAP > most {
                (x, row) = (0.0, row + 1);
            }
            places.push((x, row, labelled));
            x += wide;
        }
        places
    }

    fn counter_width(&self, counter: &Counter, labelled: bool) -> f64 {
        let symbol = if counter.symbol.is_some() { 24.0 } else { 0.0 };
        let label = if labelled { LABEL.width(&self.picture.locale.format(&counter.label)) + 6.0 } else { 0.0 };
        symbol + label + VALUE.width(&amount(counter)) + GAP + 2.0
    }

    /// Draws counters and returns the number of their rows.
    fn counters(&mut self, counters: &[Shared<Counter>], x: f64, y: f64, most: f64) -> usize {
        let places = self.flow(counters, most);
        for (counter, &(left, row, labelled)) in counters.iter().zip(&places) {
            let (mut at, base) = (x + left, y + row as f64 * ROW + 16.0);
            if let Some(symbol) = &counter.symbol {
                self.symbol(symbol, at + 10.0, base - 5.0, 20.0);
                at += 24.0;
            }
            let amount = amount(counter);
            self.text(at, base, VALUE, &amount);
            if labelled {
                let label = self.picture.locale.format(&counter.label);
                self.text(at + VALUE.width(&amount) + 4.0, base, LABEL, &label);
            }
        }
        places.last().map_or(0, |&(_, row, _)| row + 1)
    }

    /// The board, as large as the width and the greatest height allow.
    fn board(&mut self) {
        let picture = self.picture;
        let board = Board::draw(&picture.view, &picture.theme, &picture.notes);
        let scale = (self.inner() / board.width).min(picture.width * HIGHEST / board.height).min(1.2);
        let x = (picture.width - board.width * scale) / 2.0 - board.left * scale;
        let y = self.y - board.top * scale;
        let _ = write!(self.svg, r#"<g transform="translate({x:.1} {y:.1}) scale({scale:.4})">{}</g>"#, board.svg);
        self.y += board.height * scale + GAP;
    }

    fn supply(&mut self) {
        let supply = &self.picture.view.supply;
        let rows = self.counters(supply, MARGIN, self.y, self.inner());
        self.y += if rows == 0 { 0.0 } else { rows as f64 * ROW + GAP };
    }

    fn cards(&mut self) {
        let cards = &self.picture.view.cards;
        let columns = self.columns(cards.len(), NARROWEST_CARD);
        let width = self.column_width(columns);
        for row in cards.chunks(columns) {
            let height = row.iter().map(|card| self.card_height(card, width)).fold(0.0, f64::max);
            for (place, card) in row.iter().enumerate() {
                let x = MARGIN + place as f64 * (width + GAP);
                self.panel(x, self.y, width, height, false);
                self.symbol(&card.symbol, x + 40.0, self.y + height / 2.0, 64.0);
                let (title, text) = (self.picture.locale.format(&card.title), self.picture.locale.format(&card.text));
                let y = self.paragraph(x + 80.0, self.y + 8.0, width - 90.0, VALUE, &title);
                self.paragraph(x + 80.0, y, width - 90.0, LABEL, &text);
            }
            self.y += height + GAP;
        }
    }

    fn card_height(&self, card: &Card, width: f64) -> f64 {
        let count = |font: Font, text: &Text| {
            font.lines(&self.picture.locale.format(text), width - 90.0).len() as f64 * font.size * 1.35
        };
        (count(VALUE, &card.title) + count(LABEL, &card.text) + 18.0).max(80.0)
    }
}
