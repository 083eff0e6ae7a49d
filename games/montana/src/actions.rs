//! Actions: all tokens of seats in ASCII order, and the effect of each (rules 49, 50, 54).
//!
//! An action is the rank of its token. Only the names of hexes depend on the map. `build@` has [`MOST_HEXES`] numbers,
//! one for each hex of the largest map. Hexes are numbered in the order of their names. Chance outcomes follow.

use std::collections::HashMap;
use std::sync::LazyLock;

use tavola_core::SmolStr;

use crate::components::COMPONENTS;
use crate::crews::{self, CREWS, Crew, CrewTables, clipped, may_work, multisets};
use crate::map::{Hex, MOST_HEXES};
use crate::multiset::{COPPER, GOODS, GRAIN, Goods, STONE, WORKERS, Workers};
use crate::prices::{COLOURS, CitySpace, CowTrade, PLACES, Purchases, Space, by_small_goods, may_swap};

/// An action or a chance outcome, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub(crate) u16);

/// The effect of an action.
// With an explicit tag, as [`Stage`](crate::state::Stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum ActionKind {
    /// Spin the wheel.
    Recruit,
    /// Pay this much grain at the wheel.
    Shift(u8),
    /// Choose the colours of the white workers.
    Hire(Crew),
    /// Return the workers above the limit.
    Return(Crew),
    /// Place a crew on a space of the bank, 0 to 3.
    Bank(u8, Crew),
    /// Place a crew on the left side.
    Work(Space, Crew),
    /// Place a crew on the right side.
    Extra(Crew),
    City,
    Bid(CitySpace),
    Pass,
    /// Take three goods.
    Take(Goods),
    /// Upgrade these small goods.
    Swap(Goods),
    Build(Hex),
    /// Trade a cow.
    Cow(CowTrade),
    End,
    Canteen,
    /// Chance: a map tile.
    Tile(u8),
    /// Chance: the rotation of the tile.
    Turn(u8),
    /// Chance: the start hex.
    Start(Hex),
    /// Chance: the segment of the wheel.
    Spin(u8),
}

/// The number of words with one bit for each action of a seat.
pub(crate) const WORDS: usize = 8;

/// A set of seat actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ActionSet(pub(crate) [u64; WORDS]);

impl ActionSet {
    pub(crate) const EMPTY: Self = Self([0; WORDS]);

    #[inline]
    pub(crate) const fn insert(&mut self, Action(index): Action) {
        self.0[index as usize >> 6] |= 1 << (index & 63);
    }

    #[inline]
    pub(crate) fn contains(&self, Action(index): Action) -> bool {
        self.0.get(usize::from(index >> 6)).is_some_and(|word| word >> (index & 63) & 1 == 1)
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    #[inline]
    pub(crate) fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
    }

    /// Adds the actions whose bits are set, counted from `first`.
    #[inline]
    pub(crate) fn add_bits(&mut self, first: u16, bits: u128) {
        let (word, shift) = (usize::from(first >> 6), first & 63);
        self.0[word] |= (bits << shift) as u64;
        self.0[word + 1] |= (bits >> (64 - shift)) as u64;
        if shift > 0 {
            self.0[word + 2] |= (bits >> (128 - shift)) as u64;
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the action with this rank in the set.
    #[inline]
    pub(crate) fn nth(&self, mut rank: u32) -> Action {
        for (place, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if rank < count {
                let mut word = word;
                for _ in 0..rank {
                    word &= word - 1;
                }
                return Action((place as u32 * 64 + word.trailing_zeros()) as u16);
            }
            rank -= count;
        }
        unreachable!("the rank is below the number of actions")
    }

    /// Iterates over the actions in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Action> {
        self.0.into_iter().enumerate().flat_map(|(place, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                (left != 0).then(|| {
                    left &= left - 1;
                    Action((place as u32 * 64 + bit) as u16)
                })
            })
        })
    }
}

