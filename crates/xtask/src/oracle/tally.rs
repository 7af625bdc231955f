//! What was seen, in numbers, and the report of a run.

use std::{
    collections::{BTreeMap, HashSet},
    fs::OpenOptions,
    io::Write,
    path::Path,
    process::ExitCode,
    time::Instant,
};

use super::{Origin, law::Breach, record::Run};
use crate::Result;

/// Breaches of one law that are shrunk and kept at most.
const KEPT: usize = 12;

/// Counts of a run.
#[derive(Debug)]
pub(crate) struct Tally {
    began: Instant,
    judged: BTreeMap<Origin, u64>,
    refused: BTreeMap<Origin, u64>,
    reasons: BTreeMap<String, u64>,
    /// Refused although harmless.
    harmless: Vec<String>,
    run: u64,
    different: HashSet<String>,
    shells: BTreeMap<String, u64>,
    started: u64,
    late: u64,
    breaches: BTreeMap<&'static str, usize>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            began: Instant::now(),
            judged: BTreeMap::new(),
            refused: BTreeMap::new(),
            reasons: BTreeMap::new(),
            harmless: Vec::new(),
            run: 0,
            different: HashSet::new(),
            shells: BTreeMap::new(),
            started: 0,
            late: 0,
            breaches: BTreeMap::new(),
        }
    }
}

impl Tally {
    /// Counts one line. Says whether a breach of its kind was kept often enough.
    pub(crate) fn count(
        &mut self,
        line: &str,
        origin: Origin,
        no: Option<String>,
        runs: &[Run],
        breach: Option<&Breach>,
    ) -> bool {
        *self.judged.entry(origin).or_default() += 1;
        if let Some(no) = no {
            *self.refused.entry(origin).or_default() += 1;
            let reason = no.split(':').next().unwrap_or_default().to_owned();
            *self.reasons.entry(reason).or_default() += 1;
            if origin == Origin::Everyday && self.harmless.len() < 5 {
                self.harmless.push(format!("{line:?}: {no}"));
            }
        }
        self.run += u64::from(!runs.is_empty());
        if !runs.is_empty() {
            self.different.insert(line.to_owned());
        }
        for run in runs {
            *self.shells.entry(run.shell.clone()).or_default() += 1;
            self.started += run.starts.len() as u64;
            self.late += u64::from(run.timed_out);
        }
        let Some(breach) = breach else { return false };
        let times = self.breaches.entry(breach.law).or_default();
        *times += 1;
        *times > KEPT
    }

    /// Says it all.
    pub(crate) fn report(&self, seed: u64) -> ExitCode {
        let sum = |counts: &BTreeMap<Origin, u64>| counts.values().sum::<u64>();
        let count = |counts: &BTreeMap<Origin, u64>, origin| counts.get(&origin).copied().unwrap_or(0);
        println!("seed {seed}: {} lines judged in {} s", sum(&self.judged), self.began.elapsed().as_secs());
        for (origin, judged) in &self.judged {
            println!("  {origin:?}: {judged}, refused {}", count(&self.refused, *origin));
        }
        println!("  refused for: {:?}", self.reasons);
        println!(
            "  allowed by one policy at least and run: {}, different ones {}",
            self.run,
            self.different.len()
        );
        println!(
            "  runs: {:?}; programs started: {}; over the time limit: {}",
            self.shells, self.started, self.late
        );
        let (harmless, refused) =
            (count(&self.judged, Origin::Everyday), count(&self.refused, Origin::Everyday));
        println!("  harmless everyday lines: {harmless}, refused {refused}");
        self.harmless.iter().for_each(|line| println!("    {line}"));
        if self.breaches.is_empty() {
            println!("no law was broken");
            return ExitCode::SUCCESS;
        }
        println!("BROKEN: {:?}", self.breaches);
        ExitCode::FAILURE
    }
}

/// Writes a line that breaks a law to where the next run begins.
pub(crate) fn keep(file: &Path, seed: u64, number: u64, line: &str, breach: &Breach) -> Result<()> {
    let Breach { law, policy, seen } = breach;
    let row = serde_json::json!({"line": line, "law": law, "policy": policy, "seen": seen, "seed": seed, "number": number});
    println!("{row}");
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    Ok(file.write_all(format!("{row}\n").as_bytes())?)
}
