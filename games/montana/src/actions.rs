//! The actions: all tokens of seats in ASCII order, and what each of them does (rules 49, 50, 54).
//!
//! An action is the rank of its token. Only the names of hexes depend on the map: `build@` has [`MOST_HEXES`] numbers,
//! one per hex of the largest map, and a hex is numbered by the order of its name. The outcomes of chance come after.

use std::collections::HashMap;
use std::sync::LazyLock;

use tavola_core::SmolStr;

use crate::bag::{COPPER, GOODS, GRAIN, Goods, STONE, WORKERS, Workers};
use crate::data::{COLOURS, DATA, PLACES};
use crate::hands::{self, Hands, clipped, may_work};
use crate::land::{Hex, MOST_HEXES};
use crate::lots::{Lots, by_small_goods, may_swap};

/// An action or an outcome of chance, numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub(crate) u16);

/// A multiset of one to four workers, by the ASCII order of its letters; 0 is none.
pub(crate) type Crew = u8;

/// How many different crews there are, none included.
pub(crate) const CREWS: usize = 70;

/// A space of production: three times its place, plus 0, 1, 2.
pub(crate) type Space = u8;

/// A space of the city: four times its row, plus the place of its price; both from 0.
pub(crate) type Stall = u8;

/// What an action does.
// A tag of its own, as of [`Stage`](crate::state::Stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Deed {
    /// The wheel is to be spun.
    Recruit,
    /// So much grain moves the arrow on.
    Shift(u8),
    /// The colours of the whites.
    Hire(Crew),
    /// Too many workers.
    Return(Crew),
    /// A crew on a space of the bank, 0 to 3.
    Bank(u8, Crew),
    /// A crew on the left side.
    Work(Space, Crew),
    /// A crew on the right side.
    Extra(Crew),
    City,
    Bid(Stall),
    Pass,
    /// Three goods.
    Take(Goods),
    /// The small goods given for large ones.
    Swap(Goods),
    Build(Hex),
    /// A cow for something else.
    Cow(Barter),
    End,
    Canteen,
    /// Chance: a tile of the landscape.
    Tile(u8),
    /// Chance: its turn.
    Turn(u8),
    /// Chance: the start hex.
    Start(Hex),
    /// Chance: the segment of the wheel.
    Spin(u8),
}

/// What a cow is traded for: small goods and workers by their lanes.
// In two bytes: a deed that holds more is slower to hand on, a tenth of the time of random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Barter {
    Good(u8),
    Silver,
    Worker(u8),
}

/// How many words hold a bit for each action of seats.
pub(crate) const WORDS: usize = 8;

/// A set of actions of seats.
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

    /// Adds the actions from a number on whose bits are set.
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

    /// The action of a rank in the set.
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

    /// The actions in their order.
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

/// Everything about actions that can be known beforehand.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The workers of each crew.
    pub(crate) crews: [Workers; CREWS],
    /// What each action does: those of seats in their order, then those of chance.
    pub(crate) deeds: Vec<Deed>,
    /// The action of each deed.
    numbers: HashMap<Deed, Action>,
    /// The tokens of the same; a hex is left out.
    pub(crate) tokens: Vec<SmolStr>,
    /// How many actions seats have.
    pub(crate) count: u16,
    pub(crate) recruit: Action,
    pub(crate) city: Action,
    pub(crate) end: Action,
    pub(crate) canteen: Action,
    pub(crate) pass: Action,
    /// The first `build@`; the others follow.
    pub(crate) build: u16,
    /// By segments moved on.
    pub(crate) shifts: [Action; 8],
    pub(crate) bids: [Action; 16],
    /// All trades of a cow.
    pub(crate) cows: ActionSet,
    /// All triples of goods.
    pub(crate) takes: ActionSet,
    /// By how much small copper and small stone there is, each up to 3, and how much may be given at most.
    pub(crate) swaps: [[[ActionSet; 4]; 4]; 4],
    /// By the number of workers, each the `hire` actions of so many.
    pub(crate) hires: [ActionSet; 5],
    /// Likewise the `return` actions.
    pub(crate) returns: [ActionSet; 5],
    /// By the space of the bank.
    pub(crate) banks: [ActionSet; 4],
    /// By the space of production.
    pub(crate) works: [ActionSet; 12],
    /// By the place of production.
    pub(crate) extras: [ActionSet; COLOURS],
    /// By the space of production, one worker of its own colour on the left; by the place, one on the right.
    pub(crate) own_works: [Action; 12],
    pub(crate) own_extras: [Action; COLOURS],
    /// By the lane of a good, a cow for the small one of its kind.
    pub(crate) cow_goods: [Action; 6],
    /// By workers (see [`clipped`]), the actions whose crews are among them.
    fits: Vec<ActionSet>,
    pub(crate) hands: Hands,
    pub(crate) lots: Lots,
    /// The first outcomes of chance.
    pub(crate) tile: u16,
    pub(crate) turn: u16,
    pub(crate) start: u16,
    pub(crate) spin: u16,
}

