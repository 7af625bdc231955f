//! Outcomes that come in any order, handed on in the order of the walk.

const END: usize = usize::MAX;

/// A chain of slots. Each is filled once, or makes room for others in its place.
pub(super) struct Line<Y> {
    slots: Vec<Slot<Y>>,
    free: Vec<usize>,
    head: usize,
}

struct Slot<Y> {
    next: usize,
    filled: Option<Vec<Y>>,
}

impl<Y> Line<Y> {
    /// A chain of one slot, number 0.
    pub(super) fn new() -> Line<Y> {
        Line { slots: vec![Slot { next: END, filled: None }], free: Vec::new(), head: 0 }
    }

    /// Puts another slot behind this one.
    pub(super) fn insert_behind(&mut self, slot: usize) -> usize {
        let new = Slot { next: self.slots[slot].next, filled: None };
        let at = match self.free.pop() {
            Some(at) => {
                self.slots[at] = new;
                at
            }
            None => {
                self.slots.push(new);
                self.slots.len() - 1
            }
        };
        self.slots[slot].next = at;
        at
    }

    pub(super) fn fill(&mut self, slot: usize, yields: Vec<Y>) {
        self.slots[slot].filled = Some(yields);
    }

    /// What stands first, if it is there already.
    pub(super) fn pop(&mut self) -> Option<Vec<Y>> {
        let first = self.slots.get_mut(self.head)?;
        let yields = first.filled.take()?;
        self.free.push(self.head);
        self.head = first.next;
        Some(yields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_late_goes_first_where_it_stands_first() {
        let mut line = Line::new();
        let last = line.insert_behind(0);
        let middle = line.insert_behind(0);
        line.fill(last, vec![5]);
        assert_eq!(line.pop(), None);
        line.fill(0, vec![1, 2]);
        assert_eq!((line.pop(), line.pop()), (Some(vec![1, 2]), None));
        let inner = line.insert_behind(middle);
        line.fill(inner, vec![4]);
        line.fill(middle, vec![3]);
        let rest: Vec<i32> = std::iter::from_fn(|| line.pop()).flatten().collect();
        assert_eq!(rest, [3, 4, 5]);
        assert_eq!(line.pop(), None);
    }
}
