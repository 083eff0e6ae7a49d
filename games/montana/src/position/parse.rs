//! Reads the fields of a position text (rules 55, 57).

use tavola_core::notation::{fields, within};
use tavola_core::quote::{quoted, shortened};
use tavola_core::{PositionError, Seat, Text};

use crate::crews::Crew;
use crate::game::Montana;
use crate::map::{Hex, NO_HEX, SlotTile};
use crate::multiset::{GOODS, Goods, WORKERS, Workers};
use crate::position::format::{self, space_name};
use crate::prices::{CitySpace, Space};
use crate::state::{Contractor, Holdings, Stage};
use crate::view::labels;

/// The fields that were well-formed.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) map: Option<Vec<SlotTile>>,
    /// The start hex, or [`NO_HEX`].
    pub(crate) start: Option<Hex>,
    pub(crate) settlements: Option<Vec<(Hex, Seat, u8)>>,
    pub(crate) supply: Option<Supply>,
    pub(crate) seats: Option<Vec<Holdings>>,
    pub(crate) board: Option<Board>,
    pub(crate) contractors: Option<Vec<Contractor>>,
    pub(crate) round: Option<u8>,
    /// The seat, and whether it is an extra turn.
    pub(crate) turn: Option<(Seat, bool)>,
    pub(crate) stage: Option<Stage>,
}

/// The supply, before its numbers are checked.
#[derive(Debug)]
pub(crate) struct Supply {
    pub(crate) goods: [u32; 6],
    pub(crate) workers: [u32; 4],
    pub(crate) cows: u32,
}

/// The crews on the work board.
#[derive(Debug, Default)]
pub(crate) struct Board {
    pub(crate) bank: [Crew; 4],
    pub(crate) left: [Crew; 12],
    pub(crate) right: [Crew; 12],
}

/// Reads each field by itself.
///
/// # Errors
/// [`PositionError`] for another number of fields. Faults inside a field are in the second value.
pub(crate) fn fields_of(game: &Montana, text: &str) -> Result<(Fields, PositionError), PositionError> {
    let [options, map, start, settlements, supply, seats, board, contractors, round, turn, stage] = fields(text)?;
    let mut faults = PositionError::default();
    let parser = FieldParser { game };
    faults.note("field.options", parser.options(options));
    let fields = Fields {
        map: faults.note("field.map", parser.map(map)),
        start: faults.note("field.start", parser.start(start)),
        settlements: faults.note("field.settlements", parser.settlements(settlements)),
        supply: faults.note("field.supply", read_supply(supply)),
        seats: faults.note("field.seats", parser.seats(seats)),
        board: faults.note("field.board", parser.board(board)),
        contractors: faults.note("field.contractors", parser.contractors(contractors)),
        round: faults.note("field.round", parser.round(round)),
        turn: faults.note("field.turn", parser.turn(turn)),
        stage: faults.note("field.stage", parser.stage(stage)),
    };
    Ok((fields, faults))
}

/// A decimal number without leading zeros.
fn number(text: &str) -> Result<u32, Text> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let short = !text.is_empty() && text.len() <= 4;
    text.parse().ok().filter(|_| plain && short).ok_or_else(|| Text::quoting("fault.number", text))
}

/// Splits a field at slashes and checks the number of items.
fn items<'a>(text: &'a str, wanted: usize) -> Result<Vec<&'a str>, Text> {
    let items: Vec<&'a str> = text.split('/').collect();
    if items.len() == wanted {
        Ok(items)
    } else {
        Err(Text::new("fault.items").with("count", items.len()).with("wanted", wanted))
    }
}

fn goods(text: &str) -> Result<Goods, Text> {
    let letters = if text == "-" { Some("") } else { Some(text).filter(|text| !text.is_empty()) };
    letters.and_then(Goods::parse).ok_or_else(|| Text::quoting("fault.goods", text))
}

fn workers(text: &str) -> Result<Workers, Text> {
    let letters = if text == "-" { Some("") } else { Some(text).filter(|text| !text.is_empty()) };
    letters.and_then(Workers::parse).ok_or_else(|| Text::quoting("fault.workers", text))
}

/// Parses a count after each letter: `n18k18y18o18`.
fn counts<const N: usize>(text: &str, letters: [char; N]) -> Result<[u32; N], Text> {
    let mut counts = [0; N];
    let mut rest = text;
    for (place, letter) in letters.into_iter().enumerate() {
        rest = rest.strip_prefix(letter).ok_or_else(|| Text::quoting("fault.letter", text).with("letter", letter))?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        counts[place] = number(&rest[..digits])?;
        rest = &rest[digits..];
    }
    if rest.is_empty() { Ok(counts) } else { Err(Text::quoting("fault.rest", rest)) }
}

