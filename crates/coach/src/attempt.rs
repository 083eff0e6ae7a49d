//! A try at a step of a lesson: what is played, and whether it solves the task.

use serde::Serialize;
use tavola_core::Actor;
use tavola_registry::{AnyGame, AnyState, IllegalAction};

use crate::lesson::{Lesson, LessonStep, Words};

/// The prefix of an item that stands for every action of a kind.
const KIND: &str = "kind:";

/// The result of a try in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The player has to act.
    Playing,
    /// The task is missed.
    Wrong,
    /// The task is solved.
    Done,
}

impl Status {
    /// The word of the API.
    pub fn word(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Wrong => "wrong",
            Self::Done => "done",
        }
    }
}

/// An action of a try.
#[derive(Clone)]
pub struct Played {
    /// The state before the action.
    pub before: AnyState,
    /// The token of the action.
    pub token: String,
}

/// The result of a try.
#[derive(Clone)]
pub struct Attempt {
    /// Whether it solves the task.
    pub status: Status,
    /// The state after all actions.
    pub state: AnyState,
    /// The actions from the start of the step on: the player's, chance's, and the replies.
    pub played: Vec<Played>,
    /// The lesson learnt, or why the try is wrong; `None` for the common answer and while playing.
    pub text: Option<Words>,
    /// The next action of a solution that begins with the actions of the player; `None` if there is none.
    pub hint: Option<String>,
}

/// Why a try cannot be judged.
pub enum Fault {
    /// An action of the try cannot be played.
    Illegal(IllegalAction, Box<AnyState>),
    /// The lesson does not follow the format or the rules.
    Lesson(String),
}

/// The first state of a step, in which its player is to act.
///
/// # Errors
/// The position cannot be read, another seat is to act, or there is no such step.
pub fn start(game: &AnyGame, lesson: &Lesson, number: usize) -> Result<AnyState, Fault> {
    let step = step_of(lesson, number)?;
    let state = match (&step.position, number) {
        (Some(position), _) => {
            game.parse(position).map_err(|error| Fault::Lesson(format!("{}, step {number}: {error}", lesson.id)))?
        }
        (None, 0) => game.start(),
        (None, _) => {
            let before = &lesson.steps[number - 1].accept;
            let line: Vec<_> = before.first().map_or_else(Vec::new, |line| words(line));
            attempt(game, lesson, number - 1, &line)?.state
        }
    };
    let state = draw(state, &mut step.chance.clone(), &mut Vec::new())?;
    if state.to_act() != Actor::Seat(step.seat) {
        return Err(Fault::Lesson(format!("{}, step {number}: seat {} is not to act", lesson.id, step.seat)));
    }
    Ok(state)
}

/// Plays a try at a step and judges it. The first action that solves or misses the task ends it, so that later actions
/// are not played.
///
/// # Errors
/// As [`start`]; or an action cannot be played.
pub fn attempt(game: &AnyGame, lesson: &Lesson, number: usize, line: &[String]) -> Result<Attempt, Fault> {
    let step = step_of(lesson, number)?;
    let first = start(game, lesson, number)?;
    let has_kinds =
        step.accept.iter().chain(step.wrong.iter().map(|wrong| &wrong.play)).any(|text| text.contains(KIND));
    let mut state = first.clone();
    let mut outcomes = step.chance.clone();
    let mut played = Vec::new();
    let mut kinds = Vec::new();
    let mut verdict = Verdict::playing();
    for (count, token) in line.iter().enumerate() {
        kinds.push(if has_kinds { kind(&state, token) } else { String::new() });
        state = play(&state, token, &mut outcomes, &mut played)?;
        verdict = judge(step, &first, &state, &line[..=count], &kinds)?;
        if verdict.status != Status::Playing {
            break;
        }
    }
    for token in words(&verdict.reply) {
        if !is_legal(&state, &token) {
            break;
        }
        state = play(&state, &token, &mut outcomes, &mut played)?;
    }
    let hint = if verdict.status == Status::Playing { hint(step, line, &state) } else { None };
    Ok(Attempt { status: verdict.status, state, played, text: verdict.text, hint })
}

/// The status of a try, the reply to it, and the text about it.
struct Verdict {
    status: Status,
    reply: String,
    text: Option<Words>,
}

impl Verdict {
    fn playing() -> Self {
        Self { status: Status::Playing, reply: String::new(), text: None }
    }

    fn done(step: &LessonStep) -> Self {
        Self { status: Status::Done, reply: step.reply.clone(), text: Some(step.done.clone()) }
    }

    fn wrong(reply: &str, text: Option<&Words>) -> Self {
        Self { status: Status::Wrong, reply: reply.to_owned(), text: text.cloned() }
    }
}

