//! Entries of the allow list.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
    ser::SerializeStruct,
};

use crate::{
    argv::Argv,
    rules::{self, BadRule},
};

/// A program that may run: a basename such as `git`, or a path such as `./gradlew`.
///
/// In a policy file it is a string, or a table `{name = "git", matches = […], misses = […]}`: command lines whose
/// program the entry has to name, and such whose program it must not name. They are tried when the policy is loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowEntry {
    /// A basename, compared exactly with the last component of a command's first word; with a slash, a path that is
    /// compared exactly with the whole word, and counts from the root of the workspace.
    pub name: String,
    /// Command lines that the entry has to allow. Default: none.
    pub matches: Vec<String>,
    /// Command lines that the entry must not allow. Default: none.
    pub misses: Vec<String>,
}

impl AllowEntry {
    /// Tries the examples. Whoever makes [`Rules`](crate::Rules) of the entry calls this first.
    ///
    /// # Errors
    /// [`BadRule`] when the name is empty or has a blank, or an example does not do what it says.
    pub fn validate(&self) -> Result<(), BadRule> {
        rules::validate("allow", &self.name)?;
        for (lines, wanted) in [(&self.matches, true), (&self.misses, false)] {
            for line in lines {
                let found = Argv::parse(line).map(|argv| names(&self.name, &argv.words()[0]));
                rules::tried(&self.name, line, found, wanted)?;
            }
        }
        Ok(())
    }
}

/// Whether the entry `entry` names the program `written`.
pub(crate) fn names(entry: &str, written: &str) -> bool {
    if entry.contains('/') { entry == written } else { entry == crate::pattern::basename(written) }
}

impl<S: Into<String>> From<S> for AllowEntry {
    fn from(name: S) -> AllowEntry {
        AllowEntry { name: name.into(), ..AllowEntry::default() }
    }
}

impl Serialize for AllowEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.matches.is_empty() && self.misses.is_empty() {
            return serializer.serialize_str(&self.name);
        }
        let mut table = serializer.serialize_struct("AllowEntry", 3)?;
        table.serialize_field("name", &self.name)?;
        table.serialize_field("matches", &self.matches)?;
        table.serialize_field("misses", &self.misses)?;
        table.end()
    }
}

impl<'de> Deserialize<'de> for AllowEntry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AllowEntry, D::Error> {
        from.deserialize_any(Written)
    }
}

struct Written;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    misses: Vec<String>,
}

impl<'de> Visitor<'de> for Written {
    type Value = AllowEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a program, or a table with `name`")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<AllowEntry, E> {
        let entry = AllowEntry::from(name);
        entry.validate().map_err(E::custom)?;
        Ok(entry)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AllowEntry, A::Error> {
        let Table { name, matches, misses } = Table::deserialize(MapAccessDeserializer::new(map))?;
        let entry = AllowEntry { name, matches, misses };
        entry.validate().map_err(A::Error::custom)?;
        Ok(entry)
    }
}
