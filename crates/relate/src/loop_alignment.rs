//! Loop alignment: which uses of loops go together, and how many iterations of each for one of the other.

use ir::{Pair, Side};
use symbolic::{LoopShape, LoopUse};

use crate::trace_alignment::Rhythm;
use crate::traces::{Earlier, Steps, Traces};

/// How loops are brought into step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// One iteration of each.
    OneByOne,
    /// Several iterations of one for one of the other, as often as runs show.
    Paced,
    /// One loop of a version with several of the other one.
    OneWithSeveral,
}

/// Loops that run side by side.
pub(crate) struct Aligned {
    pub(crate) uses: Pair<Option<LoopUse>>,
    pub(crate) pace: Pair<u32>,
    pub(crate) role: Role,
    /// What the loop that goes on has kept step with before.
    pub(crate) before: Vec<Earlier>,
}

/// How much of a loop is in step with the other one's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// All of it.
    Whole,
    /// The loop of this version goes on where it stopped, if it did, and stops where the other one leaves.
    Start(Side),
    /// The loop of this version goes on where it stopped, to its end.
    Rest(Side),
}

impl Aligned {
    fn whole(old: Option<LoopUse>, new: Option<LoopUse>) -> Aligned {
        Aligned { uses: Pair { old, new }, pace: ONE_BY_ONE, role: Role::Whole, before: Vec::new() }
    }

    /// Which iterations are side by side; the loop that does nothing has the other's number.
    pub(crate) fn steps(&self) -> Option<Steps> {
        let Pair { old, new } = self.uses.as_ref().map(|it| it.as_ref().map(|it| it.number));
        let numbers = Pair { old: old.or(new)?, new: new.or(old)? };
        Some(Steps { numbers, pace: self.pace, before: self.before.clone() })
    }
}

const ONE_BY_ONE: Pair<u32> = Pair { old: 1, new: 1 };

