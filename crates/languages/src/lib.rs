//! The build script of the core and of each game: lists the files of every language, so that a file alone adds one.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders whose files are named by languages: that of the core, then those of a game.
const FOLDERS: [&str; 4] = ["locales", "rules", "art/words", "art/words/lessons"];

/// Writes a list for each folder of the package. `tavola_core::languages!` inserts it.
///
/// # Panics
/// Outside a build script, or if a folder cannot be read or written.
pub fn list() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo names the package"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names the folder"));
    println!("cargo::rerun-if-changed=build.rs");
    for folder in FOLDERS {
        let from = package.join(folder);
        if from.is_dir() {
            println!("cargo::rerun-if-changed={folder}");
        }
        let list = out.join(folder).with_extension("rs");
        fs::create_dir_all(list.parent().expect("a folder")).expect("a writable folder");
        fs::write(list, listed(&from)).expect("a writable folder");
    }
}

/// A Rust expression: pairs of a language of a folder and the text of its file.
fn listed(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    let mut list = String::from("&[");
    for file in files.iter().filter(|file| file.is_file()) {
        let language = file.file_stem().and_then(|stem| stem.to_str()).expect("a name in Unicode");
        // Codes of languages have two or three letters; a folder may have other files.
        if (2..=3).contains(&language.len()) {
            let path = file.to_str().expect("a path in Unicode");
            write!(list, "({language:?}, include_str!({path:?})), ").expect("a String takes all");
        }
    }
    list + "]"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_adds_a_language() {
        let folder = env::temp_dir().join(format!("tavola-languages-{}", std::process::id()));
        fs::create_dir(&folder).expect("a new folder");
        let names = ["en.md", "clauses.md", "xx.md"];
        for name in names {
            fs::write(folder.join(name), name).expect("a writable folder");
        }
        let path = |name: &str| folder.join(name).to_str().expect("a path in Unicode").to_owned();
        let pairs =
            format!(r#"&[("en", include_str!({:?})), ("xx", include_str!({:?})), ]"#, path("en.md"), path("xx.md"));
        let list = listed(&folder);
        fs::remove_dir_all(&folder).expect("a folder of ours");
        assert_eq!(list, pairs);
        assert_eq!(listed(&folder), "&[]");
    }
}
