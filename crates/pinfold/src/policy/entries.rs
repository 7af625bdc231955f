//! Single values of a policy file that are more than a string: each is looked at where it stands, so that an error
//! points at it, and not at the list around it.

use std::{collections::BTreeMap, fmt, marker::PhantomData, path::Path};

use pinfold_jail::{Dialect, Glob};
use pinfold_shell::{Argv, Rules};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};

use crate::gate::denials;

/// What one string has to be.
pub(super) trait Entry {
    /// What is told to whoever writes something else than a string.
    const EXPECTED: &'static str;

    /// Says what is wrong with `text`, and what to write.
    fn check(text: &str) -> Result<(), String>;
}

/// The root of a workspace.
pub(super) enum Root {}

impl Entry for Root {
    const EXPECTED: &'static str = "the absolute path of a directory, such as `\"/srv/shop\"`";

    fn check(text: &str) -> Result<(), String> {
        if !text.is_empty() && text.trim_end_matches('/').is_empty() {
            return Err(
                "`/` is the whole machine, so nothing would be kept out: write the directory that the agent works in"
                    .into(),
            );
        }
        AbsolutePath::check(text)
    }
}

/// A directory outside the root.
pub(super) enum AbsolutePath {}

impl Entry for AbsolutePath {
    const EXPECTED: &'static str = "the absolute path of a directory, such as `\"/srv/docs\"`";

    fn check(text: &str) -> Result<(), String> {
        if Path::new(text).is_absolute() {
            return Ok(());
        }
        let instead = match text.strip_prefix("~/") {
            Some(_) => "`~` is not expanded: write it from `/`",
            None => "a policy means the same wherever it is read: write it from `/`",
        };
        Err(format!("the path `{text}` is relative, and {instead}"))
    }
}

/// A glob of what is denied.
pub(super) enum DenyGlob {}

impl Entry for DenyGlob {
    const EXPECTED: &'static str = "a glob, such as `\"secrets\"`, `\"*.pem\"` or `\"config/**\"`";

    fn check(text: &str) -> Result<(), String> {
        denials::readable(text).map_err(|why| unusable(text, &why))
    }
}

/// A glob of what is left out of listings.
pub(super) enum PlainGlob {}

impl Entry for PlainGlob {
    const EXPECTED: &'static str = "a glob, such as `\"target\"` or `\"*.o\"`";

    fn check(text: &str) -> Result<(), String> {
        let read = Glob::at_any_depth(text, Dialect::Plain);
        read.map(drop).map_err(|why| unusable(text, &why.to_string()))
    }
}

/// A line as of `.gitignore`.
pub(super) enum IgnoreLine {}

impl Entry for IgnoreLine {
    const EXPECTED: &'static str = "a line as of `.gitignore`, such as `\"dist/\"` or `\"*.log\"`";

    fn check(text: &str) -> Result<(), String> {
        let says_nothing = text.trim().is_empty() || text.starts_with('#');
        let read = ignore::gitignore::GitignoreBuilder::new("/").add_line(None, text).map(drop);
        match read {
            _ if says_nothing => Err(format!("the line `{text}` says nothing: name what to leave out")),
            Err(why) => Err(format!("the line `{text}` cannot be read as one of `.gitignore`: {why}")),
            Ok(()) => Ok(()),
        }
    }
}

fn unusable(glob: &str, why: &str) -> String {
    format!(
        "the glob `{glob}` cannot be used: {why}. Globs count from the root: `secrets`, `*.pem`, `config/**`; only `*`, \
         `**` and `?` are special"
    )
}

/// A name of the deny list.
pub(super) enum DeniedProgram {}

impl Entry for DeniedProgram {
    const EXPECTED: &'static str = "the name of a program, such as `\"curl\"`";

    fn check(text: &str) -> Result<(), String> {
        Rules::new(None, vec![text.to_owned()]).map(drop).map_err(|why| why.to_string())
    }
}

/// The name of an environment variable.
pub(super) enum VariableName {}

impl Entry for VariableName {
    const EXPECTED: &'static str = "the name of an environment variable, such as `\"PATH\"`";

