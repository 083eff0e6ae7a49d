//! What makes one view of another, as JSON: whoever has the one is told only that.
//!
//! The change of a value is either `[after]`: it is another, or an object: some of its members change, those of a list
//! by their places, and its `length` if that is another. What is not named is as it was. `{"turn": [7], "pieces":
//! {"length": 3, "2": [{...}]}}` is one; in the browser `applyDiff` in `web/src/lib/api/diff.ts` does it.

use serde::Serialize;
use smol_str::{SmolStr, ToSmolStr};

use crate::part::Part;
use crate::text::Text;
use crate::view::{
    ActionView, Area, Card, Cell, Counter, Line, Mark, OutcomeView, Piece, SeatView, Shape, Shown, View,
};

/// Something of which a change can be told.
trait Differ: PartialEq + Serialize {
    /// Whether a change of it can be told in parts.
    const IN_PARTS: bool = false;

    /// Whether the other is seen at a look to be the same; if not, it may be so all the same.
    fn is(&self, _after: &Self) -> bool {
        false
    }

    /// Writes what makes `after` of it; nothing, and it is `false`, if that is the same.
    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        if self == after {
            return false;
        }
        whole(after, to);
        true
    }
}

/// What makes one view of another, for all who see them alike.
#[derive(Debug)]
pub struct Changes {
    /// The members that change, actions left out, as an object that is not closed yet.
    members: Vec<u8>,
}

impl Changes {
    /// What changes from one view to another.
    pub fn new(before: &View, after: &View) -> Self {
        // Nobody is to choose: the actions are those of one viewer.
        let mut members = Vec::with_capacity(1024);
        if before.shown(false).change(&after.shown(false), &mut members) {
            members.pop(); // the brace
        }
        Self { members }
    }

    /// The same for somebody who was shown these actions and is shown those; `None` if nothing changes.
    pub fn with_actions(&self, before: &[Part<ActionView>], after: &[Part<ActionView>]) -> Option<Vec<u8>> {
        let mut written = Vec::with_capacity(self.members.len() + 1024);
        written.extend_from_slice(&self.members);
        member("actions", before, after, 0, &mut written);
        end(0, &mut written).then_some(written)
    }
}

fn write(value: &(impl Serialize + ?Sized), to: &mut Vec<u8>) {
    serde_json::to_writer(to, value).expect("views are plain data");
}

fn whole(value: &(impl Serialize + ?Sized), to: &mut Vec<u8>) {
    to.push(b'[');
    write(value, to);
    to.push(b']');
}

/// Begins a member of an object that begins at a place.
fn name(name: &str, began: usize, to: &mut Vec<u8>) {
    to.extend_from_slice(if to.len() == began { b"{\"" } else { b",\"" });
    to.extend_from_slice(name.as_bytes());
    to.extend_from_slice(b"\":");
}

/// Writes a member of an object that begins at a place, if it changes.
fn member<T: Differ + ?Sized>(called: &str, before: &T, after: &T, began: usize, to: &mut Vec<u8>) {
    if !T::IN_PARTS && before == after {
        return;
    }
    let named = to.len();
    name(called, began, to);
    if !before.change(after, to) {
        to.truncate(named);
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
    const IN_PARTS: bool = true;

    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        let kept = self.len().min(after.len());
        let mut others: Vec<usize> = (0..kept).filter(|&place| !self[place].is(&after[place])).collect();
        if !T::IN_PARTS {
            others.retain(|&place| self[place] != after[place]);
        }
        // A list of which most is new is cheaper read anew than mended.
        let replaced = if T::IN_PARTS { 0 } else { others.len() };
        if 4 * (replaced + after.len() - kept) > 3 * after.len() {
            whole(after, to);
            return true;
        }
        let began = to.len();
        if self.len() != after.len() {
            name("length", began, to);
            write(&after.len(), to);
        }
        others.extend(kept..after.len());
        for place in others {
            let called = place.to_smolstr();
            if let Some(one) = self.get(place) {
                member(&called, one, &after[place], began, to);
            } else {
                name(&called, began, to);
                whole(&after[place], to);
            }
        }
        end(began, to)
    }
}

impl<T: Differ> Differ for Vec<T> {
    const IN_PARTS: bool = true;

    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        self.as_slice().change(after, to)
    }
}

impl<T: Differ + ?Sized> Differ for &T {
    const IN_PARTS: bool = T::IN_PARTS;

    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        (**self).change(after, to)
    }
}

impl<T: Differ> Differ for Part<T> {
    const IN_PARTS: bool = T::IN_PARTS;

