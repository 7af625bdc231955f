//! What another parser of shell lines sees.
//!
//! No policy is judged by it: it accepts lines that it reads wrongly, and some make it run for ever, so it is asked under a
//! time limit. It is a second pair of eyes on lines that Pinfold allows: a command that it sees and Pinfold's verdict does
//! not list would be a hole.

mod brush;

pub use brush::{names, read};
