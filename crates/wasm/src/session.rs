//! The games in use, and the answers to requests.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tavola_coach::{self as coach, Lesson};
use tavola_core::info::pairs;
use tavola_core::locale::Locale;
use tavola_core::record::Record;
use tavola_core::text::Text;
use tavola_core::{Actor, CancelToken, Instant, Random, SmolStr};
use tavola_registry::{AnyGame, AnySearcher, AnyState, EngineSpec, Limits, LoadError, Method, SearchResult};

use crate::matches::DeviceMatch;
use crate::record::{self, Import, TextFault};
use crate::request::{Fault, Place, Request, fault, illegal, to_value};
use crate::{review, sketch};

/// The time of a hint.
const HINT_SECONDS: f64 = 1.5;
/// The time of a search for a forced win.
const PROOF_TIME: Duration = Duration::from_secs(1);

/// A game with its search.
struct Opened {
    game: AnyGame,
    searcher: AnySearcher,
}

/// The games in use by name and options.
#[derive(Default)]
pub(crate) struct Session {
    opened: BTreeMap<(String, BTreeMap<String, String>), Opened>,
}

impl Session {
    /// Answers a request.
    pub fn answer(&mut self, request: &Request) -> Result<Value, Fault> {
        let never = CancelToken::default();
        match request {
            Request::Position { place, seat } => {
                let (_, state) = self.at(place)?;
                position(&state, *seat)
            }
            Request::Entry { place } => {
                let (state, last) = self.before_last(place)?;
                record::entry(&state, last)
            }
            Request::Outcomes { place } => {
                let (_, state) = self.at(place)?;
                let outcomes = state.chance_outcomes();
                Ok(outcomes.iter().map(|(token, _)| to_value(&record::label(&state, token))).collect())
            }
            Request::Words { place, tokens } => {
                let (_, state) = self.at(place)?;
                Ok(words(state, tokens))
            }
            Request::ReadPosition { place, language } => Ok(position_faults(place, language)),
            Request::Sketch { place, tool, edit, language } => {
                let (opened, state) = self.at(&Place { position: None, line: Vec::new(), ..place.clone() })?;
                let text = place.position.clone().unwrap_or_else(|| state.text());
                sketch::answer(&opened.game, &text, tool.as_deref(), edit.as_ref(), language)
            }
            Request::ReadRecord { text, number, language } => self.read_record(text, *number, language),
            Request::WriteRecord { record } => self.write_record(record.clone()),
            Request::Prospect { place, token } => {
                let (_, state) = self.at(place)?;
                Ok(to_value(&state.prospect(token).map_err(|error| illegal(&error.token))?))
            }
            Request::Explain { place, touched, turn } => {
                let (_, state) = self.at(place)?;
                Ok(explain(&state, touched, *turn))
            }
            Request::Chance { place, seed } => {
                let (_, state) = self.at(place)?;
                let outcomes = state.chance_outcomes();
                if outcomes.is_empty() {
                    return Err(fault("not-chance", "chance does not act here"));
                }
                let drawn = Random::new(*seed).weighted(outcomes.iter().map(|(_, weight)| *weight));
                Ok(json!({ "token": outcomes[drawn].0 }))
            }
            Request::Match { place, stored, command, seed, from } => {
                let (opened, start) = self.at(&Place { line: Vec::new(), ..place.clone() })?;
                let mut played = DeviceMatch::replay(&opened.game, start, &place.line, stored)?;
                if let Some(command) = command {
                    played.perform(command)?;
                }
                played.draw(&mut Random::new(*seed))?;
                played.describe(*from)
            }
            Request::Choose { place, level, engine, seconds, seed } => {
                self.choose(place, *level, engine.as_deref(), *seconds, *seed)
            }
            Request::Hint { place } => {
                let (opened, state) = self.at(place)?;
                let hint = coach::hint(&opened.game, &state, Some(HINT_SECONDS), &never);
                Ok(to_value(&hint.ok_or_else(|| fault("no-action", "no seat acts here"))?))
            }
            Request::Lesson { game, lesson, step, line } => {
                let options = pairs(&lesson.options);
                let options = options.map_err(|text| fault("bad-lesson", &Locale::english().format(&text)))?;
                let place = Place { game: game.clone(), options, position: None, line: Vec::new() };
                let (opened, _) = self.at(&place)?;
                lesson_position(&opened.game, lesson, &place.options, *step, line)
            }
            Request::Analyse { place, seconds, nodes, lookahead, fresh, lines } => {
                if seconds.is_none() && nodes.is_none() {
                    return Err(fault("bad-request", "either seconds or nodes are needed"));
                }
                let (opened, state) = self.at(place)?;
                if *fresh {
                    opened.searcher.forget();
                }
                // Alpha-beta gives no value for actions that it refutes.
                let mut limits = Limits { seconds: *seconds, nodes: *nodes, method: Method::Tree, ..Limits::default() };
                limits.lookahead = lookahead.unwrap_or(limits.lookahead);
                Ok(analysis(&state, &search(opened, &state, &limits, true, &never)?, *lines))
            }
            Request::Evaluate { place, seconds } => {
                let (opened, state) = self.at(place)?;
                Ok(review::evaluate(&opened.game, &state, place.line.len(), *seconds))
            }
            Request::Judge { place, token, before, seconds } => {
                let (opened, state) = self.at(place)?;
                review::judge(&opened.game, &state, token, before, place.line.len(), *seconds)
            }
            Request::Summarize { shares, actions } => review::summarize(shares, actions),
            Request::WhyNot { place, token, nodes, seconds } => self.why_not(place, token, *nodes, *seconds),
            Request::Prove { place } => {
                let (_, state) = self.at(place)?;
                let (plies, proof) = state.prove_until(coach::PROOF_PLIES, Some(Instant::now() + PROOF_TIME), &never);
                let proof = proof.map(|proof| json!({ "winner": proof.winner, "plies": proof.plies }));
                Ok(json!({ "plies": plies, "proof": proof }))
            }
        }
    }

