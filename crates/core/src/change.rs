//! What makes one view of another, as JSON: whoever has the one is told only that.
//!
//! The change of a value is either `[after]`: it is another, or an object: some of its members change, those of a list
//! by their places, and its `length` if that is another. What is not named is as it was. `{"turn": [7], "pieces":
//! {"length": 3, "2": [{...}]}}` is one; in the browser `changed` in `web/src/lib/changes.ts` does it.

use serde::Serialize;

use crate::text::Text;
use crate::view::{ActionView, Area, Card, Cell, Counter, Line, Mark, OutcomeView, Piece, SeatView, Shape, Shown};

/// Something of which a change can be told.
trait Differ: PartialEq + Serialize {
    /// Writes what makes `after` of it; nothing, and `false`, if they are the same.
    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        if self == after {
            return false;
        }
        to.push(b'[');
        write(after, to);
        to.push(b']');
        true
    }
}

/// What makes one view of another; `None` if they are the same.
pub fn changes(before: &Shown<'_>, after: &Shown<'_>) -> Option<Vec<u8>> {
    let mut written = Vec::with_capacity(1024);
    before.change(after, &mut written).then_some(written)
}

fn write(value: &(impl Serialize + ?Sized), to: &mut Vec<u8>) {
    serde_json::to_writer(to, value).expect("views are plain data");
}

/// Writes a member of an object that begins at a place, if it changes.
fn member<T: Differ + ?Sized>(name: &str, before: &T, after: &T, began: usize, to: &mut Vec<u8>) {
    let kept = to.len();
    to.push(if kept == began { b'{' } else { b',' });
    write(name, to);
    to.push(b':');
    if !before.change(after, to) {
        to.truncate(kept);
    }
}

/// Ends an object that begins at a place; `false` if there is none.
fn end(began: usize, to: &mut Vec<u8>) -> bool {
    let any = to.len() > began;
    if any {
        to.push(b'}');
    }
    any
}

impl<T: Differ> Differ for [T] {
    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        let others = self.iter().zip(after).filter(|(one, other)| one != other).count();
        // A list of which most is new is cheaper read anew than mended.
        if 4 * (others + after.len().saturating_sub(self.len())) > 3 * after.len() {
            to.push(b'[');
            write(after, to);
            to.push(b']');
            return true;
        }
        let began = to.len();
        if self.len() != after.len() {
            to.extend_from_slice(b"{\"length\":");
            write(&after.len(), to);
        }
        for (place, (one, other)) in self.iter().zip(after).enumerate().filter(|(_, (one, other))| one != other) {
            member(&place.to_string(), one, other, began, to);
        }
        for (place, new) in after.iter().enumerate().skip(self.len()) {
            to.extend_from_slice(if to.len() == began { b"{" } else { b"," });
            write(&place.to_string(), to);
            to.extend_from_slice(b":[");
            write(new, to);
            to.push(b']');
        }
        end(began, to)
    }
}

impl<T: Differ> Differ for Vec<T> {
    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        self.as_slice().change(after.as_slice(), to)
    }
}

impl<T: Differ + ?Sized> Differ for &T {
    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        (**self).change(after, to)
    }
}

/// What is told whole when it is another: it is small, or seldom another in a part alone.
macro_rules! whole {
    ($($type:ty),+) => { $(impl Differ for $type {})+ };
}

whole!(i64, u8, u32, f64, String, Text, Shape, Mark, Piece, Line, ActionView, OutcomeView, (String, String));

impl<T: PartialEq + Serialize> Differ for Option<T> {}

/// What is told by its members.
macro_rules! by_members {
    ($type:ty: $($member:ident),+) => {
        impl Differ for $type {
            fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
                let Self { $($member),+ } = self; // each of them
                let began = to.len();
                $(member(stringify!($member), $member, &after.$member, began, to);)+
                end(began, to)
            }
        }
    };
}

by_members!(Shown<'_>: game, to_act, turn, prompt, areas, pieces, seats, supply, cards, lines, actions, outcome);
by_members!(Area: id, shape, label, cells);
by_members!(Cell: id, x, y, symbol, label, marks, value, part_of);
by_members!(SeatView: seat, name, symbol, counters);
by_members!(Counter: id, label, value, of, symbol);
by_members!(Card: id, symbol, title, text, cells, links);

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &[i64], after: &[i64]) -> Option<String> {
        let mut written = Vec::new();
        before.change(after, &mut written).then(|| String::from_utf8(written).expect("JSON"))
    }

    #[test]
    fn lists_change_by_their_places() {
        assert_eq!(told(&[1, 2, 3, 4], &[1, 2, 3, 4]), None);
        assert_eq!(told(&[1, 2, 3, 4], &[1, 5, 3, 4]).as_deref(), Some(r#"{"1":[5]}"#));
        assert_eq!(told(&[1, 2, 3, 4], &[1, 2, 3]).as_deref(), Some(r#"{"length":3}"#));
        assert_eq!(told(&[1, 2, 3], &[1, 7, 3, 4]).as_deref(), Some(r#"{"length":4,"1":[7],"3":[4]}"#));
        assert_eq!(told(&[1], &[]).as_deref(), Some(r#"{"length":0}"#));
    }

    #[test]
    fn a_list_of_which_most_is_new_is_told_whole() {
        assert_eq!(told(&[], &[1, 2]).as_deref(), Some("[[1,2]]"));
        assert_eq!(told(&[1, 2, 3, 4], &[5, 6, 7, 8]).as_deref(), Some("[[5,6,7,8]]"));
    }

    #[test]
    fn what_has_members_changes_by_them() {
        let counter = |value| Counter { id: "n".into(), label: Text::new("n"), value, of: None, symbol: None };
        let mut written = Vec::new();
        assert!(!counter(1).change(&counter(1), &mut written) && written.is_empty());
        assert!(counter(1).change(&counter(2), &mut written));
        assert_eq!(written, br#"{"value":[2]}"#);
    }
}
