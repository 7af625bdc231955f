//! Random trees with links, and names in them, beside what the system's own `realpath` says.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use pinfold_jail::{ErrorKind, NodeKind};
use proptest::prelude::*;

use crate::{Roots, Seen, World, agreed, ask, jails};

#[derive(Debug, Clone)]
enum Node {
    Dir,
    File,
    Link(String),
}

/// A path of a few names that meet often, with the words that mean something.
fn spelling(top: &'static str) -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "c", "a", "b", "c", "..", "..", ".", "", "jail", "out"]);
    let begin = prop::sample::select(vec!["", "", "", "", top, "$/jail/", "$/out/../jail/", "$/out/"]);
    (begin, prop::collection::vec(part, 1..6))
        .prop_map(|(begin, parts)| format!("{begin}{}", parts.join("/")))
}

fn place() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "c"]);
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
}

fn node() -> impl Strategy<Value = Node> {
    prop_oneof![
        Just(Node::Dir),
        Just(Node::File),
        spelling("/").prop_map(Node::Link),
        spelling("").prop_map(Node::Link)
    ]
}

fn build(nodes: &[(String, Node)]) -> World {
    let world = World::new(&["out/a=OUTSIDE-CONTENT", "out/b/c=OUTSIDE-CONTENT"]);
    for (place, node) in nodes {
        let path = world.path("jail").join(place);
        // What is in the way stays; a parent that is a link is not built through.
        let above = path.parent().map(Path::to_owned).unwrap_or_default();
        if fs::create_dir_all(&above).is_err() || above.canonicalize().ok() != Some(above) {
            continue;
        }
        match node {
            Node::Dir => fs::create_dir(&path).ok(),
            Node::File if !path.exists() && !path.is_symlink() => fs::write(&path, "inside").ok(),
            Node::File => None,
            Node::Link(target) if !target.is_empty() => symlink(world.fill(target), &path).ok(),
            Node::Link(_) => None,
        };
    }
    world
}

/// `realpath` asks the disk about the outside as well, so it may say less than we do, never more: where it finds a place
/// inside, so do we; where it finds one outside, we refuse; and what we find to exist is where we say, without links.
fn compare(world: &World, name: &str, found: &Seen) {
    let jail = world.path("jail");
    match (jail.join(name).canonicalize(), found) {
        (Ok(real), Ok((place, kind, _))) => {
            assert!(kind.is_some() && *place == real, "{name:?}: {place:?} instead of {real:?}");
            assert!(real.starts_with(&jail), "{name:?}: {place:?} is outside");
        }
        (Ok(real), Err(error)) => {
            let escaped = !real.starts_with(&jail) && *error == ErrorKind::Escape;
            assert!(escaped, "{name:?} is {real:?}, not {error:?}");
        }
        (Err(_), Ok((place, kind, _))) => {
            assert!(place.starts_with(&jail), "{name:?}: {place:?} is outside");
            assert_eq!(kind.is_some(), is_real(place), "{name:?}: {place:?}");
        }
        (Err(_), Err(_)) => {}
    }
}

fn is_real(place: &PathBuf) -> bool {
    place.canonicalize().is_ok_and(|real| real == *place)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_names_in_random_trees(
        nodes in prop::collection::vec((place(), node()), 1..14),
        names in prop::collection::vec(spelling("/"), 1..24),
    ) {
        let world = build(&nodes);
        let jails = jails(&world, Roots::Home);
        for name in names.iter().map(|name| world.fill(name)) {
            let found = agreed(&jails, ask(&name));
            compare(&world, &name, &found);
            if let Ok((_, Some(NodeKind::File), _)) = found {
                let file = crate::find(&jails[0], &name).unwrap().open_file();
                if let Ok(file) = file {
                    assert_eq!(std::io::read_to_string(file).unwrap(), "inside");
                }
            }
        }
        assert_eq!(world.read("out/a"), crate::world::OUTSIDE);
    }
}
