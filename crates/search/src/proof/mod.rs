//! Forced results: proofs, which no estimate enters.

pub(crate) mod deep;
pub(crate) mod prove;
pub(crate) mod root;
pub(crate) mod turns;
