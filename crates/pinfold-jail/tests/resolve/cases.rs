//! The table: names in one tree, and what they stand for.

use pinfold_jail::{
    ErrorKind::{self, Escape, NotDirectory, NotFound, TooManyLinks},
    Last::{self, Follow, Keep},
    NodeKind::{self, Directory, File, Other, Symlink},
};

pub(crate) const TREE: &[&str] = &[
    "jail/README.md=hello",
    "jail/src/main.rs=main",
    "jail/src/deep/er/x.txt=deep",
    "jail/empty/",
    "jail/pipe|",
    "jail/vendor/lib/a.txt=a",
    "jail/vendor/b.txt=b",
    "jail/vendor/lib/l-up@../../README.md",
    "out/secret=OUTSIDE-CONTENT",
    "out/back@../jail",
    "extra/doc.txt=doc",
    "extra/l-home@../jail/README.md",
    "extra/l-out@../out/secret",
    "jail-evil/x=evil",
    "alias@jail",
    "jail/l-file@README.md",
    "jail/l-dir@src",
    "jail/l-slash@src/",
    "jail/l-file-slash@README.md/",
    "jail/l-file-dot@README.md/.",
    "jail/l-abs@$/jail/src",
    "jail/l-abs-file@$/jail/README.md",
    "jail/l-alias@$/alias/README.md",
    "jail/l-out@$/out",
    "jail/l-out-file@$/out/secret",
    "jail/l-rel-out@../out",
    "jail/l-evil@../jail-evil",
    "jail/l-dangling@nowhere/new.txt",
    "jail/l-dangling-out@$/out/new.txt",
    "jail/l-dangling-rel@../out/new.txt",
    "jail/l-loop@l-loop",
    "jail/l-a@l-b",
    "jail/l-b@l-a",
    "jail/l-root@$/jail",
    "jail/l-dot@.",
    "jail/l-above@..",
    "jail/l-top@/",
    "jail/l-climbs@src/../README.md",
    "jail/l-leaves@$/out/../jail/README.md",
    "jail/l-back@../out/back/README.md",
    "jail/l-proc@/proc/self/cwd",
    "jail/l-self@/proc/self/fd/0",
    "jail/src/l-up@../README.md",
    "jail/src/l-out-and-in@../../jail/README.md",
    "jail/l-chain@l-dir/l-up",
    "jail/l-through@README.md/x",
    "jail/l-extra@$/extra/doc.txt",
    "jail/l-vendor@vendor/lib/a.txt",
    "jail/l-vendor-dir@vendor/lib",
    "jail/src/l-vendor@../vendor/lib/../b.txt",
];