/// Precomputed tables of all actions.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The workers of each crew.
    pub(crate) crews: [Workers; CREWS],
    /// The effect of each action: seat actions in their order, then chance outcomes.
    pub(crate) kinds: Vec<ActionKind>,
    /// The action of each kind.
    numbers: HashMap<ActionKind, Action>,
    /// The token of each action, without its hex.
    pub(crate) tokens: Vec<SmolStr>,
    /// The number of seat actions.
    pub(crate) count: u16,
    pub(crate) recruit: Action,
    pub(crate) city: Action,
    pub(crate) end: Action,
    pub(crate) canteen: Action,
    pub(crate) pass: Action,
    /// The first `build@`. The others follow.
    pub(crate) build: u16,
    /// By grain paid.
    pub(crate) shifts: [Action; 8],
    pub(crate) bids: [Action; 16],
    /// All cow trades.
    pub(crate) cows: ActionSet,
    /// All triples of goods.
    pub(crate) takes: ActionSet,
    /// By small copper and small stone, each up to 3, and the upgrades allowed.
    pub(crate) swaps: [[[ActionSet; 4]; 4]; 4],
    /// The `hire` actions by their number of workers.
    pub(crate) hires: [ActionSet; 5],
    /// The `return` actions by their number of workers.
    pub(crate) returns: [ActionSet; 5],
    /// The actions of each bank space.
    pub(crate) banks: [ActionSet; 4],
    /// The actions of each production space.
    pub(crate) works: [ActionSet; 12],
    /// The `extra` actions of each place of production.
    pub(crate) extras: [ActionSet; COLOURS],
    /// One worker of the own colour on the left side of each space, and on the right side of each place.
    pub(crate) own_works: [Action; 12],
    pub(crate) own_extras: [Action; COLOURS],
    /// The trade of a cow for the small piece of each good.
    pub(crate) cow_goods: [Action; 6],
    /// The actions that these workers allow, by workers (see [`clipped`]).
    fits: Vec<ActionSet>,
    pub(crate) crew_sets: CrewTables,
    pub(crate) purchases: Purchases,
    /// The first chance outcome of each kind.
    pub(crate) tile: u16,
    pub(crate) turn: u16,
    pub(crate) start: u16,
    pub(crate) spin: u16,
}

