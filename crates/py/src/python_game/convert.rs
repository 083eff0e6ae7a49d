//! Reads and checks the attributes of Python states.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use tavola_core::{Outcome, Seat, SeatSet};

use super::broken::{Broken, last_line, shown};
use super::fault::Fault;
use super::rules::{Action, Rules};

/// The exception as a contract that is broken.
fn unreadable(py: Python<'_>, name: &str, error: PyErr) -> Broken {
    let missing = error.is_instance_of::<PyAttributeError>(py) && last_line(py, &error).is_none();
    if missing {
        Broken::new(Fault::new("the state has no attribute `{name}`").with("name", name))
    } else {
        Broken::raised(py, &format!("`{name}`"), error)
    }
}

/// An attribute of a type.
pub(crate) fn attribute<'py, T: for<'a> FromPyObject<'a, 'py>>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    wanted: Fault,
) -> Result<T, Broken> {
    let value = object.getattr(name).map_err(|error| unreadable(object.py(), &name.to_string(), error))?;
    value.extract().map_err(|_| {
        let fault = Fault::new("`{name}` must be {wanted}, not {value}").with("name", name);
        Broken::new(fault.with_fault("wanted", wanted).with("value", shown(&value)))
    })
}

/// The items of an attribute; none if it is missing and may be.
fn items<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    optional: bool,
) -> Result<Vec<Bound<'py, PyAny>>, Broken> {
    let py = object.py();
    let value = match object.getattr_opt(name) {
        Ok(Some(value)) => value,
        Ok(None) if optional => return Ok(Vec::new()),
        Ok(None) => return Err(Broken::new(Fault::new("the state has no attribute `{name}`").with("name", name))),
        Err(error) => return Err(unreadable(py, &name.to_string(), error)),
    };
    if value.is_instance_of::<PyString>() {
        let fault = Fault::new("`{name}` must be a sequence, not the text {value}");
        return Err(Broken::new(fault.with("name", name).with("value", shown(&value))));
    }
    value.try_iter().and_then(Iterator::collect).map_err(|error| Broken::raised(py, &format!("`{name}`"), error))
}

fn twice(name: &str, token: &str) -> Broken {
    let fault = Fault::new("`{name}` contains {token} twice");
    Broken::new(fault.with("name", name).with("token", format!("{token:?}")))
}

/// The legal actions, sorted by number.
pub(crate) fn legal_actions(object: &Bound<'_, PyAny>, rules: &Rules) -> Result<Vec<Action>, Broken> {
    let mut actions = Vec::new();
    for item in items(object, intern!(object.py(), "legal_actions"), false)? {
        let number = item.cast::<PyString>().ok().and_then(|token| rules.number(&token.to_cow().ok()?));
        let number = number.filter(|&number| (number as usize) < rules.actions.len());
        actions.push(number.ok_or_else(|| {
            Broken::new(
                Fault::new("`legal_actions` contains {token}, which is not one of the game's `actions`")
                    .with("token", shown(&item)),
            )
        })?);
    }
    actions.sort_unstable();
    if let Some(pair) = actions.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(twice("legal_actions", &rules.token(pair[0])));
    }
    Ok(actions)
}

/// The chance outcomes with their weights, in the order of the rules.
pub(crate) fn chance_outcomes(object: &Bound<'_, PyAny>, rules: &Rules) -> Result<Vec<(Action, u64)>, Broken> {
    let mut outcomes: Vec<(Action, u64)> = Vec::new();
    for item in items(object, intern!(object.py(), "chance_outcomes"), true)? {
        let (token, weight): (String, Bound<'_, PyAny>) = item.extract().map_err(|_| {
            let fault = Fault::new("`chance_outcomes` must be pairs of a token and a weight, not {value}");
            Broken::new(fault.with("value", shown(&item)))
        })?;
        let number =
            rules.number(&token).filter(|&number| number as usize >= rules.actions.len()).ok_or_else(|| {
                Broken::new(
                    Fault::new("`chance_outcomes` contains {token}, which is not one of the game's `chance` tokens")
                        .with("token", format!("{token:?}")),
                )
            })?;
        let whole = weight.is_instance_of::<PyInt>();
        let weight = weight.extract::<u64>().ok().filter(|&weight| whole && weight > 0).ok_or_else(|| {
            let fault = Fault::new("the weight of {token} must be a positive integer, not {value}");
            Broken::new(fault.with("token", format!("{token:?}")).with("value", shown(&weight)))
        })?;
        if outcomes.iter().any(|&(known, _)| known == number) {
            return Err(twice("chance_outcomes", &token));
        }
        outcomes.push((number, weight));
    }
    Ok(outcomes)
}

/// The outcome: `None`, or the winners and a reason.
pub(crate) fn outcome(object: &Bound<'_, PyAny>, seats: usize) -> Result<Option<Outcome>, Broken> {
    let py = object.py();
    let name = intern!(py, "outcome");
    let value = object.getattr(name).map_err(|error| unreadable(py, "outcome", error))?;
    if value.is_none() {
        return Ok(None);
    }
    let wrong = || {
        let fault =
            Fault::new("`outcome` must be None, or the winning seats and a reason, as ((0,), 'line'); not {value}");
        Broken::new(fault.with("value", shown(&value)))
    };
    let (winners, reason): (Vec<i64>, String) = value.extract().map_err(|_| wrong())?;
    let mut set = SeatSet::EMPTY;
    for &winner in &winners {
        if !(0..seats as i64).contains(&winner) || set.contains(winner as Seat) {
            return Err(wrong());
        }
        set = set.with(winner as Seat);
    }
    let known = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if reason.is_empty() || reason.len() > 40 || !reason.chars().all(known) {
        let fault = Fault::new("the reason of an outcome is one short word, such as 'line'; not {reason}");
        return Err(Broken::new(fault.with("reason", format!("{reason:?}"))));
    }
    Ok(Some(Outcome { winners: set, reason: interned(&reason) }))
}

/// The number of different reasons; more are not a code but a text.
const MOST_REASONS: usize = 4096;

/// The text that lives as long as the program.
pub(crate) fn interned(reason: &str) -> &'static str {
    static REASONS: Mutex<BTreeMap<String, &'static str>> = Mutex::new(BTreeMap::new());
    let mut reasons = REASONS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = reasons.get(reason) {
        return known;
    }
    if reasons.len() >= MOST_REASONS {
        return "other";
    }
    let leaked: &'static str = reason.to_owned().leak();
    reasons.insert(reason.to_owned(), leaked);
    leaked
}
