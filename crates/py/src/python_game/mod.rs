//! Games whose rules are a Python class.
//!
//! [`PythonGame`] implements the traits of a game by calls into Python. So the search, playouts, views, records and
//! every other generic function work with it as with a compiled game.
//!
//! The traits of a game cannot fail, and Python can. A failure is counted in [`Failures`], and the state becomes a draw
//! that is over, so that every generic function ends. The binding compares the count before and after each call and
//! raises the failure. See [`guarded`].

mod attach;
mod broken;
mod convert;
mod draw;
mod evaluation;
mod events;
mod failures;
mod fault;
mod game;
mod guard;
mod observation;
mod playout;
mod registry;
mod rules;
mod state;
mod view;

pub(crate) use attach::interrupt_rules;
pub(crate) use convert::interned;
pub(crate) use guard::{failed, guarded};
pub(crate) use registry::{find, names, open, register, registrations, unregister};