fn read_supply(text: &str) -> Result<Supply, Text> {
    let items = items(text, 3)?;
    Ok(Supply { goods: counts(items[0], GOODS)?, workers: counts(items[1], WORKERS)?, cows: number(items[2])? })
}

struct FieldParser<'a> {
    game: &'a Montana,
}

impl FieldParser<'_> {
    fn options(&self, text: &str) -> Result<(), Text> {
        let own = format::options(self.game);
        let seats = text.as_bytes().first().is_some_and(|seats| (b'2'..=b'4').contains(seats));
        let known = seats && ["/shift", "/second", "/shift/any", "/second/any"].contains(&&text[1..]);
        match text {
            _ if text == own => Ok(()),
            _ if known => Err(Text::new("fault.options.other").with("text", text).with("own", own.as_str())),
            _ => Err(Text::quoting("fault.options", text).with("own", own.as_str())),
        }
    }

    fn map(&self, text: &str) -> Result<Vec<SlotTile>, Text> {
        let mut slots: Vec<SlotTile> = Vec::new();
        for item in items(text, self.game.map.slots.into())? {
            let laid = self.slot(item)?;
            let last = slots.last().copied();
            if laid != SlotTile::NOTHING && last.is_some_and(|last| last.turn().is_none()) {
                return Err(Text::new("fault.slot").with("tile", item));
            }
            if laid != SlotTile::NOTHING && slots.iter().any(|other| other.tile() == laid.tile()) {
                return Err(Text::new("fault.tile.twice").with("tile", item));
            }
            slots.push(laid);
        }
        Ok(slots)
    }

    fn slot(&self, item: &str) -> Result<SlotTile, Text> {
        if item == "-" {
            return Ok(SlotTile::NOTHING);
        }
        let mut tiles = (0..).zip(&self.game.components.tiles);
        let (tile, rest) = tiles
            .find_map(|(tile, data)| Some((tile, item.strip_prefix(data.name.as_str())?)))
            .ok_or_else(|| Text::quoting("fault.tile", item))?;
        let turn = |text: &str| number(text.strip_prefix('r')?).ok().filter(|&turn| turn < 6);
        match rest {
            "" => Ok(SlotTile::drawn(tile)),
            _ => turn(rest)
                .map(|turn| SlotTile::drawn(tile).turned(turn as u8))
                .ok_or_else(|| Text::quoting("fault.tile.turn", item)),
        }
    }

    fn start(&self, text: &str) -> Result<Hex, Text> {
        if text == "-" {
            return Ok(NO_HEX);
        }
        self.game.map.parse(text).ok_or_else(|| Text::quoting("fault.hex", text))
    }

    fn settlements(&self, text: &str) -> Result<Vec<(Hex, Seat, u8)>, Text> {
        let mut settlements = Vec::new();
        if text == "-" {
            return Ok(settlements);
        }
        let mut last = None;
        for item in text.split('/') {
            let (hex, rest) = item.split_once('=').ok_or_else(|| Text::quoting("fault.settlement", item))?;
            let (seat, tiles) = rest.split_once('x').ok_or_else(|| Text::quoting("fault.settlement", item))?;
            let hex = self.game.map.parse(hex).ok_or_else(|| Text::quoting("fault.hex", hex))?;
            let seat = self.seat(seat)?;
            let tiles = number(tiles)?;
            if !(1..=3).contains(&tiles) {
                return Err(within(item, Text::new("fault.settlement.tiles")));
            }
            let place = self.game.map.coordinates[usize::from(hex)];
            if last.is_some_and(|last| last >= place) {
                return Err(Text::new("fault.settlement.order").with("item", item));
            }
            last = Some(place);
            settlements.push((hex, seat, tiles as u8));
        }
        Ok(settlements)
    }

    fn seat(&self, text: &str) -> Result<Seat, Text> {
        let seat = number(text).ok().filter(|&seat| seat < u32::from(self.game.seats));
        seat.map(|seat| seat as Seat).ok_or_else(|| Text::quoting("fault.seat", text))
    }

    fn seats(&self, text: &str) -> Result<Vec<Holdings>, Text> {
        items(text, self.game.seat_count())?.into_iter().map(holdings).collect()
    }

    fn board(&self, text: &str) -> Result<Board, Text> {
        let mut board = Board::default();
        for (place, item) in items(text, 5)?.into_iter().enumerate() {
            let spaces: Vec<&str> = item.split(',').collect();
            let wanted = if place == 0 { 4 } else { 3 };
            if spaces.len() != wanted {
                return Err(Text::quoting("fault.spaces", item).with("count", spaces.len()).with("wanted", wanted));
            }
            for (number, text) in spaces.into_iter().enumerate() {
                if place == 0 {
                    board.bank[number] = self.bank_crew(number, text)?;
                } else {
                    let space = (place - 1) * 3 + number;
                    (board.left[space], board.right[space]) = self.crews(place - 1, text)?;
                }
            }
        }
        Ok(board)
    }

    fn bank_crew(&self, space: usize, text: &str) -> Result<Crew, Text> {
        let crew = workers(text)?;
        let (wanted, _) = self.game.components.prices.bank[space];
        let fits = [0, wanted].contains(&crew.total());
        let found = self.game.tables.crew(crew).filter(|_| fits);
        found.ok_or_else(|| {
            let fault = Text::new("fault.bank").with("space", space + 1).with("wanted", wanted);
            fault.with("crew", &*shortened(text))
        })
    }

    /// Parses the crews on both sides of a space.
    fn crews(&self, place: usize, text: &str) -> Result<(Crew, Crew), Text> {
        let crew = |text: &str| {
            let crew = workers(text)?;
            let own = Workers::some(place, 1);
            let fits = crew == own || crew.total() == 2 || crew == Workers::NONE;
            let found = self.game.tables.crew(crew).filter(|_| fits);
            found.ok_or_else(|| {
                Text::new("fault.crew").with("crew", &*shortened(text)).with("place", labels::place(place as u8))
            })
        };
        match text.split_once('+') {
            None => Ok((crew(text)?, 0)),
            Some((left, right)) if left != "-" && right != "-" => Ok((crew(left)?, crew(right)?)),
            Some(_) => Err(within(quoted(text), Text::new("fault.right"))),
        }
    }

    fn contractors(&self, text: &str) -> Result<Vec<Contractor>, Text> {
        items(text, self.game.seat_count())?.into_iter().map(|item| self.contractor(item)).collect()
    }

    fn contractor(&self, text: &str) -> Result<Contractor, Text> {
        let space = |city_space: &CitySpace| {
            let (row, price) = self.game.city_space(*city_space);
            text == format!("{}.{price}", row + 1)
        };
        match text {
            "-" => Ok(Contractor::Home),
            "p" => Ok(Contractor::Passed),
            _ => (0..16).find(space).map(Contractor::At).ok_or_else(|| Text::quoting("fault.city", text)),
        }
    }

    fn round(&self, text: &str) -> Result<u8, Text> {
        let limit = self.game.components.round_limit;
        let round = number(text)?;
        if round <= u32::from(limit) {
            Ok(round as u8)
        } else {
            Err(Text::new("fault.round").with("round", round).with("limit", limit))
        }
    }

    fn turn(&self, text: &str) -> Result<(Seat, bool), Text> {
        match text.strip_suffix('+') {
            Some(seat) => Ok((self.seat(seat)?, true)),
            None => Ok((self.seat(text)?, false)),
        }
    }

    fn stage(&self, text: &str) -> Result<Stage, Text> {
        let unknown = || Text::quoting("fault.stage", text);
        let below =
            |text: &str, bound: u32| number(text).ok().filter(|&number| number < bound).map(|number| number as u8);
        let Some((word, detail)) = text.split_once(':') else {
            return match text {
                "tile" => Ok(Stage::Tile),
                "rot" => Ok(Stage::Rot),
                "start" => Ok(Stage::Start),
                "spin" => Ok(Stage::Spin),
                "main" => Ok(Stage::Main),
                "end" => Ok(Stage::End),
                "over" => Ok(Stage::Over),
                _ => Err(unknown()),
            };
        };
        let seat = || below(detail, self.game.seats.into());
        let stage = match word {
            "shift" => below(detail, 8).map(Stage::Shift),
            "hire" => match detail.split_once(',').filter(|_| self.game.second) {
                None => below(detail, 8).map(|segment| Stage::Hire(segment, None)),
                Some((spun, second)) => below(spun, 8)
                    .zip(below(second, 8))
                    .filter(|(spun, second)| spun != second)
                    .map(|(spun, second)| Stage::Hire(spun, Some(second))),
            },
            "extra" => (0..12 as Space).find(|&space| space_name(space) == detail).map(Stage::Extra),
            "build" => {
                below(detail, self.game.components.max_sites.into()).filter(|&sites| sites > 0).map(Stage::Build)
            }
            "bid" => seat().map(Stage::Bid),
            "reward" => seat().map(Stage::Reward),
            _ => None,
        };
        stage.ok_or_else(unknown)
    }
}

fn holdings(text: &str) -> Result<Holdings, Text> {
    let parts: Vec<&str> = text.split(':').collect();
    let &[silver, crew, things, cows, canteens] = parts.as_slice() else {
        return Err(Text::quoting("fault.holdings", text));
    };
    let small = |text: &str| u8::try_from(number(text)?).map_err(|_| Text::new("fault.many").with("count", text));
    Ok(Holdings {
        goods: goods(things)?,
        workers: workers(crew)?,
        silver: number(silver)?,
        cows: small(cows)?,
        canteens: small(canteens)?,
        tiles: 0,
    })
}
