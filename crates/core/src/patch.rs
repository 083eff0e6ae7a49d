//! Differences between two views, as JSON, for a client that already has the first view.
//!
//! The patch of a value is either `[after]`, which replaces it, or an object with the patches of its changed members.
//! A list's members are named by index, and its `length` stands there if it changes. Members without a patch are equal.
//! An example is `{"turn": [7], "pieces": {"length": 3, "2": [{...}]}}`. In the browser `applyPatch` in
//! `web/src/lib/api/patch.ts` applies a patch.

use serde::Serialize;
use smol_str::{SmolStr, ToSmolStr};

use crate::interned::Shared;
use crate::text::Text;
use crate::view::{ActionView, Area, Card, Cell, Counter, Curve, Mark, OutcomeView, Piece, SeatView, Shape, View};
use crate::visible_view::VisibleView;

/// A value that has patches.
trait Patch: PartialEq + Serialize {
    /// Whether a patch can name single members; otherwise it replaces the whole value.
    const BY_MEMBERS: bool = false;

    /// Whether the other is the same value in memory. Equal values may be different ones in memory.
    fn same_in_memory(&self, _after: &Self) -> bool {
        false
    }

    /// Writes the patch that leads to `after`. Writes nothing and returns `false` if the values are equal.
    fn patch(&self, after: &Self, json: &mut Vec<u8>) -> bool {
        if self == after {
            return false;
        }
        replace(after, json);
        true
    }
}

/// The patch between two views, without the legal actions, which are the only part that depends on the viewer.
#[derive(Debug)]
pub struct ViewPatch {
    /// The changed members, as an object without its closing brace.
    members: Vec<u8>,
}

impl ViewPatch {
    /// Computes the patch from one view to another.
    pub fn new(before: &View, after: &View) -> Self {
        let mut members = Vec::with_capacity(1024);
        if before.visible(false).patch(&after.visible(false), &mut members) {
            members.pop(); // the brace
        }
        Self { members }
    }

    /// The whole patch for a viewer with these actions before and after; `None` if nothing changes.
    pub fn with_actions(&self, before: &[Shared<ActionView>], after: &[Shared<ActionView>]) -> Option<Vec<u8>> {
        let mut json = Vec::with_capacity(self.members.len() + 1024);
        json.extend_from_slice(&self.members);
        patch_member("actions", before, after, 0, &mut json);
        end_object(0, &mut json).then_some(json)
    }
}

fn write(value: &(impl Serialize + ?Sized), json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("views are plain data");
}

fn replace(value: &(impl Serialize + ?Sized), json: &mut Vec<u8>) {
    json.push(b'[');
    write(value, json);
    json.push(b']');
}

/// Begins a member of the object that starts at byte `start`.
fn write_key(key: &str, start: usize, json: &mut Vec<u8>) {
    json.extend_from_slice(if json.len() == start { b"{\"" } else { b",\"" });
    json.extend_from_slice(key.as_bytes());
    json.extend_from_slice(b"\":");
}

/// Writes the patch of a member of the object that starts at byte `start`, unless the member is equal.
fn patch_member<T: Patch + ?Sized>(key: &str, before: &T, after: &T, start: usize, json: &mut Vec<u8>) {
    if !T::BY_MEMBERS && before == after {
        return;
    }
    let end = json.len();
    write_key(key, start, json);
    if !before.patch(after, json) {
        json.truncate(end);
    }
}

/// Closes the object that starts at byte `start`; returns `false` if it has no members.
fn end_object(start: usize, json: &mut Vec<u8>) -> bool {
    let any = json.len() > start;
    if any {
        json.push(b'}');
    }
    any
}

impl<T: Patch> Patch for [T] {
    const BY_MEMBERS: bool = true;

    fn patch(&self, after: &Self, json: &mut Vec<u8>) -> bool {
        let common = self.len().min(after.len());
        let mut changed: Vec<usize> = (0..common).filter(|&index| !self[index].same_in_memory(&after[index])).collect();
        if !T::BY_MEMBERS {
            changed.retain(|&index| self[index] != after[index]);
        }
        // Where most of a list is new, the whole list is shorter than its patch.
        let replaced = if T::BY_MEMBERS { 0 } else { changed.len() };
        if 4 * (replaced + after.len() - common) > 3 * after.len() {
            replace(after, json);
            return true;
        }
        let start = json.len();
        if self.len() != after.len() {
            write_key("length", start, json);
            write(&after.len(), json);
        }
        changed.extend(common..after.len());
        for index in changed {
            let key = index.to_smolstr();
            if let Some(before) = self.get(index) {
                patch_member(&key, before, &after[index], start, json);
            } else {
                write_key(&key, start, json);
                replace(&after[index], json);
            }
        }
        end_object(start, json)
    }
}

impl<T: Patch> Patch for Vec<T> {
    const BY_MEMBERS: bool = true;

    fn patch(&self, after: &Self, json: &mut Vec<u8>) -> bool {
        self.as_slice().patch(after, json)
    }
}

impl<T: Patch + ?Sized> Patch for &T {
    const BY_MEMBERS: bool = T::BY_MEMBERS;