    /// The action of a level or an engine, within a time.
    fn choose(
        &mut self,
        place: &Place,
        level: Option<usize>,
        engine: Option<&str>,
        seconds: Option<f64>,
        seed: u64,
    ) -> Result<Value, Fault> {
        let (opened, state) = self.at(place)?;
        let text = match (level, engine) {
            (Some(level), None) => format!("level:{level}"),
            (None, Some(text)) => text.to_owned(),
            _ => return Err(fault("bad-engine", "either a level or an engine is needed")),
        };
        let engine = EngineSpec::parse(&text, &opened.game).map_err(|error| fault("bad-engine", &error.to_string()))?;
        if !engine.kind.is_search() || engine.file.is_some() {
            return Err(fault("bad-engine", "only a search of the core plays here"));
        }
        if engine.forgets() {
            opened.searcher.forget();
        }
        // WebAssembly has one thread and its own memory.
        let Limits { threads, memory, .. } = Limits::default();
        let mut limits = Limits { seed, threads, memory, ..engine.limits.clone() };
        limits.seconds = [limits.seconds, seconds].into_iter().flatten().reduce(f64::min);
        let with_network = engine.own_network(&opened.game).is_some();
        let result = search(opened, &state, &limits, with_network, &CancelToken::default())?;
        if result.best.is_none() {
            return Err(fault("no-action", "no seat acts here"));
        }
        let token = &result.lines[engine.pick(result.lines.iter(), || Random::new(seed).unit())].action;
        Ok(json!({ "token": token, "shares": result.shares, "nodes": result.nodes }))
    }

    /// The reason why an action is worse than the best one.
    fn why_not(&mut self, place: &Place, token: &str, nodes: u64, seconds: Option<f64>) -> Result<Value, Fault> {
        let (opened, state) = self.at(place)?;
        let limits = Limits { nodes: Some(nodes), seconds, seed: 1, ..Limits::default() };
        let found = coach::why_not(&opened.game, &state, token, &limits, &CancelToken::default());
        Ok(to_value(&found.map_err(|error| illegal(&error.token))?))
    }

