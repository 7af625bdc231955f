//! JSON texts as they come in: what serde_json passes over, and somebody may have meant, is refused.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use crate::words::clipped;

/// Reads a JSON text. In an object a name must not stand twice: serde_json would take the last, other readers take the
/// first, and so what was judged by one might not be what another one does.
///
/// # Errors
/// Those of serde_json, and `the name … stands twice`.
pub fn unambiguous(text: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice::<Unambiguous>(text).map(|Unambiguous(value)| value)
}

struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Unambiguous, D::Error> {
        from.deserialize_any(Reader).map(Unambiguous)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(Unambiguous(value)) = list.next_element()? {
            read.push(value);
        }
        Ok(read.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = object.next_key::<Cow<'_, str>>()? {
            if read.contains_key(&*name) {
                return Err(A::Error::custom(format_args!(
                    "the name `{}` stands twice in an object",
                    clipped(&name)
                )));
            }
            let Unambiguous(value) = object.next_value()?;
            read.insert(name.into_owned(), value);
        }
        Ok(read.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_serde_json_reads() {
        for text in [
            r#"{"a":[1,-2,0.5,true,null,"x\u00e9"],"b":{"a":{}}}"#,
            "[]",
            " 7 ",
            "\"\"",
            "18446744073709551615",
        ] {
            assert_eq!(unambiguous(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        }
        for text in ["", "{", "{} {}", r#""\ud800""#, "\u{1}"] {
            assert!(unambiguous(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_refused_at_any_depth_and_in_any_spelling() {
        for text in
            [r#"{"path":1,"path":2}"#, r#"[{"x":{"path":1,"y":2,"path":1}}]"#, r#"{"path":1,"p\u0061th":2}"#]
        {
            let said = unambiguous(text.as_bytes()).unwrap_err().to_string();
            assert!(said.contains("`path` stands twice"), "{said}");
        }
    }
}