/// The tables, built at first use.
pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let mut crews: Vec<String> = (1..=4).flat_map(|size| multisets(&WORKERS, size)).collect();
        crews.sort_unstable();
        crews.insert(0, String::new());
        let multiset = |text: &str| Workers::parse(text).expect("letters of workers");
        let crew_bags: [Workers; CREWS] = std::array::from_fn(|crew| multiset(&crews[crew]));

        let mut all = seat_tokens(&crews, &crew_bags);
        all.sort_by(|(one, hex, _), (other, second, _)| (one, hex).cmp(&(other, second)));
        let count = all.len() as u16;
        assert!(usize::from(count) <= 64 * WORDS);
        all.extend(chance_tokens());
        let (tokens, kinds): (Vec<SmolStr>, Vec<ActionKind>) =
            all.into_iter().map(|(token, _, kind)| (token.into(), kind)).unzip();

        let of_seats = &kinds[..usize::from(count)];
        let numbers: HashMap<ActionKind, Action> = kinds.iter().copied().zip((0..).map(Action)).collect();
        let find = |wanted: ActionKind| numbers[&wanted];
        let set = |wanted: &dyn Fn(ActionKind) -> bool| {
            let mut set = ActionSet::EMPTY;
            (0..count)
                .filter(|&index| wanted(of_seats[usize::from(index)]))
                .for_each(|index| set.insert(Action(index)));
            set
        };
        let one = |lane: usize| {
            crews.iter().position(|crew| *crew == WORKERS[lane].to_string()).expect("a crew of one") as Crew
        };
        let size = |crew: Crew| usize::from(crew_bags[usize::from(crew)].total());
        let goods_of =
            |goods: fn(ActionKind) -> Option<Goods>| of_seats.iter().filter_map(|&kind| goods(kind)).collect();
        let purchases = Purchases::new(
            &COMPONENTS.prices,
            of_seats
                .iter()
                .filter_map(|&kind| if let ActionKind::Cow(trade) = kind { Some(trade) } else { None })
                .collect(),
            goods_of(|kind| if let ActionKind::Take(goods) = kind { Some(goods) } else { None }),
            goods_of(|kind| if let ActionKind::Swap(goods) = kind { Some(goods) } else { None }),
        );
        let fits = crews::all()
            .map(|held| set(&|kind| kind.crew().is_some_and(|crew| held.holds(crew_bags[usize::from(crew)]))));
        Self {
            crews: crew_bags,
            count,
            recruit: find(ActionKind::Recruit),
            city: find(ActionKind::City),
            end: find(ActionKind::End),
            canteen: find(ActionKind::Canteen),
            pass: find(ActionKind::Pass),
            build: find(ActionKind::Build(0)).0,
            shifts: std::array::from_fn(|grain| find(ActionKind::Shift(grain as u8))),
            bids: std::array::from_fn(|city_space| find(ActionKind::Bid(city_space as CitySpace))),
            cows: set(&|kind| matches!(kind, ActionKind::Cow(_))),
            takes: set(&|kind| matches!(kind, ActionKind::Take(_))),
            swaps: by_small_goods(|held, most| {
                set(&|kind| matches!(kind, ActionKind::Swap(goods) if may_swap(held, most, goods)))
            }),
            purchases,
            crew_sets: CrewTables::new(&crew_bags),
            hires: std::array::from_fn(|wanted| {
                set(&|kind| matches!(kind, ActionKind::Hire(crew) if size(crew) == wanted))
            }),
            returns: std::array::from_fn(|wanted| {
                set(&|kind| matches!(kind, ActionKind::Return(crew) if size(crew) == wanted))
            }),
            banks: std::array::from_fn(|space| {
                set(&|kind| matches!(kind, ActionKind::Bank(known, _) if usize::from(known) == space))
            }),
            works: std::array::from_fn(|space| {
                set(&|kind| matches!(kind, ActionKind::Work(known, _) if usize::from(known) == space))
            }),
            extras: std::array::from_fn(|place| {
                set(&|kind| matches!(kind, ActionKind::Extra(crew) if may_work(crew_bags[usize::from(crew)], place)))
            }),
            own_works: std::array::from_fn(|space| find(ActionKind::Work(space as Space, one(space / 3)))),
            own_extras: std::array::from_fn(|place| find(ActionKind::Extra(one(place)))),
            cow_goods: [0, 0, 2, 2, 4, 5].map(|lane| find(ActionKind::Cow(CowTrade::Good(lane)))),
            fits: fits.collect(),
            tile: find(ActionKind::Tile(0)).0,
            turn: find(ActionKind::Turn(0)).0,
            start: find(ActionKind::Start(0)).0,
            spin: find(ActionKind::Spin(0)).0,
            numbers,
            tokens,
            kinds,
        }
    }

    #[inline]
    pub(crate) fn kind(&self, action: Action) -> ActionKind {
        self.kinds[usize::from(action.0)]
    }

    /// Returns the action of a kind.
    pub(crate) fn action(&self, kind: ActionKind) -> Action {
        self.numbers[&kind]
    }

    /// Returns the crew of these workers.
    pub(crate) fn crew(&self, workers: Workers) -> Option<Crew> {
        self.crews.iter().position(|&known| known == workers).map(|crew| crew as Crew)
    }

    /// Returns the actions that these workers allow.
    #[inline]
    pub(crate) fn fitting(&self, workers: Workers) -> &ActionSet {
        &self.fits[clipped(workers)]
    }
}

impl ActionKind {
    /// Returns the crew that the action uses.
    fn crew(self) -> Option<Crew> {
        match self {
            Self::Bank(_, crew) | Self::Work(_, crew) | Self::Extra(crew) | Self::Return(crew) => Some(crew),
            _ => None,
        }
    }
}

/// A token without its hex, the hex, and the kind of action.
type Entry = (String, u8, ActionKind);