/// The uses in an order in which each comes after all that it can depend on; `None` if they do not go together in the
/// way that is asked for.
pub(crate) fn aligned(
    uses: Pair<Vec<LoopUse>>,
    shapes: &[Pair<Option<LoopShape<'_>>>],
    grouping: Grouping,
    traces: &Traces,
) -> Vec<Aligned> {
    match grouping {
        Grouping::OneByOne => in_order(uses, shapes),
        Grouping::Paced => {
            let mut all = in_order(uses, shapes);
            for together in &mut all {
                if let Pair { old: Some(old), new: Some(new) } = &together.uses {
                    let pace = traces.pace(Pair { old: old.number, new: new.number });
                    together.pace = pace.unwrap_or(ONE_BY_ONE);
                }
            }
            all
        }
        Grouping::OneWithSeveral => one_with_several(&uses, traces).unwrap_or_else(|| in_order(uses, shapes)),
    }
}

/// Whether runs show that some loops keep step in a way that is not one by one.
pub fn is_shown(grouping: Grouping, shapes: &[Pair<Option<LoopShape<'_>>>], traces: &Traces) -> bool {
    let numbers = |side: Side| -> Vec<usize> {
        (0..shapes.len()).filter(|number| shapes[*number].get(side).is_some()).collect()
    };
    let (old, new) = (numbers(Side::Old), numbers(Side::New));
    match grouping {
        Grouping::OneByOne => true,
        Grouping::Paced => {
            let both = old.iter().filter(|number| new.contains(number));
            let mut paces = both.map(|number| traces.pace(Pair { old: *number, new: *number }));
            paces.any(|pace| pace.is_some_and(|pace| pace != ONE_BY_ONE))
        }
        Grouping::OneWithSeveral => old.len() != new.len() && !old.is_empty() && !new.is_empty(),
    }
}

/// In pairs where both versions use a loop equally often, alone otherwise.
fn in_order(uses: Pair<Vec<LoopUse>>, shapes: &[Pair<Option<LoopShape<'_>>>]) -> Vec<Aligned> {
    let count = |uses: &[LoopUse], number: usize| uses.iter().filter(|it| it.number == number).count();
    let is_paired = |number: usize| {
        let shape = &shapes[number];
        shape.old.is_some() && shape.new.is_some() && count(&uses.old, number) == count(&uses.new, number)
    };
    let paired: Vec<bool> = (0..shapes.len()).map(is_paired).collect();
    let in_step = |uses: &[LoopUse]| -> Vec<usize> {
        uses.iter().map(|it| it.number).filter(|number| paired[*number]).collect()
    };
    let is_alone = |uses: &[LoopUse]| uses.iter().all(|it| !paired[it.number]);
    // Each version has loops of its own, as many: they are taken in pairs by their order.
    if uses.old.len() == uses.new.len() && is_alone(&uses.old) && is_alone(&uses.new) && !are_apart(shapes) {
        let pairs = uses.old.into_iter().zip(uses.new);
        return pairs.map(|(old, new)| Aligned::whole(Some(old), Some(new))).collect();
    }
    // Where the versions use them in another order they are taken alone.
    let same_order = in_step(&uses.old) == in_step(&uses.new);
    let mut ordered = Vec::new();
    let mut new = uses.new.into_iter().peekable();
    for old in uses.old {
        if !(same_order && paired[old.number]) {
            ordered.push(Aligned::whole(Some(old), None));
            continue;
        }
        for alone in std::iter::from_fn(|| new.next_if(|it| !paired[it.number])) {
            ordered.push(Aligned::whole(None, Some(alone)));
        }
        ordered.push(Aligned::whole(Some(old), new.next()));
    }
    ordered.extend(new.map(|alone| Aligned::whole(None, Some(alone))));
    ordered
}

/// Each loop of the version that has fewer of them with one or several of the other one: those up to the next that is
/// known to go with another one.
fn one_with_several(uses: &Pair<Vec<LoopUse>>, traces: &Traces) -> Option<Vec<Aligned>> {
    let fewer = if uses.old.len() < uses.new.len() { Side::Old } else { Side::New };
    let (few, many) = (uses.get(fewer), uses.get(fewer.other()));
    if few.is_empty() || few.len() == many.len() {
        return None;
    }
    let mut groups: Vec<Vec<&LoopUse>> = vec![Vec::new(); few.len()];
    let mut at = 0;
    for other in many {
        if let Some(partner) = few.iter().position(|it| it.number == other.number) {
            // The order of the versions is not the same.
            at = Some(partner).filter(|partner| *partner >= at)?;
        }
        groups[at].push(other);
    }
    let mut all = Vec::new();
    for (one, group) in few.iter().zip(groups) {
        all.extend(one_with(one, &group, fewer, traces)?);
    }
    Some(all)
}

fn one_with(one: &LoopUse, group: &[&LoopUse], side: Side, traces: &Traces) -> Option<Vec<Aligned>> {
    let numbers: Vec<usize> = group.iter().map(|it| it.number).collect();
    let rhythm = match group.len() {
        0 => return Some(vec![together(one, None, side)]),
        1 => Rhythm::Again,
        _ => traces.rhythm(side, one.number, &numbers)?,
    };
    let mut all: Vec<Aligned> =
        group.iter().map(|other| together(one, Some((*other).clone()), side)).collect();
    if let Rhythm::InTurn(pace) = rhythm {
        let last = all.len() - 1;
        for (place, part) in all.iter_mut().enumerate() {
            part.role = if place == last { Role::Rest(side) } else { Role::Start(side) };
            if place == 0 {
                *part.pace.get_mut(side) = pace;
            }
            let earlier = numbers[..place].iter().enumerate();
            part.before = earlier
                .map(|(at, other)| Earlier { side, other: *other, pace: if at == 0 { pace } else { 1 } })
                .collect();
        }
    }
    Some(all)
}

fn together(one: &LoopUse, other: Option<LoopUse>, side: Side) -> Aligned {
    match side {
        Side::Old => Aligned::whole(Some(one.clone()), other),
        Side::New => Aligned::whole(other, Some(one.clone())),
    }
}

/// Whether no loops are to be taken together.
pub fn are_apart(shapes: &[Pair<Option<LoopShape<'_>>>]) -> bool {
    shapes.iter().all(|shape| shape.old.is_none() || shape.new.is_none())
}
