//! Parts of views: what many views show alike is one thing in memory, and written as JSON once.

use std::borrow::Cow;
use std::ops::Deref;
use std::ptr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// A part of a view: a cell, a piece, an action. To clone it is cheap; read it as what it holds.
#[derive(Debug)]
pub struct Part<T: 'static>(Held<T>);

/// What lasts is there for good: nobody counts who shows it, so that to clone or drop it touches nothing.
#[derive(Debug)]
enum Held<T: 'static> {
    Lasting(&'static Lasting<T>),
    Passing(Arc<T>),
}

#[derive(Debug)]
struct Lasting<T> {
    value: T,
    written: Box<RawValue>,
}

impl<T: Serialize> Part<T> {
    /// A part that will be shown often: it is written now, and never again. Its memory is never given back.
    pub fn lasting(value: T) -> Self {
        let written = to_raw_value(&value).expect("views are plain data");
        Self(Held::Lasting(Box::leak(Box::new(Lasting { value, written }))))
    }
}

impl<T> Part<T> {
    /// Whether the other is the same thing in memory; what comes from a [`Stock`](crate::Stock) is, if it is equal.
    pub fn is(&self, other: &Self) -> bool {
        ptr::eq(&raw const **self, &raw const **other)
    }
}

impl<T> From<T> for Part<T> {
    fn from(value: T) -> Self {
        Self(Held::Passing(Arc::new(value)))
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Held::Lasting(lasting) => &lasting.value,
            Held::Passing(value) => value,
        }
    }
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Held::Lasting(lasting) => Held::Lasting(lasting),
            Held::Passing(value) => Held::Passing(Arc::clone(value)),
        })
    }
}

impl<T: PartialEq> PartialEq for Part<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is(other) || **self == **other
    }
}

impl<T: Serialize> Serialize for Part<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Held::Lasting(lasting) => lasting.written.serialize(serializer),
            Held::Passing(value) => value.serialize(serializer),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Part<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_written_as_what_does_not() {
        let texts = ["plain", "with \"quotes\"", "石"];
        for text in texts {
            let (lasting, passing) = (Part::lasting(text), Part::from(text));
            assert!(lasting == passing && !lasting.is(&passing) && lasting.is(&lasting.clone()));
            let json = serde_json::to_string(&passing).expect("plain data");
            assert_eq!(serde_json::to_string(&lasting).expect("plain data"), json);
            assert_eq!(serde_json::to_value(&lasting).expect("plain data"), text);
        }
    }
}
