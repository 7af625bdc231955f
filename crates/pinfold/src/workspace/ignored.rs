//! Ignore rules above the place where a search begins.

use std::path::Path;

use super::House;
use crate::{
    backend::Asked,
    gate::{Look, Permit},
    ignores::Ignores,
    tools::Dialect,
};

impl House {
    /// What is passed over at `place`, absolute and without links, by the policy and by files of the directories from the
    /// home down to the one above it. None where nothing is passed over at all.
    pub(super) fn ignores_above(&self, place: &Path) -> Option<Ignores> {
        if self.gate.dialect() == Dialect::Env {
            return None;
        }
        let terms = self.gate.terms();
        let home = self.backend.home();
        let ignores = Ignores::of_policy(terms, home)?;
        let way = place.strip_prefix(home).ok()?.components();
        // The home is a name like any other: it is judged, and then held.
        let asked = Asked { name: "".into(), link_itself: false, lossy: true };
        let Ok(permit) = self.gate.judge::<Look>(&asked, self.backend.resolve(&asked)) else {
            return Some(ignores);
        };
        Some(self.down(ignores, permit, way.as_path()))
    }

    fn down(&self, mut ignores: Ignores, home: Permit<Look>, way: &Path) -> Ignores {
        use std::os::unix::ffi::OsStrExt;

        let mut at = home.place().to_owned();
        let Ok(mut folder) = home.open().node.open_dir() else { return ignores };
        for name in way.components() {
            ignores = ignores.entering(&folder, &at, self.gate.terms(), |_| true);
            at.push(name);
            match folder.open_dir(name.as_os_str().as_bytes()) {
                Ok(below) => folder = below,
                Err(_) => break,
            }
        }
        ignores
    }
}
