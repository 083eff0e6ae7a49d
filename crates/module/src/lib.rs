//! The library that Python loads, without code of its own. Cargo compiles it after all crates in it are compiled to the end.
//! So the binding is a crate beside it, which is compiled while the registry is.

use tavola_py as _;
