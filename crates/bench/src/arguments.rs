//! What was typed.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::rows::Row;

/// Measures Pinfold beside other MCP servers, and prints medians and ratios.
#[derive(Debug, Parser)]
pub(crate) struct Arguments {
    /// Servers to measure, by name [default: all that are installed]
    #[arg(long, value_delimiter = ',')]
    pub(crate) peers: Vec<String>,
    /// Rows to measure
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = Row::value_variants().to_vec(), hide_default_value = true)]
    pub(crate) rows: Vec<Row>,
    /// Rounds: more of them when the machine is busy
    #[arg(long, default_value_t = 9)]
    pub(crate) rounds: usize,
    /// Where the fixtures are made, 1.1 GB [default: `bench` beside this program]
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
