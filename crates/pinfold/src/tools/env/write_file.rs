//! `write_file`: makes or replaces a whole file with exactly this text. Only a byte order mark, which a read does not show,
//! is kept of what was there.

use pinfold_contract::env::EnvWritten;
use pinfold_jail::Guard;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{At, Located, too_large};
use crate::{
    Failure,
    backend::Asked,
    gate::{Permit, Site, Write},
    text::style::Style,
    tools::{FileTool, write_file::style_of},
};

/// The arguments of `write_file`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteFile {
    /// The file, from the root.
    pub path: String,
    /// The whole content.
    pub content: String,
}

impl Located for WriteFile {
    fn text(&self) -> Option<&str> {
        Some(&self.path)
    }
}

impl FileTool for At<WriteFile> {
    type Deed = Write;
    type Report = EnvWritten;

    fn asks(&self) -> Asked {
        self.path.to_write()
    }

    fn perform(self, permit: Permit<Write>, _cancel: &CancellationToken) -> Result<EnvWritten, Failure> {
        let Site { node, ground } = permit.open();
        let (path, content) = (self.path.to_string(), self.wish.content);
        let most = ground.terms.policy.env_dialect.max_file_bytes;
        if content.len() as u64 > most {
            return Err(too_large(content.len() as u64, most, &path));
        }
        let mark = style_of(&node, &ground).map(Style::mark_alone);
        let seen = node.glance().map_err(|error| ground.fails(error))?;
        let bytes = match mark {
            Some(mark) => mark.dress(content),
            None => content.into_bytes(),
        };
        let written = seen.commit(bytes, Guard::Overwrite).map_err(|error| ground.fails(error))?;
        Ok(EnvWritten { path, bytes_written: written.bytes })
    }
}