    /// A record of a text, from 0.
    fn read_record(&mut self, text: &str, number: usize, language: &str) -> Result<Value, Fault> {
        let records = match Record::read_all(text) {
            Ok(records) => records,
            Err(error) => return Ok(json!({ "nodes": [], "faults": [TextFault::new(&error, language)] })),
        };
        let record = records.get(number).ok_or_else(|| fault("no-record", "the text has fewer records"))?;
        let tags: Vec<_> = records.iter().map(|record| &record.tags).collect();
        let wrong = |faults: Vec<TextFault>| Ok(json!({ "records": tags, "nodes": [], "faults": faults }));
        let place = match record::place(record) {
            Ok(place) => place,
            Err(error) => return wrong(vec![TextFault::new(&error, language)]),
        };
        if let Some((tag, faults)) = faults(&place, language) {
            let line = record.place(tag);
            return wrong(faults.into_iter().map(|text| TextFault { line, text }).collect());
        }
        let (opened, state) = self.at(&place)?;
        let mut import = Import::new(&opened.game, language);
        let returns = import.add(&state, &record.line, None, &[]).outcome().map(|end| end.returns(opened.game.seats()));
        if let Some(Err(error)) = returns.map(|returns| record.check_result(&returns)) {
            import.faults.push(TextFault::new(&error, language));
        }
        import.faults.sort_by_key(|fault| fault.line);
        Ok(json!({
            "game": place.game,
            "options": place.options,
            "position": place.position,
            "tags": record.tags,
            "records": tags,
            "comments": record.comments,
            "nodes": import.nodes,
            "faults": import.faults,
        }))
    }

    /// The text of a record. If its game is known, with the numbers of the turns, and without the house rules that are off.
    fn write_record(&mut self, mut record: Record) -> Result<Value, Fault> {
        if let Ok(place) = record::place(&record)
            && let Ok((opened, state)) = self.at(&place)
        {
            record::list_options(opened.game.options(), &mut record);
            record::number_turns(&state, &mut record.line, None);
        }
        Ok(json!(record.text().map_err(|error| fault("bad-record", &error.to_string()))?))
    }

    /// The state before the last action of a line, and that action.
    fn before_last<'a>(&mut self, place: &'a Place) -> Result<(AnyState, &'a str), Fault> {
        let (last, before) = place.line.split_last().ok_or_else(|| fault("bad-request", "an empty line"))?;
        let (_, state) = self.at(&Place { line: before.to_vec(), ..place.clone() })?;
        Ok((state, last))
    }

    /// The game of a place and the state there.
    fn at(&mut self, place: &Place) -> Result<(&mut Opened, AnyState), Fault> {
        let key = (place.game.clone(), place.options.clone());
        if !self.opened.contains_key(&key) {
            let options = place.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let game = tavola_registry::load(&place.game, options);
            let game = game.map_err(|error| fault("unknown-game", &error.to_string()))?;
            let searcher = game.searcher();
            self.opened.insert(key.clone(), Opened { game, searcher });
        }
        let opened = self.opened.get_mut(&key).expect("inserted above");
        let mut state = match &place.position {
            Some(text) => opened.game.parse(text).map_err(|error| fault("bad-position", &error.to_string()))?,
            None => opened.game.start(),
        };
        for token in &place.line {
            state = state.play(token).map_err(|error| illegal(&error.token))?;
        }
        Ok((opened, state))
    }
}

/// A step of a lesson as `GET /api/games/GAME/lessons/LESSON/STEP` describes it, with the text of the position.
fn lesson_position(
    game: &AnyGame,
    lesson: &Lesson,
    options: &BTreeMap<String, String>,
    step: usize,
    line: &[String],
) -> Result<Value, Fault> {
    let tried = coach::attempt(game, lesson, step, line).map_err(|error| match error {
        coach::Fault::Illegal(error, _) => illegal(&error.token),
        coach::Fault::Lesson(message) => fault("bad-lesson", &message),
    })?;
    let seat = lesson.seat(step);
    let mut view = tried.state.view(seat);
    if tried.status != coach::Status::Playing {
        view.actions.clear();
    }
    let entries: Result<Vec<Value>, Fault> =
        tried.played.iter().map(|played| record::entry(&played.before, &played.token)).collect();
    let acting = tried.state.to_act().seat();
    Ok(json!({
        "status": tried.status,
        "seat": seat,
        "acting": acting,
        "options": options,
        "position": tried.state.text(),
        "view": view,
        "log": entries?,
        "text": tried.text,
        "hint": tried.hint,
    }))
}

/// Searches with the network of the game, if there is one and the search may use it.
fn search(
    opened: &mut Opened,
    state: &AnyState,
    limits: &Limits,
    with_network: bool,
    stop: &CancelToken,
) -> Result<SearchResult, Fault> {
    opened.searcher.set_network(opened.game.own_network().filter(|_| with_network));
    let result = opened.searcher.search(state, limits, stop);
    let result = result.map_err(|error| fault("bad-engine", &error.to_string()))?;
    Ok(result.expect("a state of the same game"))
}