/// The actions' tables, made at first use.
pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// All multisets of so many letters, written in the fixed order.
fn multisets(letters: &[char], size: usize) -> Vec<String> {
    if size == 0 {
        return vec![String::new()];
    }
    let heads = letters.iter().enumerate();
    heads
        .flat_map(|(place, head)| {
            multisets(&letters[place..], size - 1).into_iter().map(move |tail| format!("{head}{tail}"))
        })
        .collect()
}

impl Tables {
    fn new() -> Self {
        let mut crews: Vec<String> = (1..=4).flat_map(|size| multisets(&WORKERS, size)).collect();
        crews.sort_unstable();
        crews.insert(0, String::new());
        let bag = |text: &str| Workers::parse(text).expect("letters of workers");
        let crew_bags: [Workers; CREWS] = std::array::from_fn(|crew| bag(&crews[crew]));

        let mut all = seat_tokens(&crews, &crew_bags);
        all.sort_by(|(one, hex, _), (other, second, _)| (one, hex).cmp(&(other, second)));
        let count = all.len() as u16;
        assert!(usize::from(count) <= 64 * WORDS);
        all.extend(chance_tokens());
        let (tokens, deeds): (Vec<SmolStr>, Vec<Deed>) =
            all.into_iter().map(|(token, _, deed)| (token.into(), deed)).unzip();

        let of_seats = &deeds[..usize::from(count)];
        let numbers: HashMap<Deed, Action> = deeds.iter().copied().zip((0..).map(Action)).collect();
        let find = |wanted: Deed| numbers[&wanted];
        let set = |wanted: &dyn Fn(Deed) -> bool| {
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
        let fits = hands::all()
            .map(|held| set(&|deed| deed.crew().is_some_and(|crew| held.holds(crew_bags[usize::from(crew)]))));
        Self {
            crews: crew_bags,
            count,
            recruit: find(Deed::Recruit),
            city: find(Deed::City),
            end: find(Deed::End),
            canteen: find(Deed::Canteen),
            pass: find(Deed::Pass),
            build: find(Deed::Build(0)).0,
            shifts: std::array::from_fn(|grain| find(Deed::Shift(grain as u8))),
            bids: std::array::from_fn(|stall| find(Deed::Bid(stall as Stall))),
            cows: set(&|deed| matches!(deed, Deed::Cow(_))),
            takes: set(&|deed| matches!(deed, Deed::Take(_))),
            swaps: by_small_goods(|held, most| {
                set(&|deed| matches!(deed, Deed::Swap(goods) if may_swap(held, most, goods)))
            }),
            lots: Lots::new(of_seats),
            hands: Hands::new(&crew_bags),
            hires: std::array::from_fn(|wanted| set(&|deed| matches!(deed, Deed::Hire(crew) if size(crew) == wanted))),
            returns: std::array::from_fn(|wanted| {
                set(&|deed| matches!(deed, Deed::Return(crew) if size(crew) == wanted))
            }),
            banks: std::array::from_fn(|space| {
                set(&|deed| matches!(deed, Deed::Bank(known, _) if usize::from(known) == space))
            }),
            works: std::array::from_fn(|space| {
                set(&|deed| matches!(deed, Deed::Work(known, _) if usize::from(known) == space))
            }),
            extras: std::array::from_fn(|place| {
                set(&|deed| matches!(deed, Deed::Extra(crew) if may_work(crew_bags[usize::from(crew)], place)))
            }),
            own_works: std::array::from_fn(|space| find(Deed::Work(space as Space, one(space / 3)))),
            own_extras: std::array::from_fn(|place| find(Deed::Extra(one(place)))),
            cow_goods: [0, 0, 2, 2, 4, 5].map(|lane| find(Deed::Cow(Barter::Good(lane)))),
            fits: fits.collect(),
            tile: find(Deed::Tile(0)).0,
            turn: find(Deed::Turn(0)).0,
            start: find(Deed::Start(0)).0,
            spin: find(Deed::Spin(0)).0,
            numbers,
            tokens,
            deeds,
        }
    }

    #[inline]
    pub(crate) fn deed(&self, action: Action) -> Deed {
        self.deeds[usize::from(action.0)]
    }

    /// The action that does something.
    pub(crate) fn action(&self, deed: Deed) -> Action {
        self.numbers[&deed]
    }

    /// The crew of these workers.
    pub(crate) fn crew(&self, workers: Workers) -> Option<Crew> {
        self.crews.iter().position(|&known| known == workers).map(|crew| crew as Crew)
    }

    /// The actions whose crews are among these workers.
    #[inline]
    pub(crate) fn fitting(&self, workers: Workers) -> &ActionSet {
        &self.fits[clipped(workers)]
    }
}

impl Deed {
    /// The workers that the seat gives for it.
    fn crew(self) -> Option<Crew> {
        match self {
            Self::Bank(_, crew) | Self::Work(_, crew) | Self::Extra(crew) | Self::Return(crew) => Some(crew),
            _ => None,
        }
    }
}

/// A token, its place among those that share it (a hex is left out), and its deed.
type Entry = (String, u8, Deed);

fn seat_tokens(crews: &[String], bags: &[Workers; CREWS]) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    let mut add = |token: String, deed: Deed| all.push((token, 0, deed));
    add("recruit".to_owned(), Deed::Recruit);
    add("city".to_owned(), Deed::City);
    add("end".to_owned(), Deed::End);
    add("canteen".to_owned(), Deed::Canteen);
    add("pass".to_owned(), Deed::Pass);
    for grain in 0..8 {
        add(format!("shift{grain}"), Deed::Shift(grain));
    }
    for (crew, (letters, &workers)) in (0..).zip(crews.iter().zip(bags)).skip(1) {
        add(format!("hire:{letters}"), Deed::Hire(crew));
        add(format!("return:{letters}"), Deed::Return(crew));
        for (space, &(needed, _)) in (0..).zip(&DATA.bank) {
            if workers.total() == needed {
                add(format!("bank{}:{letters}", space + 1), Deed::Bank(space, crew));
            }
        }
        for (place, name) in PLACES.iter().enumerate() {
            if may_work(workers, place) {
                for number in 0..3 {
                    add(format!("{name}{}:{letters}", number + 1), Deed::Work(place as u8 * 3 + number, crew));
                }
            }
        }
        if workers.total() <= 2 {
            add(format!("extra:{letters}"), Deed::Extra(crew));
        }
    }
    for (row, data) in DATA.rows.iter().enumerate() {
        for (place, price) in data.prices.iter().enumerate() {
            add(format!("bid{}.{price}", row + 1), Deed::Bid((row * 4 + place) as Stall));
        }
    }
    let goods = |letters: &str| Goods::parse(letters).expect("letters of goods");
    let small = [GOODS[COPPER], GOODS[STONE], GOODS[GRAIN]];
    let take = DATA.rows.iter().map(|row| row.take).max().unwrap_or(0);
    for letters in multisets(&small, take.into()) {
        add(format!("take:{letters}"), Deed::Take(goods(&letters)));
    }
    add("swap:-".to_owned(), Deed::Swap(Goods::NONE));
    for letters in (1..=3).flat_map(|size| multisets(&small[..2], size)) {
        add(format!("swap:{letters}"), Deed::Swap(goods(&letters)));
    }
    for letter in [GOODS[0], GOODS[2], GOODS[4], GOODS[5]] {
        add(format!("cow:{letter}"), Deed::Cow(Barter::Good(Goods::lane(letter).expect("a good") as u8)));
    }
    add("cow:$".to_owned(), Deed::Cow(Barter::Silver));
    for (lane, letter) in (0..).zip(&WORKERS) {
        add(format!("cow:w{letter}"), Deed::Cow(Barter::Worker(lane)));
    }
    all.extend((0..MOST_HEXES as u8).map(|hex| ("build@".to_owned(), hex, Deed::Build(hex))));
    all
}

fn chance_tokens() -> impl Iterator<Item = Entry> {
    let tiles = (0..).zip(&DATA.tiles).map(|(tile, data)| (format!("*{}", data.name), 0, Deed::Tile(tile)));
    let turns = (0..6).map(|turn| (format!("*r{turn}"), 0, Deed::Turn(turn)));
    let starts = (0..MOST_HEXES as u8).map(|hex| ("*@".to_owned(), hex, Deed::Start(hex)));
    let spins = (0..8).map(|segment| (format!("*w{segment}"), 0, Deed::Spin(segment)));
    tiles.chain(turns).chain(starts).chain(spins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_tokens_and_deeds_have_one_each() {
        let tables = &*TABLES;
        let seats = usize::from(tables.count);
        assert!(tables.tokens[..seats].windows(2).all(|pair| pair[0] < pair[1] || pair == ["build@", "build@"]));
        for (index, &deed) in tables.deeds.iter().enumerate() {
            assert_eq!(tables.deeds.iter().position(|&other| other == deed), Some(index), "{deed:?}");
        }
    }

    #[test]
    fn bits_come_to_lie_where_they_belong() {
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
