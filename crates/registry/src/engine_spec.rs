//! Engines by their specification, such as `tree:nodes=5000,threads=1`: its settings, their ranges, and its network.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Arc;

use tavola_core::locale::Locale;
use tavola_core::quote::quoted;
use tavola_core::{SmolStr, Text};
use tavola_net::Network;
use tavola_search::{Limits, Method, Purpose, Rollouts};

use crate::any_game::AnyGame;
use crate::search_result::Line;

/// More threads than one tree can use. Every common system can start as many.
pub const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// The range of the exploration constant of a search with a network.
pub const C_PUCT_RANGE: RangeInclusive<f64> = 0.0..=100.0;

/// The range of the weight of a rollout in the value of a leaf.
pub const ROLLOUTS_RANGE: RangeInclusive<f64> = 0.0..=1.0;

/// The range of [`Limits::contempt`]. The maximum is below 1, so that a draw never counts as a loss.
pub const CONTEMPT_RANGE: RangeInclusive<f64> = 0.0..=0.9;

/// The longest time of an action in seconds.
const DAY: f64 = 86_400.0;

/// The time of an action without limits, in seconds.
const USUAL_SECONDS: f64 = 1.0;

/// The prefix of an option of an external engine.
const OPTION: &str = "option.";

/// Stands between the settings and the command of an external engine.
const SEPARATOR: &str = " -- ";

/// The kinds of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// Random actions.
    Random,
    /// The search that suits the game better.
    Auto,
    /// Tree search.
    Tree,
    /// Alpha-beta.
    AlphaBeta,
    /// Tree search without knowledge: uniform rollouts, no lookahead, and no tree kept from one action to the next.
    Uct,
    /// Tree search with a network.
    Net,
    /// Tree search that plays the results of a solution of the game.
    Perfect,
    /// The last level without a network.
    Classic,
    /// A level of the game.
    Level,
    /// A program that speaks UGI.
    Ugi,
    /// A class in Python.
    Python,
}

impl EngineKind {
    /// The name in a specification.
    ///
    /// # Panics
    /// Never: every kind has a name.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(_, known)| *known == self).expect("every kind has a name").0
    }

    /// Whether the core searches with what it contains.
    pub fn is_search(self) -> bool {
        SEARCHES.contains(&self) && self != Perfect
    }
}

use EngineKind::{AlphaBeta, Auto, Classic, Level, Net, Perfect, Python, Random, Tree, Uct, Ugi};

/// The kinds by name.
const KINDS: [(&str, EngineKind); 11] = [
    ("random", Random),
    ("auto", Auto),
    ("tree", Tree),
    ("alphabeta", AlphaBeta),
    ("uct", Uct),
    ("net", Net),
    ("perfect", Perfect),
    ("classic", Classic),
    ("level", Level),
    ("ugi", Ugi),
    ("python", Python),
];

/// The kinds that other names stand for.
const NAMES: [EngineKind; 2] = [Classic, Level];
const EXTERNAL: [EngineKind; 2] = [Ugi, Python];
const TREES: &[EngineKind] = &[Auto, Tree, Uct, Net];
const SEARCHES: &[EngineKind] = &[Auto, Tree, AlphaBeta, Uct, Net, Perfect];
const SEEDED: &[EngineKind] = &[Random, Auto, Tree, AlphaBeta, Uct, Net, Perfect];
const TIMED: &[EngineKind] = &[Auto, Tree, AlphaBeta, Uct, Net, Perfect, Ugi, Python];
const COUNTED: &[EngineKind] = &[Auto, Tree, AlphaBeta, Uct, Net, Perfect, Ugi];

/// A setting of engines: this row is all there is to one.
struct Setting {
    name: &'static str,
    of: &'static [EngineKind],
    value: Range,
}

/// The range of a setting, and where its value belongs.
enum Range {
    Whole(RangeInclusive<u64>, fn(&mut EngineSpec, u64)),
    Megabytes(RangeInclusive<u64>, fn(&mut EngineSpec, u64)),
    /// A number from 0.
    Number(RangeInclusive<f64>, fn(&mut EngineSpec, f64)),
    Seconds(fn(&mut EngineSpec, f64)),
    Path(fn(&mut EngineSpec, &str)),
}