    fn patch(&self, after: &Self, json: &mut Vec<u8>) -> bool {
        (**self).patch(after, json)
    }
}

impl<T: Patch> Patch for Shared<T> {
    const BY_MEMBERS: bool = T::BY_MEMBERS;

    fn same_in_memory(&self, after: &Self) -> bool {
        self.ptr_eq(after)
    }

    fn patch(&self, after: &Self, json: &mut Vec<u8>) -> bool {
        !self.ptr_eq(after) && (**self).patch(after, json)
    }
}

/// Types that a patch replaces whole: they are small, or seldom differ in one member alone.
macro_rules! replaced_whole {
    ($($type:ty),+) => { $(impl Patch for $type {})+ };
}

replaced_whole!(
    i64,
    u8,
    u32,
    f64,
    SmolStr,
    Text,
    Shape,
    Mark,
    Piece,
    Curve,
    ActionView,
    OutcomeView,
    (SmolStr, SmolStr)
);

impl<T: PartialEq + Serialize> Patch for Option<T> {}

/// Types with a patch by members. Names every member, so that the compiler reports a missing one.
macro_rules! by_members {
    ($type:ty: $($member:ident),+) => {
        impl Patch for $type {
            const BY_MEMBERS: bool = true;

            fn patch(&self, after: &Self, json: &mut Vec<u8>) -> bool {
                let Self { $($member),+ } = self;
                let start = json.len();
                $(patch_member(stringify!($member), $member, &after.$member, start, json);)+
                end_object(start, json)
            }
        }
    };
}

by_members!(VisibleView<'_>: game, to_act, turn, prompt, areas, pieces, seats, supply, cards, lines, actions, outcome);
by_members!(Area: id, shape, label, size, cells);
by_members!(Cell: id, x, y, symbol, label, marks, value, part_of);
by_members!(SeatView: seat, name, symbol, counters);
by_members!(Counter: id, label, value, of, symbol);
by_members!(Card: id, symbol, title, text, cells, links);

#[cfg(test)]
mod tests {
    use super::*;

    fn patch_of<T: Patch + ?Sized>(before: &T, after: &T) -> Option<String> {
        let mut json = Vec::new();
        before.patch(after, &mut json).then(|| String::from_utf8(json).expect("JSON"))
    }

    fn list_patch(before: &[i64], after: &[i64]) -> Option<String> {
        patch_of(before, after)
    }

    #[test]
    fn lists_differ_by_index() {
        assert_eq!(list_patch(&[1, 2, 3, 4], &[1, 2, 3, 4]), None);
        assert_eq!(list_patch(&[1, 2, 3, 4], &[1, 5, 3, 4]).as_deref(), Some(r#"{"1":[5]}"#));
        assert_eq!(list_patch(&[1, 2, 3, 4], &[1, 2, 3]).as_deref(), Some(r#"{"length":3}"#));
        assert_eq!(list_patch(&[1, 2, 3], &[1, 7, 3, 4]).as_deref(), Some(r#"{"length":4,"1":[7],"3":[4]}"#));
        assert_eq!(list_patch(&[1], &[]).as_deref(), Some(r#"{"length":0}"#));
    }

    #[test]
    fn a_list_that_is_mostly_new_is_replaced() {
        assert_eq!(list_patch(&[], &[1, 2]).as_deref(), Some("[[1,2]]"));
        assert_eq!(list_patch(&[1, 2, 3, 4], &[5, 6, 7, 8]).as_deref(), Some("[[5,6,7,8]]"));
    }

    fn counter(value: i64) -> Counter {
        Counter { id: "n".into(), label: Text::new("n"), value, of: None, symbol: None }
    }

    #[test]
    fn a_struct_differs_by_its_members() {
        assert_eq!(patch_of(&counter(1), &counter(1)), None);
        assert_eq!(patch_of(&counter(1), &counter(2)).as_deref(), Some(r#"{"value":[2]}"#));
        assert_eq!(patch_of(&vec![counter(1)], &vec![counter(2)]).as_deref(), Some(r#"{"0":{"value":[2]}}"#));
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
            actions: actions.iter().map(action).map(Shared::from).collect(),
            outcome: None,
        }
    }

    #[test]
    fn a_diff_for_the_seat_to_act_contains_its_actions() {
        let (before, after) = (view(1, &["a", "b"]), view(2, &["a"]));
        let patch = ViewPatch::new(&before, &after);
        let patch_of = |before: &View, after: &View| {
            patch.with_actions(&before.actions, &after.actions).map(|json| String::from_utf8(json).expect("JSON"))
        };
        let all = r#"{"turn":[2]"#;
        assert_eq!(patch_of(&before, &after), Some(format!(r#"{all},"actions":{{"length":1}}}}"#)));
        assert_eq!(patch_of(&view(1, &[]), &view(1, &[])), Some(format!("{all}}}")));

        let none = ViewPatch::new(&after, &after);
        assert_eq!(none.with_actions(&after.actions, &after.actions), None);
        assert_eq!(none.with_actions(&after.actions, &[]).as_deref(), Some(&br#"{"actions":{"length":0}}"#[..]));
    }
}