fn step_of(lesson: &Lesson, number: usize) -> Result<&LessonStep, Fault> {
    lesson.steps.get(number).ok_or_else(|| Fault::Lesson(format!("{} has no step {number}", lesson.id)))
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Plays an action and the chance outcomes that follow it, and adds them to `played`.
fn play(
    state: &AnyState,
    token: &str,
    outcomes: &mut Vec<String>,
    played: &mut Vec<Played>,
) -> Result<AnyState, Fault> {
    let after = state.play(token).map_err(|error| Fault::Illegal(error, Box::new(state.clone())))?;
    played.push(Played { before: state.clone(), token: token.to_owned() });
    draw(after, outcomes, played)
}

/// Plays the chance outcomes up to the next decision; `outcomes` loses those that are used.
fn draw(mut state: AnyState, outcomes: &mut Vec<String>, played: &mut Vec<Played>) -> Result<AnyState, Fault> {
    while state.to_act() == Actor::Chance {
        let possible = state.chance_outcomes();
        let wanted = outcomes.iter().position(|wanted| possible.iter().any(|(token, _)| token == wanted));
        let token = wanted.map_or_else(|| possible[0].0.clone(), |at| outcomes.remove(at));
        let after = state.play(&token).map_err(|error| Fault::Illegal(error, Box::new(state.clone())))?;
        played.push(Played { before: state, token });
        state = after;
    }
    Ok(state)
}

fn judge(
    step: &LessonStep,
    first: &AnyState,
    state: &AnyState,
    line: &[String],
    kinds: &[String],
) -> Result<Verdict, Fault> {
    let turn_lasts = state.to_act() == Actor::Seat(step.seat) && state.turn() == first.turn();
    if step.whole {
        return if turn_lasts { Ok(Verdict::playing()) } else { judge_turn(step, first, state) };
    }
    if step.accept.iter().any(|solution| matches(&words(solution), line, kinds)) {
        return Ok(Verdict::done(step));
    }
    if let Some(wrong) = step.wrong.iter().find(|wrong| matches(&words(&wrong.play), line, kinds)) {
        return Ok(Verdict::wrong(&wrong.reply, Some(&wrong.why)));
    }
    if let Some(reach) = &step.reach {
        if counter(state, step.seat, &reach.counter)? >= reach.at_least {
            return Ok(Verdict::done(step));
        }
        if turn_lasts {
            return Ok(Verdict::playing());
        }
    }
    let begun = step.accept.iter().chain(step.wrong.iter().map(|wrong| &wrong.play)).map(|text| words(text));
    let begins = |whole: Vec<String>| whole.len() > line.len() && matches(&whole[..line.len()], line, kinds);
    if turn_lasts && begun.into_iter().any(begins) {
        return Ok(Verdict::playing());
    }
    Ok(Verdict::wrong("", step.otherwise.as_ref()))
}

/// Judges a whole turn by the position in which it ends.
fn judge_turn(step: &LessonStep, first: &AnyState, end: &AnyState) -> Result<Verdict, Fault> {
    for solution in &step.accept {
        if turn_end(step, first, solution)?.same(end) {
            return Ok(Verdict::done(step));
        }
    }
    for wrong in &step.wrong {
        if turn_end(step, first, &wrong.play)?.same(end) {
            return Ok(Verdict::wrong(&wrong.reply, Some(&wrong.why)));
        }
    }
    Ok(Verdict::wrong("", step.otherwise.as_ref()))
}

/// The state after the actions of the player and of chance.
fn turn_end(step: &LessonStep, first: &AnyState, line: &str) -> Result<AnyState, Fault> {
    let mut outcomes = step.chance.clone();
    let mut state = first.clone();
    for token in words(line) {
        state = play(&state, &token, &mut outcomes, &mut Vec::new())?;
    }
    Ok(state)
}

/// Whether the actions follow the pattern, one by one.
fn matches(pattern: &[String], line: &[String], kinds: &[String]) -> bool {
    let follows = |((item, token), kind): ((&String, &String), &String)| {
        item == token || item.strip_prefix(KIND).is_some_and(|wanted| wanted == kind)
    };
    pattern.len() == line.len() && pattern.iter().zip(line).zip(kinds).all(follows)
}

fn viewer(state: &AnyState) -> Option<u8> {
    match state.to_act() {
        Actor::Seat(seat) => Some(seat),
        Actor::Chance | Actor::Terminal => None,
    }
}

/// The kind of a legal action; empty for an illegal one.
fn kind(state: &AnyState, token: &str) -> String {
    let actions = state.view(viewer(state)).actions;
    actions.iter().find(|action| action.token == token).map_or_else(String::new, |action| action.kind.to_string())
}

fn is_legal(state: &AnyState, token: &str) -> bool {
    viewer(state).is_some() && state.play(token).is_ok()
}

/// A counter of a seat.
fn counter(state: &AnyState, seat: u8, name: &str) -> Result<i64, Fault> {
    let view = state.view(None);
    let counters = &view.seats[usize::from(seat)].counters;
    counters.iter().find(|counter| counter.id == name).map(|counter| counter.value).ok_or_else(|| {
        let known: Vec<_> = counters.iter().map(|counter| counter.id.as_str()).collect();
        Fault::Lesson(format!("no counter '{name}'; there are: {}", known.join(", ")))
    })
}

/// The next action of a solution that begins with these actions.
fn hint(step: &LessonStep, line: &[String], state: &AnyState) -> Option<String> {
    let next = step.accept.iter().filter_map(|text| {
        let solution = words(text);
        (solution.starts_with(line) && solution.len() > line.len()).then(|| solution[line.len()].clone())
    });
    next.into_iter().find(|token| is_legal(state, token))
}