#[rustfmt::skip]
const SETTINGS: &[Setting] = &[
    Setting { name: "file", of: &[Net, Perfect], value: Range::Path(|spec, path| spec.file = Some(path.to_owned())) },
    Setting { name: "c_puct", of: &[Net], value: Range::Number(C_PUCT_RANGE, |spec, number| spec.limits.c_puct = Some(number as f32)) },
    Setting { name: "prior", of: &[Tree], value: Range::Number(0.0..=20.0, |spec, power| spec.limits.prior = Some(power as f32)) },
    Setting { name: "rollouts", of: &[Net], value: Range::Number(ROLLOUTS_RANGE, |spec, part| spec.limits.rollout_weight = Some(part as f32)) },
    Setting { name: "seconds", of: TIMED, value: Range::Seconds(|spec, seconds| spec.limits.seconds = Some(seconds)) },
    Setting { name: "nodes", of: COUNTED, value: Range::Whole(1..=u32::MAX as u64, |spec, nodes| spec.limits.nodes = Some(nodes)) },
    Setting { name: "depth", of: &[AlphaBeta, Ugi], value: Range::Whole(1..=1000, |spec, depth| spec.limits.depth = Some(depth as u32)) },
    Setting { name: "lookahead", of: TREES, value: Range::Whole(0..=100, |spec, depth| spec.limits.lookahead = depth as u32) },
    Setting { name: "blunders", of: TREES, value: Range::Number(0.0..=10.0, |spec, rate| spec.blunders = rate) },
    Setting { name: "contempt", of: SEARCHES, value: Range::Number(CONTEMPT_RANGE, |spec, part| spec.limits.contempt = part as f32) },
    Setting { name: "threads", of: SEARCHES, value: Range::Whole(1..=MAX_THREADS.get() as u64, |spec, count| spec.limits.threads = NonZeroUsize::new(count as usize).expect("in range")) },
    Setting { name: "memory", of: SEARCHES, value: Range::Megabytes(1..=1 << 20, |spec, megabytes| spec.limits.memory = megabytes << 20) },
    Setting { name: "seed", of: SEEDED, value: Range::Whole(0..=i64::MAX as u64, |spec, seed| spec.seed = Some(seed)) },
    Setting { name: "patience", of: &[Ugi], value: Range::Seconds(|spec, seconds| spec.patience = Some(seconds)) },
];

/// The names of settings before 0.2, which stored games and levels may contain.
const ALIASES: [(&str, &str); 2] = [("sight", "lookahead"), ("slips", "blunders")];

/// A text is no specification of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an engine: {}", Locale::english().format(fault))]
pub struct EngineError {
    /// The text.
    pub text: String,
    /// The mistake, with the valid values.
    pub fault: Text,
}

/// An engine: what it is, its settings, and its network. A level or `classic` is the engine that it stands for.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The kind of the engine.
    pub kind: EngineKind,
    /// The limits and the method of a search. One second without limits, but none for a class in Python.
    pub limits: Limits,
    /// The path of the file of its network, for [`EngineKind::Net`], or of the solution, for [`EngineKind::Perfect`]; `None` for
    /// that of the game.
    pub file: Option<String>,
    /// The blunder rate: each action has a probability in proportion to `visits ** (1 / blunders)`; at 0 the best has all.
    pub blunders: f64,
    /// The seed of every game.
    pub seed: Option<u64>,
    /// The seconds that a program has to answer beyond its own limits.
    pub patience: Option<f64>,
    /// The options of an external engine.
    pub options: Vec<(String, String)>,
    /// The program or class of an external engine.
    pub command: String,
    /// The settings as given, by their current names.
    given: Vec<(String, String)>,
}

impl EngineSpec {
    /// Reads the specification of an engine for a game.
    ///
    /// # Errors
    /// [`EngineError`] for an unknown engine or setting, a value out of range, or a network that the game does not have.
    pub fn parse(text: &str, game: &AnyGame) -> Result<Self, EngineError> {
        Self::named(text, game).map_err(|fault| EngineError { text: text.to_owned(), fault })
    }

    /// Reads the engine of an analysis, which has limits of its own: `classic`, `net` or `net:file=PATH`. `None` is the best
    /// search of the game.
    ///
    /// # Errors
    /// [`EngineError`], as [`EngineSpec::parse`].
    pub fn parse_analysis(text: Option<&str>, game: &AnyGame) -> Result<Self, EngineError> {
        let best = if game.own_network().is_some() { "net" } else { "classic" };
        let text = text.unwrap_or(best);
        let read = || match kind_of(text, &[Classic, Net])? {
            (Classic, _) => Ok(Self::new(Auto)),
            (kind, rest) => Self::read(kind, rest, &["file"], game),
        };
        read().map_err(|fault| EngineError { text: text.to_owned(), fault })
    }

