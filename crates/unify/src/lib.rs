//! Empty. Cargo compiles all packages of one command with the same features, and here `syn` gets those of `crates/py`.
//! `make` compiles this crate with the games. Without it, `crates/py` would compile them again with another `syn`.
