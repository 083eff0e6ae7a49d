//! Engines by their specification: a search, its limits and its blunder rate.

use tavola_core::Random;
use tavola_registry::{AnyGame, Limits, Method, Purpose, SearchResult};

/// A search with its limits, as `python/tavola/engines/spec.py` reads it. One thread, whatever it asks for.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub limits: Limits,
    /// Whether the search uses the network of the game.
    pub has_network: bool,
    blunders: f64,
}

impl Engine {
    /// Reads a specification such as `tree:nodes=130,lookahead=0,blunders=0.47`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (search, settings) = text.split_once(':').unwrap_or((text, ""));
        let method = match search {
            "auto" => Method::Auto,
            "tree" | "net" => Method::Tree,
            "alphabeta" => Method::AlphaBeta,
            _ => return Err(format!("unknown search {search:?} in {text:?}; known are auto, tree, alphabeta, net")),
        };
        let mut limits = Limits { method, purpose: Purpose::Choose, ..Limits::default() };
        let mut blunders = 0.0;
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let wrong = || format!("wrong value {value:?} of {name} in {text:?}");
            match name {
                "nodes" => limits.nodes = Some(value.parse().map_err(|_| wrong())?),
                "seconds" => limits.seconds = Some(value.parse().map_err(|_| wrong())?),
                "depth" => limits.depth = Some(value.parse().map_err(|_| wrong())?),
                "lookahead" => limits.lookahead = value.parse().map_err(|_| wrong())?,
                "c_puct" if search == "net" => limits.c_puct = Some(value.parse().map_err(|_| wrong())?),
                "rollouts" if search == "net" => limits.rollout_weight = Some(value.parse().map_err(|_| wrong())?),
                "contempt" => limits.contempt = value.parse().map_err(|_| wrong())?,
                "blunders" => blunders = value.parse().map_err(|_| wrong())?,
                "threads" | "memory" => {}
                _ => return Err(format!("unknown setting {name:?} in {text:?}")),
            }
        }
        if limits.nodes.is_none() && limits.seconds.is_none() && limits.depth.is_none() {
            limits.seconds = Some(1.0);
        }
        Ok(Self { limits, has_network: search == "net", blunders })
    }

    /// The engine of a level of a game, from 1.
    pub fn level(game: &AnyGame, level: usize) -> Result<Self, String> {
        let levels = game.levels();
        let text = level.checked_sub(1).and_then(|index| levels.get(index));
        Self::parse(text.ok_or_else(|| format!("unknown level {level}; levels: 1 to {}", levels.len()))?)
    }

    /// Whether the engine discards its tree after every action.
    pub fn forgets(&self) -> bool {
        self.blunders > 0.0
    }

    /// The action of an analysis: the best, or another one by the blunder rate.
    pub fn pick<'a>(&self, result: &'a SearchResult, random: &mut Random) -> Option<&'a str> {
        let best = result.lines.first()?;
        let most = result.lines.iter().map(|line| line.visits).max().unwrap_or(0);
        if self.blunders == 0.0 || best.proven || most == 0 {
            return Some(&best.action);
        }
        let weight = |visits: u32| (f64::from(visits) / f64::from(most)).powf(1.0 / self.blunders);
        let mut left = random.unit() * result.lines.iter().map(|line| weight(line.visits)).sum::<f64>();
        for line in &result.lines {
            left -= weight(line.visits);
            if left < 0.0 {
                return Some(&line.action);
            }
        }
        Some(&best.action)
    }
}