    fn named(text: &str, game: &AnyGame) -> Result<Self, Text> {
        let (kind, rest) = kind_of(text, &KINDS.map(|(_, kind)| kind))?;
        let levels = game.levels();
        let stands_for = match kind {
            Level => {
                let number = whole(rest).and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
                number
                    .and_then(|number| levels.get(number))
                    .cloned()
                    .ok_or_else(|| Text::new("engine.level").with("number", quoted(rest)).with("last", levels.len()))?
            }
            Classic => game.classic(),
            kind => return Self::read(kind, rest, &settings_of(kind), game),
        };
        let known: Vec<EngineKind> =
            KINDS.map(|(_, kind)| kind).into_iter().filter(|kind| !NAMES.contains(kind)).collect();
        let (kind, rest) = kind_of(&stands_for, &known)?;
        Self::read(kind, rest, &settings_of(kind), game)
    }

    fn new(kind: EngineKind) -> Self {
        let mut limits = Limits { purpose: Purpose::Choose, ..Limits::default() };
        match kind {
            AlphaBeta => limits.method = Method::AlphaBeta,
            Tree => limits = Limits { method: Method::Tree, prior: Some(0.0), ..limits },
            Net | Perfect => limits.method = Method::Tree,
            Uct => {
                let plain = Limits { method: Method::Tree, rollouts: Rollouts::Uniform, lookahead: 0, ..limits };
                limits = plain;
            }
            _ => {}
        }
        let (options, given, command) = (Vec::new(), Vec::new(), String::new());
        Self { kind, limits, file: None, blunders: 0.0, seed: None, patience: None, options, command, given }
    }

    /// Reads the settings and the command of an engine of a kind.
    fn read(kind: EngineKind, rest: &str, names: &[&'static str], game: &AnyGame) -> Result<Self, Text> {
        let mut spec = Self::new(kind);
        let mut settings = rest;
        if EXTERNAL.contains(&kind) {
            let with_end = format!("{rest} ");
            let (before, command) = with_end.split_once(SEPARATOR).unwrap_or(("", rest));
            if command.trim().is_empty() {
                return Err(Text::new(if kind == Ugi { "engine.command" } else { "engine.agent" }));
            }
            command.trim().clone_into(&mut spec.command);
            settings = &rest[..before.len()];
        }
        for pair in settings.split(',').filter(|_| !settings.is_empty()) {
            spec.set(pair, names)?;
        }
        let limits = &mut spec.limits;
        if limits.seconds.is_none() && limits.nodes.is_none() && limits.depth.is_none() && kind != Python {
            limits.seconds = Some(USUAL_SECONDS);
        }
        if spec.forgets() {
            spec.limits.purpose = Purpose::Sample;
        }
        if kind == AlphaBeta && (game.seats() != 2 || game.info().has_chance) {
            return Err(Text::new("engine.alphabeta"));
        }
        if kind == Net && spec.file.is_none() && game.own_network().is_none() {
            return Err(Text::new("engine.no-network").with("game", &*game.to_string()));
        }
        if spec.limits.prior > Some(0.0) && game.weights().is_empty() {
            return Err(Text::new("engine.no-evaluation").with("game", &*game.to_string()));
        }
        Ok(spec)
    }

    fn set(&mut self, pair: &str, names: &[&'static str]) -> Result<(), Text> {
        let kind = self.kind.name();
        let takes_options = EXTERNAL.contains(&self.kind);
        let valid = || {
            let option = takes_options.then_some("option.NAME");
            names.iter().copied().chain(option).collect::<Vec<_>>().join(", ")
        };
        let fault = |key: &str| Text::new(key).with("kind", kind).with("valid", &*valid());
        let (name, given) = pair.split_once('=').ok_or_else(|| fault("engine.pair").with("pair", quoted(pair)))?;
        let name = ALIASES.iter().find(|(old, _)| *old == name).map_or(name, |&(_, name)| name);
        if self.given.iter().any(|(known, _)| known == name) {
            return Err(Text::new("engine.twice").with("name", name));
        }
        if let Some(option) = name.strip_prefix(OPTION).filter(|option| takes_options && !option.is_empty()) {
            self.options.push((option.to_owned(), given.to_owned()));
        } else {
            let setting = SETTINGS.iter().find(|setting| setting.name == name && names.contains(&name));
            let setting = setting.ok_or_else(|| fault("engine.setting").with("name", quoted(name)))?;
            if setting.value.set(self, given).is_none() {
                let (given, valid) = (quoted(given), setting.value.valid());
                return Err(Text::new("engine.value").with("name", name).with("given", given).with("valid", valid));
            }
        }
        self.given.push((name.to_owned(), given.to_owned()));
        Ok(())
    }

    /// Whether the engine discards its tree after every action.
    pub fn forgets(&self) -> bool {
        self.kind == Uct || self.blunders > 0.0
    }

    /// The game's own network that the engine plays with; `None` with another, or without one.
    pub fn own_network<'a>(&self, game: &'a AnyGame) -> Option<&'a Arc<Network>> {
        game.own_network().filter(|_| self.kind == Perfect || self.kind == Net && self.file.is_none())
    }

