//! Who does what next: the parts that wait, and the outcomes in order.

use std::{
    ops::ControlFlow,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{Outcome, Stopped, line::Line, spot::Part};

/// Outcomes that are held because an earlier one is not there yet. With more of them, threads wait.
const MOST_HELD: usize = 20_000;
/// Parts that are worth another thread.
const MUCH: usize = 4;

type Take<'a, Y> = &'a mut (dyn FnMut(Y) -> ControlFlow<()> + Send);

pub(super) struct Board<'a, Y> {
    state: Mutex<State<'a, Y>>,
    changed: Condvar,
    over: AtomicBool,
}

struct State<'a, Y> {
    /// The earliest part is the last one, so that what is done stays close to the order.
    waiting: Vec<(usize, Part)>,
    line: Line<Y>,
    /// Outcomes in the line.
    held: usize,
    at_work: usize,
    stopped: Option<Stopped>,
    take: Take<'a, Y>,
}

impl<'a, Y> Board<'a, Y> {
    pub(super) fn new(take: Take<'a, Y>) -> Board<'a, Y> {
        let state = State {
            waiting: vec![(0, Part::Top)],
            line: Line::new(),
            held: 0,
            at_work: 0,
            stopped: None,
            take,
        };
        Board { state: Mutex::new(state), changed: Condvar::new(), over: AtomicBool::new(false) }
    }

    /// Gives what came of a part, and gets the next one; none when all is done.
    pub(super) fn take(&self, done: Option<(usize, Outcome<Y>)>) -> Option<(usize, Part)> {
        let mut state = self.state();
        if let Some((slot, outcome)) = done {
            state.at_work -= 1;
            state.put(slot, outcome);
            self.changed.notify_all();
        }
        loop {
            if state.stopped.is_some() {
                self.over.store(true, Ordering::Relaxed);
                return None;
            }
            // One thread goes on in any case: what the others wait for is the next thing that it does.
            let may_go_on = state.held <= MOST_HELD || state.at_work == 0;
            if may_go_on && let Some(next) = state.waiting.pop() {
                state.at_work += 1;
                return Some(next);
            }
            if state.at_work == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn stop(&self, why: Stopped) {
        self.state().stopped.get_or_insert(why);
        self.over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether it was stopped.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.state().stopped
    }

    pub(super) fn has_much(&self) -> bool {
        self.state().waiting.len() >= MUCH
    }

    fn state(&self) -> MutexGuard<'_, State<'a, Y>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Y> State<'_, Y> {
    fn put(&mut self, slot: usize, outcome: Outcome<Y>) {
        match outcome {
            Outcome::Yields(yields) => {
                self.held += yields.len();
                self.line.fill(slot, yields);
            }
            Outcome::Parts(parts) => {
                self.line.fill(slot, Vec::new());
                for part in parts.into_iter().rev() {
                    let slot = self.line.insert_behind(slot);
                    self.waiting.push((slot, part));
                }
            }
        }
        while let Some(yields) = self.line.pop() {
            self.held -= yields.len();
            for one in yields {
                // What was found before it was broken off still counts.
                if self.stopped != Some(Stopped::Enough) && (self.take)(one).is_break() {
                    self.stopped = Some(Stopped::Enough);
                }
            }
        }
    }
}