#[derive(Debug, Clone, Copy)]
pub(crate) enum Roots {
    /// `jail` alone.
    Home,
    /// `jail`, opened through a link.
    Alias,
    /// `jail`, and one more for reading.
    And(&'static str),
    /// `jail` narrowed to a directory of it.
    Scope(&'static str),
}

#[derive(Debug)]
pub(crate) enum Want {
    At(Option<NodeKind>, &'static str),
    No(ErrorKind),
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) roots: Roots,
    pub(crate) name: &'static str,
    pub(crate) last: Last,
    pub(crate) want: Want,
    pub(crate) why: &'static str,
}

const HOME: Roots = Roots::Home;
const EXTRA: Roots = Roots::And("extra");
const VENDOR: Roots = Roots::And("jail/vendor/lib");
const TOP: Roots = Roots::And("");

const fn at(
    roots: Roots,
    name: &'static str,
    kind: NodeKind,
    place: &'static str,
    why: &'static str,
) -> Case {
    Case { roots, name, last: Follow, want: Want::At(Some(kind), place), why }
}

const fn kept(
    roots: Roots,
    name: &'static str,
    kind: NodeKind,
    place: &'static str,
    why: &'static str,
) -> Case {
    Case { roots, name, last: Keep, want: Want::At(Some(kind), place), why }
}

const fn new(roots: Roots, name: &'static str, place: &'static str, why: &'static str) -> Case {
    Case { roots, name, last: Follow, want: Want::At(None, place), why }
}

const fn no(roots: Roots, name: &'static str, error: ErrorKind, why: &'static str) -> Case {
    Case { roots, name, last: Follow, want: Want::No(error), why }
}

pub(crate) const CASES: &[Case] = &[
    // Names without links.
    at(HOME, "", Directory, "$/jail", "nothing said is the root"),
    at(HOME, ".", Directory, "$/jail", "the root"),
    at(HOME, "./././", Directory, "$/jail", "the root"),
    at(HOME, "README.md", File, "$/jail/README.md", "a file"),
    at(HOME, ".//src///main.rs", File, "$/jail/src/main.rs", "slashes do not count"),
    at(HOME, "src/", Directory, "$/jail/src", "a directory"),
    at(HOME, "pipe", Other, "$/jail/pipe", "a pipe is only held"),
    at(HOME, "$/jail/src/main.rs", File, "$/jail/src/main.rs", "absolute"),
    at(HOME, "//$/jail//README.md", File, "$/jail/README.md", "absolute, more slashes"),
    at(HOME, "$/jail", Directory, "$/jail", "the root by its name"),
    new(HOME, "new", "$/jail/new", "nothing there yet"),
    new(HOME, "new/er/file", "$/jail/new/er/file", "nothing above it either"),
    new(HOME, "src/new", "$/jail/src/new", "nothing there yet"),
    new(HOME, "Readme.md", "$/jail/Readme.md", "letter case counts"),
    no(HOME, "README.md/x", NotDirectory, "below a file"),
    no(HOME, "README.md/../src", NotDirectory, "a file has nothing above"),
    no(HOME, "pipe/x", NotDirectory, "below a pipe"),
    // `..`.
    at(HOME, "src/../README.md", File, "$/jail/README.md", "down and up"),
    at(HOME, "src/deep/../..", Directory, "$/jail", "up to the root"),
    at(HOME, "src/deep/..", Directory, "$/jail/src", "up to a directory"),
    at(HOME, "../jail/README.md", File, "$/jail/README.md", "out and in again"),
    at(HOME, "../../..$/jail/src", NodeKind::Directory, "$/jail/src", "far out and in again"),
    at(HOME, "$/out/../jail/README.md", File, "$/jail/README.md", "in through the outside, by letters"),
    no(HOME, "..", Escape, "above"),
    no(HOME, "../out/secret", Escape, "beside"),
    no(HOME, "src/../../out/secret", Escape, "down, up and beside"),
    no(HOME, "../jail-evil/x", Escape, "the same beginning is not the same name"),
    no(HOME, "$/jail-evil/x", Escape, "the same beginning is not the same name"),
    no(HOME, "/", Escape, "the top"),
    no(HOME, "/etc/passwd", Escape, "outside"),
    no(HOME, "/none/at/all", Escape, "no word about the outside"),
    no(HOME, "/proc/self/root", Escape, "no way through proc"),
    no(HOME, "none/../README.md", NotFound, "nothing cannot be left"),
    no(HOME, "none/../../out/secret", NotFound, "nothing cannot be left"),
    // Links.
    at(HOME, "l-file", File, "$/jail/README.md", "to a file"),
    at(HOME, "l-dir/main.rs", File, "$/jail/src/main.rs", "to a directory"),
    at(HOME, "l-dir", Directory, "$/jail/src", "to a directory, last"),
    at(HOME, "l-dir/../README.md", File, "$/jail/README.md", "`..` after a link is where it leads"),
    at(HOME, "l-slash/main.rs", File, "$/jail/src/main.rs", "a slash in the target"),
    at(HOME, "l-abs/main.rs", File, "$/jail/src/main.rs", "absolute, inside"),
    at(HOME, "l-abs-file", File, "$/jail/README.md", "absolute, inside, last"),
    at(HOME, "l-root/src/main.rs", File, "$/jail/src/main.rs", "to the root"),
    at(HOME, "l-root", Directory, "$/jail", "to the root, last"),
    at(HOME, "l-dot", Directory, "$/jail", "to the root, relative"),
    at(HOME, "l-dot/l-dot/l-root/l-dot/README.md", File, "$/jail/README.md", "round and round"),
    at(HOME, "l-climbs", File, "$/jail/README.md", "`..` in the target"),
    at(HOME, "src/l-up", File, "$/jail/README.md", "up from where the link lies"),
    at(HOME, "l-dir/l-up", File, "$/jail/README.md", "up from where the link lies, not from the way"),
    at(HOME, "l-chain", File, "$/jail/README.md", "a link to a link"),
    at(HOME, "src/l-out-and-in", File, "$/jail/README.md", "out and in again"),
    at(HOME, "l-leaves", File, "$/jail/README.md", "out and in again, absolute"),
    at(HOME, "l-above/jail/README.md", File, "$/jail/README.md", "above, and in again"),
    at(HOME, "l-top/$/jail/README.md", File, "$/jail/README.md", "the top, and in again"),
    new(HOME, "l-dangling", "$/jail/nowhere/new.txt", "what is not there is inside"),
    new(HOME, "l-dir/new", "$/jail/src/new", "new behind a link"),
    no(HOME, "l-out", Escape, "out"),
    no(HOME, "l-out/secret", Escape, "out"),
    no(HOME, "l-out/none", Escape, "out, and no word about what is there"),
    no(HOME, "l-out-file", Escape, "out"),
    no(HOME, "l-rel-out/secret", Escape, "out"),
    no(HOME, "l-evil/x", Escape, "the same beginning is not the same name"),
    no(HOME, "l-dangling-out", Escape, "what is not there is outside"),
    no(HOME, "l-dangling-rel", Escape, "what is not there is outside"),
    no(HOME, "l-above", Escape, "above"),
    no(HOME, "l-above/out/secret", Escape, "above"),
    no(HOME, "l-top", Escape, "the top"),
    no(HOME, "l-back", Escape, "links outside are not followed, wherever they lead"),
    no(HOME, "l-proc", Escape, "no way through proc"),
    no(HOME, "l-self", Escape, "no way through proc"),
    no(HOME, "l-alias", Escape, "a name of the root that nobody told of"),
    no(HOME, "l-loop", TooManyLinks, "itself"),
    no(HOME, "l-a", TooManyLinks, "each other"),
    no(HOME, "l-a/x", TooManyLinks, "each other, on the way"),
    no(HOME, "l-through", NotDirectory, "a target below a file"),
    // The link itself.
    kept(HOME, "l-out", Symlink, "$/jail/l-out", "kept"),
    kept(HOME, "l-loop", Symlink, "$/jail/l-loop", "kept"),
    kept(HOME, "l-dir/l-up", Symlink, "$/jail/src/l-up", "followed on the way, kept at the end"),
    kept(HOME, "l-dir/..", Directory, "$/jail", "`..` is no link"),
    Case {
        last: Keep,
        ..no(HOME, "l-dir/.", NotDirectory, "a dot wants a directory, a link itself is none")
    },
    no(HOME, "README.md/", NotDirectory, "a slash wants a directory"),
    no(HOME, "l-file-slash", NotDirectory, "so does one in a link's target"),
    no(HOME, "pipe/", NotDirectory, "a pipe is none"),
    kept(HOME, "README.md", File, "$/jail/README.md", "no link at all"),
    // A home that was opened through a link.
    at(Roots::Alias, "README.md", File, "$/jail/README.md", "relative"),
    at(Roots::Alias, "$/alias/README.md", File, "$/jail/README.md", "by the name that was said"),
    at(Roots::Alias, "$/jail/README.md", File, "$/jail/README.md", "by the real name"),
    at(Roots::Alias, "l-alias", File, "$/jail/README.md", "a link by the name that was said"),
    at(Roots::Alias, "../alias/src", Directory, "$/jail/src", "out and in by the other name"),
    no(Roots::Alias, "$/aliases", Escape, "another name"),
    // Another root beside.
    at(EXTRA, "$/extra/doc.txt", File, "$/extra/doc.txt", "absolute"),
    at(EXTRA, "../extra/doc.txt", File, "$/extra/doc.txt", "relative"),
    at(EXTRA, "l-extra", File, "$/extra/doc.txt", "a link to it"),
    at(EXTRA, "$/extra/l-home", File, "$/jail/README.md", "a link from it"),
    at(EXTRA, "$/extra/../jail/src", Directory, "$/jail/src", "out of it and home"),
    at(EXTRA, "$/extra/", Directory, "$/extra", "itself"),
    new(EXTRA, "$/extra/new", "$/extra/new", "nothing there"),
    no(EXTRA, "$/extra/l-out", Escape, "a link out of it"),
    no(EXTRA, "$/extra/..", Escape, "above it"),
    no(EXTRA, "../out/secret", Escape, "beside it"),
    // Another root inside the home.
    at(VENDOR, "vendor/lib/a.txt", File, "$/jail/vendor/lib/a.txt", "through the home"),
    at(VENDOR, "$/jail/vendor/lib/a.txt", File, "$/jail/vendor/lib/a.txt", "absolute"),
    at(VENDOR, "l-vendor", File, "$/jail/vendor/lib/a.txt", "a link into it"),
    at(VENDOR, "l-vendor-dir", Directory, "$/jail/vendor/lib", "a link to it"),
    at(VENDOR, "vendor/lib/../b.txt", File, "$/jail/vendor/b.txt", "up out of it"),
    at(VENDOR, "src/l-vendor", File, "$/jail/vendor/b.txt", "a link into it and up again"),
    at(VENDOR, "vendor/lib/l-up", File, "$/jail/README.md", "a link out of it"),
    new(VENDOR, "vendor/lib/new", "$/jail/vendor/lib/new", "nothing there"),
    kept(VENDOR, "vendor/lib", Directory, "$/jail/vendor/lib", "itself"),
    // Another root around the home.
    at(TOP, "../out/secret", File, "$/out/secret", "beside"),
    at(TOP, "..", Directory, "$", "above"),
    at(TOP, "$/out/back/README.md", File, "$/jail/README.md", "a link of the outer root leads home"),
    at(TOP, "$/extra/../jail", Directory, "$/jail", "home again"),
    at(TOP, "l-back", File, "$/jail/README.md", "a link by way of the outer root"),
    no(TOP, "../..", Escape, "above it"),
    // A narrower jail.
    at(Roots::Scope("src"), "main.rs", File, "$/jail/src/main.rs", "in it"),
    at(Roots::Scope("l-dir"), "main.rs", File, "$/jail/src/main.rs", "reached through a link"),
    at(Roots::Scope("src"), "../src/main.rs", File, "$/jail/src/main.rs", "out and in again"),
    no(Roots::Scope("src"), "l-up", Escape, "a link to its own outside"),
    no(Roots::Scope("src"), "../README.md", Escape, "what was inside"),
    no(Roots::Scope("src"), "$/jail/README.md", Escape, "what was inside"),
];