    fn is(&self, after: &Self) -> bool {
        // What comes from a stock is the same thing.
        Self::is(self, after)
    }

    fn change(&self, after: &Self, to: &mut Vec<u8>) -> bool {
        !Self::is(self, after) && (**self).change(after, to)
    }
}

/// What is told whole when it is another: it is small, or seldom another in a part alone.
macro_rules! as_a_whole {
    ($($type:ty),+) => { $(impl Differ for $type {})+ };
}

as_a_whole!(i64, u8, u32, f64, SmolStr, Text, Shape, Mark, Piece, Line, ActionView, OutcomeView, (SmolStr, SmolStr));

impl<T: PartialEq + Serialize> Differ for Option<T> {}

/// What is told by its members.
macro_rules! by_members {
    ($type:ty: $($member:ident),+) => {
        impl Differ for $type {
            const IN_PARTS: bool = true;

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

    fn told<T: Differ + ?Sized>(before: &T, after: &T) -> Option<String> {
        let mut written = Vec::new();
        before.change(after, &mut written).then(|| String::from_utf8(written).expect("JSON"))
    }

    fn list(before: &[i64], after: &[i64]) -> Option<String> {
        told(before, after)
    }

    #[test]
    fn lists_change_by_their_places() {
        assert_eq!(list(&[1, 2, 3, 4], &[1, 2, 3, 4]), None);
        assert_eq!(list(&[1, 2, 3, 4], &[1, 5, 3, 4]).as_deref(), Some(r#"{"1":[5]}"#));
        assert_eq!(list(&[1, 2, 3, 4], &[1, 2, 3]).as_deref(), Some(r#"{"length":3}"#));
        assert_eq!(list(&[1, 2, 3], &[1, 7, 3, 4]).as_deref(), Some(r#"{"length":4,"1":[7],"3":[4]}"#));
        assert_eq!(list(&[1], &[]).as_deref(), Some(r#"{"length":0}"#));
    }

    #[test]
    fn a_list_of_which_most_is_new_is_told_whole() {
        assert_eq!(list(&[], &[1, 2]).as_deref(), Some("[[1,2]]"));
        assert_eq!(list(&[1, 2, 3, 4], &[5, 6, 7, 8]).as_deref(), Some("[[5,6,7,8]]"));
    }

    fn counter(value: i64) -> Counter {
        Counter { id: "n".into(), label: Text::new("n"), value, of: None, symbol: None }
    }

    #[test]
    fn what_has_members_changes_by_them() {
        assert_eq!(told(&counter(1), &counter(1)), None);
        assert_eq!(told(&counter(1), &counter(2)).as_deref(), Some(r#"{"value":[2]}"#));
        assert_eq!(told(&vec![counter(1)], &vec![counter(2)]).as_deref(), Some(r#"{"0":{"value":[2]}}"#));
    }

    fn view(turn: u32, actions: &[&str]) -> View {
        let action = |token: &&str| ActionView {
            token: (*token).into(),
            touches: Vec::new(),
            any_order: false,
            turn: None,
            label: Text::new("do"),
            kind: "do".into(),
            preview: Vec::new(),
            warning: None,
        };
        View {
            game: "any".into(),
            to_act: Some(0),
            turn,
            prompt: Text::new("any"),
            areas: Vec::new(),
            pieces: Vec::new(),
            seats: Vec::new(),
            supply: Vec::new(),
            cards: Vec::new(),
            lines: Vec::new(),
            actions: actions.iter().map(action).map(Part::from).collect(),
            outcome: None,
        }
    }

    #[test]
    fn who_chooses_is_told_what_there_is_to_choose() {
        let (before, after) = (view(1, &["a", "b"]), view(2, &["a"]));
        let changes = Changes::new(&before, &after);
        let told = |before: &View, after: &View| {
            changes.with_actions(&before.actions, &after.actions).map(|json| String::from_utf8(json).expect("JSON"))
        };
        let all = r#"{"turn":[2]"#;
        assert_eq!(told(&before, &after), Some(format!(r#"{all},"actions":{{"length":1}}}}"#)));
        assert_eq!(told(&view(1, &[]), &view(1, &[])), Some(format!("{all}}}")));

        let none = Changes::new(&after, &after);
        assert_eq!(none.with_actions(&after.actions, &after.actions), None);
        assert_eq!(none.with_actions(&after.actions, &[]).as_deref(), Some(&br#"{"actions":{"length":0}}"#[..]));
    }
}
