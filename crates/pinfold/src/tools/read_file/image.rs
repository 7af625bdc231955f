//! Images: what is one by its first bytes, and all of it for a model that can look. Nothing is decoded here.

use std::io::SeekFrom;

use base64::{Engine, engine::general_purpose::STANDARD};
use pinfold_contract::{Image, ReadResult};
use pinfold_jail::snapshot::sha256;

use super::{Source, fill};
use crate::{Failure, FailureType, gate::Ground};

/// Bytes that tell the format.
const HEAD: usize = 12;

/// The whole image, if the file is one. The file is where it was if not.
pub(super) fn read(source: &mut Source, ground: &Ground) -> Result<Option<ReadResult>, Failure> {
    let mut head = [0; HEAD];
    let got = fill(&mut *source.file, &mut head, ground)?;
    source.file.seek(SeekFrom::Start(0)).map_err(|error| ground.fails(error.into()))?;
    let Some((mime_type, name)) = format(&head[..got]) else { return Ok(None) };
    let most = ground.terms.policy.read.max_image_bytes;
    let room = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
    let expected = source.size.and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX);
    let mut bytes = vec![0; room.min(expected.saturating_add(1))];
    let got = fill(&mut *source.file, &mut bytes, ground)?;
    if got as u64 > most {
        return Err(too_large(name, source.size, most, ground));
    }
    bytes.truncate(got);
    Ok(Some(ReadResult {
        path: ground.shown(),
        content: String::new(),
        start_line: 0,
        end_line: 0,
        total_lines: 0,
        total_bytes: got as u64,
        truncated: false,
        bytes_capped: false,
        hash: sha256(&bytes),
        not_utf8_at: None,
        image: Some(Image { mime_type, data: STANDARD.encode(&bytes) }),
    }))
}

/// Its media type, and what it is called.
fn format(head: &[u8]) -> Option<(&'static str, &'static str)> {
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(("image/png", "a PNG image")),
        [0xff, 0xd8, 0xff, ..] => Some(("image/jpeg", "a JPEG image")),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(("image/gif", "a GIF image")),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => Some(("image/webp", "a WebP image")),
        _ => None,
    }
}

fn too_large(name: &str, size: Option<u64>, most: u64, ground: &Ground) -> Failure {
    let path = ground.shown();
    let bytes = size.map(|size| format!(" of {size} bytes")).unwrap_or_default();
    let message = format!("`{path}` is {name}{bytes}, and images of more than {most} bytes are not shown.");
    Failure::new(FailureType::TooLarge, message)
        .hint("Make a smaller copy of it with a program for images, and read that.")
        .at(path)
}
