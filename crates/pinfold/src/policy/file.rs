//! Reading a policy from the text of a JSON or TOML file.
//!
//! Whatever is wrong with the text becomes a [`Failure`] of type `bad-policy` that says where, shows the line, and for a
//! misspelt name says which one was probably meant.

use std::{ops::Range, path::Path};

use pinfold_contract::{Failure, FailureType};
use serde::de::DeserializeOwned;

pub use super::mistake::Place;
use super::{Policy, entries::Section, mistake::Mistake};

/// How the text of a policy is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, as the seeds and other programs write it.
    Json,
    /// TOML, as people write it.
    Toml,
}

impl Format {
    /// How the text of this file is written: its name says so, or its first letter.
    pub fn of(file: &Path, text: &str) -> Format {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Format::Toml,
            Some("json") => Format::Json,
            _ if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') => Format::Json,
            _ => Format::Toml,
        }
    }
}

impl Policy {
    /// Reads a policy from JSON text.
    pub fn from_json(text: &str) -> Result<Policy, Failure> {
        Policy::from_text(text, Format::Json)
    }

    /// Reads a policy from TOML text.
    pub fn from_toml(text: &str) -> Result<Policy, Failure> {
        Policy::from_text(text, Format::Toml)
    }

    /// Reads a policy from text. It has to say its `cwd`.
    pub fn from_text(text: &str, format: Format) -> Result<Policy, Failure> {
        let policy: Policy = parse(text, format)?;
        if policy.cwd.as_os_str().is_empty() {
            return Err(Failure::new(
                FailureType::BadPolicy,
                "The policy does not say which directory it is about: `cwd` is missing.",
            )
            .hint(
                "Add `cwd`, the absolute path of the workspace's root, or give the root beside the file.",
            ));
        }
        Ok(policy)
    }

    /// Reads a policy from text, for the workspace at `root`, whatever `cwd` the text gives. `root` is absolute.
    pub fn from_text_at(text: &str, format: Format, root: &Path) -> Result<Policy, Failure> {
        let mut policy: Policy = parse(text, format)?;
        policy.cwd = root.to_path_buf();
        Ok(policy)
    }
}

/// The failure with the place in `text` that it is about: line, column, and the line with `span` underlined.
pub fn pointed_at(failure: Failure, text: &str, span: &Range<usize>) -> Failure {
    let place = Place::of(text, span);
    let message = format!("At {place}: {}\n{}", failure.message(), place.drawing);
    failure.saying(message)
}

/// What is written, field by field; the `cwd` of a policy is empty when it is absent.
pub(super) fn parse<T: DeserializeOwned>(text: &str, format: Format) -> Result<T, Failure> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let written: Result<Section<T>, Failure> = match format {
        Format::Json => serde_json::from_str(text).map_err(|error| Mistake::in_json(text, &error).failure()),
        Format::Toml => toml::from_str(text).map_err(|error| Mistake::in_toml(text, &error).failure()),
    };
    written.map(|Section(written)| written)
}

#[cfg(test)]
mod tests;
