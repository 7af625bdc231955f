//! Medians and ratios, as Markdown.

use crate::{
    rows::Row,
    seat::{Cell, Seat, median},
};

/// The peer that the others are compared with.
const FLOOR: &str = "rmcp-floor";
/// What Pinfold may cost: so many times the floor, and so many microseconds.
const LIMIT: (f64, f64) = (1.3, 50.0);

/// Prints the table: for each peer the median, and how many times the floor's it is.
#[allow(clippy::print_stdout)]
pub(crate) fn print(seats: &[Seat<'_>], rounds: usize) {
    println!(
        "Medians of {rounds} rounds, and how many times the floor's they are. For Pinfold: whether it is within"
    );
    println!("{} × floor + {} µs.\n", LIMIT.0, LIMIT.1);
    let names: Vec<String> =
        seats.iter().map(|seat| format!("{} {}", seat.peer.name, seat.version)).collect();
    println!("| row | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    let Some(first) = seats.first() else { return };
    let floor = seats.iter().find(|seat| seat.peer.name == FLOOR);
    for row in first.cells.keys() {
        let least = floor.and_then(|seat| median(&seat.cells.get(row)?.samples));
        let shown = seats.iter().map(|seat| match seat.cells.get(row) {
            Some(cell) => show(*row, cell, least, seat.peer.name == "pinfold"),
            None => "–".into(),
        });
        println!("| {} | {} |", row.name(), shown.collect::<Vec<String>>().join(" | "));
    }
}

fn show(row: Row, cell: &Cell, floor: Option<f64>, ours: bool) -> String {
    if let Some(failure) = &cell.failure {
        return format!("fails: {failure}");
    }
    let Some(value) = median(&cell.samples) else { return "–".into() };
    let text = if row.is_memory() { format!("{value:.1} MB") } else { time(value) };
    let Some(floor) = floor else { return text };
    let verdict = match (ours && !row.is_memory(), value <= floor * LIMIT.0 + LIMIT.1) {
        (true, true) => ", within",
        (true, false) => ", OVER",
        (false, _) => "",
    };
    format!("{text} ({:.2}×{verdict})", value / floor)
}

fn time(micros: f64) -> String {
    match micros {
        _ if micros < 1e3 => format!("{micros:.0} µs"),
        _ if micros < 1e6 => format!("{:.2} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(samples: &[f64]) -> Cell {
        Cell { samples: samples.to_vec(), ..Cell::default() }
    }

    #[test]
    fn the_limit_has_a_factor_and_a_sum() {
        assert_eq!(show(Row::Small, &cell(&[180.0]), Some(100.0), true), "180 µs (1.80×, within)");
        assert_eq!(show(Row::Small, &cell(&[181.0]), Some(100.0), true), "181 µs (1.81×, OVER)");
        assert_eq!(show(Row::Small, &cell(&[4000.0, 1000.0]), Some(100.0), false), "2.50 ms (25.00×)");
        assert_eq!(show(Row::MemIdle, &cell(&[9.0]), Some(3.0), true), "9.0 MB (3.00×)");
    }

    #[test]
    fn nothing_measured_is_shown_as_nothing() {
        assert_eq!(show(Row::Small, &cell(&[]), None, true), "–");
        let failed = Cell { failure: Some("no `x`".into()), ..cell(&[1.0]) };
        assert_eq!(show(Row::Small, &failed, None, true), "fails: no `x`");
    }
}