    /// The index of the action to play among the lines of a search: the best, or another one by the blunder rate and a
    /// random number from 0 to 1.
    pub fn pick<'a>(&self, lines: impl Iterator<Item = &'a Line> + Clone, random: impl FnOnce() -> f64) -> usize {
        let most = lines.clone().map(|line| line.visits).max().unwrap_or(0);
        if self.blunders == 0.0 || most == 0 || lines.clone().next().is_some_and(|best| best.proven) {
            return 0;
        }
        let weight = |line: &Line| (f64::from(line.visits) / f64::from(most)).powf(1.0 / self.blunders);
        let mut sum = 0.0;
        let sums: Vec<f64> = lines.map(|line| (sum += weight(line), sum).1).collect();
        let drawn = random() * sum;
        sums.iter().position(|&sum| drawn < sum).unwrap_or(sums.len() - 1)
    }
}

impl Display for EngineSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        for (place, (name, value)) in self.given.iter().enumerate() {
            write!(f, "{}{name}={value}", if place == 0 { ':' } else { ',' })?;
        }
        match (self.command.as_str(), self.given.as_slice()) {
            ("", _) => Ok(()),
            (command, []) => write!(f, ":{command}"),
            (command, _) => write!(f, "{SEPARATOR}{command}"),
        }
    }
}

impl Range {
    /// Sets the value of a text; `None` if it is out of range.
    fn set(&self, spec: &mut EngineSpec, text: &str) -> Option<()> {
        match self {
            Self::Whole(range, set) | Self::Megabytes(range, set) => {
                set(spec, whole(text).filter(|number| range.contains(number))?);
            }
            Self::Number(range, set) => set(spec, text.parse().ok().filter(|number| range.contains(number))?),
            Self::Seconds(set) => set(spec, text.parse().ok().filter(|&seconds| 0.0 < seconds && seconds <= DAY)?),
            Self::Path(set) => set(spec, Some(text).filter(|path| !path.is_empty())?),
        }
        Some(())
    }

    /// The valid values in words.
    fn valid(&self) -> Text {
        let number = |number: f64| SmolStr::from(number.to_string());
        match self {
            Self::Whole(range, _) => Text::new("engine.whole").with("least", *range.start()).with("most", *range.end()),
            Self::Megabytes(range, _) => Text::new("engine.megabytes").with("most", *range.end()),
            Self::Number(range, _) => Text::new("engine.number").with("most", number(*range.end())),
            Self::Seconds(_) => Text::new("engine.seconds").with("most", number(DAY)),
            Self::Path(_) => Text::new("engine.path"),
        }
    }
}

/// The kinds of engines by name, each with the names of its settings.
pub fn engine_kinds() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    KINDS.into_iter().map(|(name, kind)| (name, settings_of(kind)))
}

fn settings_of(kind: EngineKind) -> Vec<&'static str> {
    SETTINGS.iter().filter(|setting| setting.of.contains(&kind)).map(|setting| setting.name).collect()
}

/// The kind and the rest of a specification.
fn kind_of<'a>(text: &'a str, known: &[EngineKind]) -> Result<(EngineKind, &'a str), Text> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let kind = KINDS.iter().find(|(named, kind)| *named == name && known.contains(kind));
    let &(_, kind) = kind.ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|kind| kind.name()).collect();
        Text::new("engine.unknown").with("kind", quoted(name)).with("known", &*known.join(", "))
    })?;
    if kind == Classic && !rest.is_empty() {
        return Err(Text::new("engine.classic"));
    }
    Ok((kind, rest))
}

/// The number of a text of digits.
fn whole(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}