    fn check(text: &str) -> Result<(), String> {
        if let Some((name, _)) = text.split_once('=') {
            return Err(format!(
                "`{text}` is a name with a value: write `{name}` here, or set it in the table `env` of `[shell]`"
            ));
        }
        if text.is_empty() || text.contains(['\0', '$', ' ']) {
            return Err(format!(
                "`{text}` cannot be the name of an environment variable: write it as in `PATH`"
            ));
        }
        Ok(())
    }
}

/// A command line without a shell.
pub(super) enum CommandLine {}

impl Entry for CommandLine {
    const EXPECTED: &'static str = "a command line, such as `\"cargo test\"`";

    fn check(text: &str) -> Result<(), String> {
        if text.trim().is_empty() {
            return Err("the command is blank: write it, or leave the field out".to_owned());
        }
        let read = Argv::parse(text);
        read.map(drop).map_err(|no| {
            let hint = no.hint().unwrap_or_default();
            format!("`{text}` is no plain command line. {} {hint}", no.message())
        })
    }
}

/// One string.
struct One<E>(PhantomData<E>);

impl<'de, E: Entry> DeserializeSeed<'de> for One<E> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_str(self)
    }
}

impl<E: Entry> Visitor<'_> for One<E> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(E::EXPECTED)
    }

    fn visit_str<X: Error>(self, text: &str) -> Result<String, X> {
        E::check(text).map_err(X::custom)?;
        Ok(text.to_owned())
    }
}

/// Several strings.
struct Many<E>(PhantomData<E>);

impl<'de, E: Entry> Visitor<'de> for Many<E> {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list; each of its entries is {}", E::EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<String>, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = from.next_element_seed(One::<E>(PhantomData))? {
            texts.push(text);
        }
        Ok(texts)
    }
}

pub(super) fn one<'de, D: Deserializer<'de>, E: Entry, T: From<String>>(from: D) -> Result<T, D::Error> {
    One::<E>(PhantomData).deserialize(from).map(T::from)
}

pub(super) fn optional<'de, D: Deserializer<'de>, E: Entry>(from: D) -> Result<Option<String>, D::Error> {
    struct Perhaps<E>(PhantomData<E>);

    impl<'de, E: Entry> Visitor<'de> for Perhaps<E> {
        type Value = Option<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(E::EXPECTED)
        }

        fn visit_unit<X>(self) -> Result<Option<String>, X> {
            Ok(None)
        }

        fn visit_str<X: Error>(self, text: &str) -> Result<Option<String>, X> {
            One::<E>(PhantomData).visit_str(text).map(Some)
        }
    }

    from.deserialize_any(Perhaps::<E>(PhantomData))
}

pub(super) fn list<'de, D: Deserializer<'de>, E: Entry, T: From<String>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    let texts = from.deserialize_seq(Many::<E>(PhantomData))?;
    Ok(texts.into_iter().map(T::from).collect())
}

/// A list that may be absent, but is a list when it is there: null must not take a limit away.
pub(super) fn given_list<'de, D: Deserializer<'de>, E: Entry, T: From<String>>(
    from: D,
) -> Result<Option<Vec<T>>, D::Error> {
    list::<D, E, T>(from).map(Some)
}

/// Variables and their values.
pub(super) fn variables<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    struct Variables;

    impl<'de> Visitor<'de> for Variables {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table of variables, such as `{ CI = \"1\" }`")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
            let mut variables = BTreeMap::new();
            while let Some(name) = from.next_key_seed(One::<VariableName>(PhantomData))? {
                variables.insert(name, from.next_value()?);
            }
            Ok(variables)
        }
    }

    from.deserialize_map(Variables)
}

/// A section: fields with their names. Without names, values would be taken for fields by their order: `"shell": []`
/// for a shell without a limit.
pub(super) struct Section<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Section<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Section<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Section<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of named fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Section<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Section)
            }
        }

        from.deserialize_map(Fields(PhantomData))
    }
}

pub(super) fn section<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Section::deserialize(from).map(|Section(fields)| fields)
}

pub(super) fn optional_section<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Section<T>>::deserialize(from)?.map(|Section(fields)| fields))
}
