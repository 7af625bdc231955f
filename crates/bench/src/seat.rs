//! One peer at the table: its server, its folder, its samples.

use std::{
    collections::BTreeMap,
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Result, client::Client, fixtures::Fixtures, peers::Peer, rows::Row};

/// The calls of one sample are so many at most, and stop after so long.
const CALLS: usize = 20;
const SAMPLE: Duration = Duration::from_millis(250);
/// A cell gets no more samples after so long.
const CELL: Duration = Duration::from_secs(20);

/// What was found of one row.
#[derive(Default)]
pub(crate) struct Cell {
    /// One for each round: microseconds, or MB.
    pub(crate) samples: Vec<f64>,
    pub(crate) failure: Option<String>,
    pub(crate) spent: Duration,
}

pub(crate) struct Seat<'a> {
    pub(crate) peer: Peer,
    fixtures: &'a Fixtures,
    client: Option<Client>,
    pub(crate) version: String,
    pub(crate) cells: BTreeMap<Row, Cell>,
}

impl<'a> Seat<'a> {
    pub(crate) fn new(peer: Peer, fixtures: &'a Fixtures) -> Seat<'a> {
        Seat { peer, fixtures, client: None, version: String::new(), cells: BTreeMap::new() }
    }

    /// Takes one sample, unless the cell has had its time or has failed.
    pub(crate) fn sample(&mut self, row: Row) {
        let cell = self.cells.entry(row).or_default();
        if cell.failure.is_some() || cell.spent > CELL {
            return;
        }
        let begun = Instant::now();
        let measured = self.measure(row);
        let cell = self.cells.entry(row).or_default();
        cell.spent += begun.elapsed();
        match measured {
            Ok(value) => cell.samples.push(value),
            Err(error) => {
                cell.failure = Some(error.to_string());
                self.client = None;
            }
        }
    }

    /// One line about a row.
    pub(crate) fn summary(&self, row: Row) -> String {
        let Some(cell) = self.cells.get(&row) else { return String::new() };
        let (least, most) =
            cell.samples.iter().fold((f64::MAX, 0f64), |(a, b), &one| (a.min(one), b.max(one)));
        let found = match (&cell.failure, median(&cell.samples)) {
            (None, Some(value)) => format!("{value:>12.1}  ({least:.1} to {most:.1})"),
            (failure, _) => failure.clone().unwrap_or_default(),
        };
        format!("{:14} {:12} {found}", row.name(), self.peer.name)
    }

    fn measure(&mut self, row: Row) -> Result<f64> {
        match row {
            Row::Cold => self.cold(),
            Row::ToolsList => self.repeated(|seat, _| seat.list()),
            Row::Seq200 => {
                let times = (0..200).map(|turn| self.call(row, turn)).collect::<Result<Vec<f64>>>()?;
                Ok(times.iter().sum::<f64>() / 200.0)
            }
            Row::Conc32 => {
                let mut times = (0..3).map(|_| self.at_once(row, 32)).collect::<Result<Vec<f64>>>()?;
                times.sort_by(f64::total_cmp);
                Ok(times[1])
            }
            Row::ReadEnd => {
                self.restart()?;
                self.call(row, 0)
            }
            Row::ReadEndAgain => {
                self.call(row, 0)?;
                self.call(row, 1)
            }
            Row::Write | Row::Edit | Row::Multi => self.change(row),
            Row::MemIdle | Row::MemReadEnd => self.memory(row),
            Row::Small | Row::Read | Row::ReadMin => {
                self.call(row, 0)?;
                self.repeated(|seat, turn| seat.call(row, turn))
            }
        }
    }

    fn cold(&mut self) -> Result<f64> {
        self.client = None;
        let begun = Instant::now();
        self.call(Row::Cold, 0)?;
        Ok(micros(begun))
    }

    fn list(&mut self) -> Result<f64> {
        let client = self.client()?;
        let begun = Instant::now();
        let list = client.request("tools/list", &json!({}))?;
        let time = micros(begun);
        if list["tools"].as_array().is_none_or(Vec::is_empty) { Err("no tools".into()) } else { Ok(time) }
    }

    fn change(&mut self, row: Row) -> Result<f64> {
        self.fixtures.renew(self.peer.name)?;
        self.call(row, 0)?;
        let own = self.fixtures.root.join(self.peer.name);
        let new = fs::read_to_string(own.join("new.txt")).unwrap_or_default();
        if !row.is_done(&new, &fs::read_to_string(own.join("source.ts"))?) {
            return Err("the file was not changed as asked".into());
        }
        self.repeated(|seat, turn| seat.call(row, turn + 1))
    }

    fn memory(&mut self, row: Row) -> Result<f64> {
        self.restart()?;
        if row == Row::MemReadEnd {
            self.call(row, 0)?;
        }
        thread::sleep(Duration::from_millis(300));
        self.client()?.peak_memory()
    }

    /// The median of a few calls.
    fn repeated(&mut self, mut one: impl FnMut(&mut Self, usize) -> Result<f64>) -> Result<f64> {
        let begun = Instant::now();
        let mut times = Vec::new();
        while times.len() < 2 || (times.len() < CALLS && begun.elapsed() < SAMPLE) {
            times.push(one(self, times.len())?);
        }
        median(&times).ok_or_else(|| "no sample".into())
    }

    /// One call whose answer is right: microseconds.
    fn call(&mut self, row: Row, turn: usize) -> Result<f64> {
        let params = self.peer.spell(&row.op(self.fixtures, self.peer.name, turn));
        let client = self.client()?;
        let begun = Instant::now();
        let result = client.request("tools/call", &params)?;
        let time = micros(begun);
        self.check(row, &result).map(|()| time)
    }

    fn at_once(&mut self, row: Row, count: usize) -> Result<f64> {
        let params = self.peer.spell(&row.op(self.fixtures, self.peer.name, 0));
        let client = self.client()?;
        let begun = Instant::now();
        let results = client.requests("tools/call", &params, count)?;
        let time = micros(begun);
        results.iter().try_for_each(|result| self.check(row, result)).map(|()| time)
    }

    fn check(&self, row: Row, result: &Value) -> Result<()> {
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let expected = row.expected(self.fixtures);
        if result["isError"] == true || !text.contains(&expected) {
            let shown: String = text.chars().take(200).collect();
            return Err(format!("no `{expected}` in the answer: {shown}").into());
        }
        Ok(())
    }

    /// A fresh server that has answered once.
    fn restart(&mut self) -> Result<()> {
        self.client = None;
        self.call(Row::Small, 0).map(drop)
    }

    fn client(&mut self) -> Result<&mut Client> {
        if self.client.is_none() {
            let client = Client::start(&self.peer.command)?;
            self.version.clone_from(&client.version);
            self.client = Some(client);
        }
        self.client.as_mut().ok_or_else(|| "no server".into())
    }
}

fn micros(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6
}

/// The middle one, or the mean of the two that are.
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len().checked_sub(1)? / 2;
    Some((sorted[middle] + sorted[sorted.len() / 2]) / 2.0)
}
