//! Both ends of a line that is too long to be held: enough to find out who asked.

use std::fmt;

use rmcp::model::RequestId;
use serde::{
    Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Map, Value};

/// Bytes that are kept of each end.
const KEPT: usize = 4 * 1024;

/// What is left of the line so far.
#[derive(Debug, Default)]
pub(super) struct Overlong {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Overlong {
    /// Takes the next bytes of the line.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        let free = KEPT.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..free]);
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(KEPT)..]);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT));
    }

    /// The id of the request, if it stands at one of the ends.
    pub(super) fn id(&self) -> Option<RequestId> {
        let is_object = self.head.trim_ascii_start().starts_with(b"{");
        let found = id_at_the_head(&self.head).or_else(|| id_at_the_tail(&self.tail));
        serde_json::from_value(found.filter(|_| is_object)?).ok()
    }
}

/// Reads the object as far as the bytes go.
fn id_at_the_head(head: &[u8]) -> Option<Value> {
    struct Reader<'a>(&'a mut Option<Value>);

    impl<'de> Visitor<'de> for Reader<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a request")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
            while let Some(name) = object.next_key::<String>()? {
                if name == "id" {
                    *self.0 = Some(object.next_value()?);
                    return Ok(());
                }
                object.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }

    let mut found = None;
    // It ends in the middle of something, so the error says nothing.
    drop(serde_json::Deserializer::from_slice(head).deserialize_map(Reader(&mut found)));
    found
}

/// The last `"id"` behind which the line ends as the outermost object does: with one brace.
fn id_at_the_tail(tail: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(tail);
    text.rmatch_indices("\"id\"").take(16).find_map(|(at, _)| {
        let begins = text[..at].trim_end().ends_with([',', '{']);
        let rest = format!("{{{}", &text[at..]);
        serde_json::from_str::<Map<String, Value>>(&rest).ok().filter(|_| begins)?.remove("id")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(line: &str) -> Option<RequestId> {
        let mut overlong = Overlong::default();
        line.as_bytes().chunks(1_000).for_each(|chunk| overlong.take(chunk));
        overlong.id()
    }

    #[test]
    fn finds_the_id_at_either_end() {
        let long = format!(r#"{{"content":"{}","id":7,"x":"\"id\":8}}"}}"#, "\\\"id\\\":9,".repeat(5_000));
        let seven = Some(RequestId::Number(7));
        for line in [
            format!(r#"{{"jsonrpc":"2.0","id":7,"params":{long}}}"#),
            format!(r#"{{"method":"tools/call","params":{long},"jsonrpc":"2.0","id":7}}"#),
            format!("{{\"params\":{long}, \"id\" : 7 , \"jsonrpc\":\"2.0\"}}\r\n"),
        ] {
            assert_eq!(id(&line), seven);
        }
        assert_eq!(id(&format!(r#"{{"id":"a","params":{long}}}"#)), Some(RequestId::String("a".into())));
        for line in [format!(r#"{{"params":{long}}}"#), "x".repeat(10_000), format!("[{long}")] {
            assert_eq!(id(&line), None);
        }
    }
}
