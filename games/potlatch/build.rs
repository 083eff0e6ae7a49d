//! Lists the files of every language.

fn main() {
    tavola_languages::list();
}