fn seat_tokens(crews: &[String], bags: &[Workers; CREWS]) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    let mut add = |token: String, kind: ActionKind| all.push((token, 0, kind));
    add("recruit".to_owned(), ActionKind::Recruit);
    add("city".to_owned(), ActionKind::City);
    add("end".to_owned(), ActionKind::End);
    add("canteen".to_owned(), ActionKind::Canteen);
    add("pass".to_owned(), ActionKind::Pass);
    for grain in 0..8 {
        add(format!("shift{grain}"), ActionKind::Shift(grain));
    }
    for (crew, (letters, &workers)) in (0..).zip(crews.iter().zip(bags)).skip(1) {
        add(format!("hire:{letters}"), ActionKind::Hire(crew));
        add(format!("return:{letters}"), ActionKind::Return(crew));
        for (space, &(needed, _)) in (0..).zip(&COMPONENTS.prices.bank) {
            if workers.total() == needed {
                add(format!("bank{}:{letters}", space + 1), ActionKind::Bank(space, crew));
            }
        }
        for (place, name) in PLACES.iter().enumerate() {
            if may_work(workers, place) {
                for number in 0..3 {
                    add(format!("{name}{}:{letters}", number + 1), ActionKind::Work(place as u8 * 3 + number, crew));
                }
            }
        }
        if workers.total() <= 2 {
            add(format!("extra:{letters}"), ActionKind::Extra(crew));
        }
    }
    for (row, data) in COMPONENTS.prices.rows.iter().enumerate() {
        for (place, price) in data.prices.iter().enumerate() {
            add(format!("bid{}.{price}", row + 1), ActionKind::Bid((row * 4 + place) as CitySpace));
        }
    }
    let goods = |letters: &str| Goods::parse(letters).expect("letters of goods");
    let small = [GOODS[COPPER], GOODS[STONE], GOODS[GRAIN]];
    let take = COMPONENTS.prices.rows.iter().map(|row| row.take).max().unwrap_or(0);
    for letters in multisets(&small, take.into()) {
        add(format!("take:{letters}"), ActionKind::Take(goods(&letters)));
    }
    add("swap:-".to_owned(), ActionKind::Swap(Goods::NONE));
    for letters in (1..=3).flat_map(|size| multisets(&small[..2], size)) {
        add(format!("swap:{letters}"), ActionKind::Swap(goods(&letters)));
    }
    for letter in [GOODS[0], GOODS[2], GOODS[4], GOODS[5]] {
        add(format!("cow:{letter}"), ActionKind::Cow(CowTrade::Good(Goods::lane(letter).expect("a good") as u8)));
    }
    add("cow:$".to_owned(), ActionKind::Cow(CowTrade::Silver));
    for (lane, letter) in (0..).zip(&WORKERS) {
        add(format!("cow:w{letter}"), ActionKind::Cow(CowTrade::Worker(lane)));
    }
    all.extend((0..MOST_HEXES as u8).map(|hex| ("build@".to_owned(), hex, ActionKind::Build(hex))));
    all
}

fn chance_tokens() -> impl Iterator<Item = Entry> {
    let tiles = (0..).zip(&COMPONENTS.tiles).map(|(tile, data)| (format!("*{}", data.name), 0, ActionKind::Tile(tile)));
    let turns = (0..6).map(|turn| (format!("*r{turn}"), 0, ActionKind::Turn(turn)));
    let starts = (0..MOST_HEXES as u8).map(|hex| ("*@".to_owned(), hex, ActionKind::Start(hex)));
    let spins = (0..8).map(|segment| (format!("*w{segment}"), 0, ActionKind::Spin(segment)));
    tiles.chain(turns).chain(starts).chain(spins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_in_token_order_and_every_kind_has_one() {
        let tables = &*TABLES;
        let seats = usize::from(tables.count);
        assert!(tables.tokens[..seats].windows(2).all(|pair| pair[0] < pair[1] || pair == ["build@", "build@"]));
        for (index, &kind) in tables.kinds.iter().enumerate() {
            assert_eq!(tables.kinds.iter().position(|&other| other == kind), Some(index), "{kind:?}");
        }
    }

    #[test]
    fn add_bits_sets_the_right_bits() {
        for first in [0, 1, 63, 64, 100] {
            for bit in [0, 1, 63, 64, 69] {
                let mut set = ActionSet::EMPTY;
                set.add_bits(first, 1 << bit);
                assert_eq!(set.iter().collect::<Vec<_>>(), [Action(first + bit)]);
                assert_eq!(set.nth(0), Action(first + bit));
            }
        }
    }
}