fn position(state: &AnyState, seat: Option<u8>) -> Result<Value, Fault> {
    if let Some(seat) = seat.filter(|&seat| usize::from(seat) >= tavola_core::MAX_SEATS) {
        return Err(fault("bad-request", &format!("no seat {seat}")));
    }
    Ok(json!({
        "text": state.text(),
        "key": format!("{:016x}", state.key()),
        "turn": state.turn(),
        "to_act": state.to_act().number(),
        "chance": state.chance_outcomes(),
        "view": state.view(seat),
    }))
}

/// The reason why no legal action begins with these cells.
fn explain(state: &AnyState, touched: &[String], turn: Option<u16>) -> Value {
    let view = state.view(None);
    let cells = || view.areas.iter().flat_map(|area| &area.cells);
    // A part of something stands for the whole.
    let whole = |id: &String| cells().find(|cell| cell.id == *id).and_then(|cell| cell.part_of.clone());
    let touched: Vec<SmolStr> = touched.iter().map(|id| whole(id).unwrap_or_else(|| SmolStr::new(id))).collect();
    to_value(&state.touch_refusal(&touched, turn))
}

/// Every fault of a position, in a language.
fn position_faults(place: &Place, language: &str) -> Value {
    let faults = faults(place, language).map_or_else(Vec::new, |(_, faults)| faults);
    json!({ "faults": faults })
}

/// The faults of a place in a language, with the tag of a record in which they are; `None` if there are none.
fn faults(place: &Place, language: &str) -> Option<(&'static str, Vec<String>)> {
    let shared = || Locale::shared(language);
    let said = |locale: &Locale, faults: &[Text]| faults.iter().map(|fault| locale.format(fault)).collect();
    let options = place.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    match tavola_registry::load(&place.game, options) {
        Ok(game) => {
            let error = place.position.as_ref().and_then(|text| game.parse(text).err())?;
            Some(("Position", said(&game.info().locale(language), &error.faults)))
        }
        Err(LoadError::Option(error)) => Some(("Options", said(&shared(), &error.faults))),
        Err(LoadError::UnknownGame { name, known }) => {
            let text = Text::quoting("fault.game", &name).with("known", &*known.join(", "));
            Some(("Game", said(&shared(), &[text])))
        }
    }
}

/// The result of a search. Where chance acts, the shares are the mean over its outcomes by their weights.
fn analysis(state: &AnyState, result: &SearchResult, lines: usize) -> Value {
    let line = |line: &tavola_registry::Line| {
        json!({
            "action": line.action,
            "shares": line.shares,
            "margins": line.margins,
            "visits": line.visits,
            "variation": line.variation,
            "proven": line.proven,
        })
    };
    let best = result.lines.first();
    let chance = state.to_act() == Actor::Chance;
    let over = state.to_act() == Actor::Terminal;
    let mut shares = result.shares.clone();
    let mut margins = best.map_or_else(|| vec![0.0; shares.len()], |best| best.margins.clone());
    let mut proven = over || best.is_some_and(|best| best.proven);
    if chance && !result.lines.is_empty() {
        (shares, margins) = coach::mean_of_outcomes(state, &result.lines);
        proven = result.lines.iter().all(|line| line.proven);
    } else if let Some(best) = best.filter(|best| best.proven) {
        shares.clone_from(&best.shares);
    }
    json!({
        "best": result.best,
        "shares": shares,
        "margins": margins,
        "winners": proven.then(|| coach::winners(&shares)),
        "nodes": result.nodes,
        "seconds": result.seconds,
        "full": result.full,
        "lines": result.lines.iter().take(lines).map(line).collect::<Vec<_>>(),
    })
}

/// Consecutive actions in words.
fn words(mut state: AnyState, tokens: &[String]) -> Value {
    let mut said = Vec::new();
    for token in tokens {
        let Ok(next) = state.play(token) else { break };
        said.push(json!({
            "seat": record::seat(&state),
            "turn": state.turn(),
            "token": token,
            "label": record::label(&state, token),
            "move": state.move_label(token).ok().flatten(),
        }));
        state = next;
    }
    said.into()
}
