//! Loop alignment: which uses of loops go together, and how many iterations of each for one of the other.

use ir::{Pair, Side};
use symbolic::{LoopShape, LoopUse};

use crate::trace_alignment::Splitting;
use crate::traces::{Earlier, IterationPairs, Traces};

/// How loops are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// One iteration of each.
    OneToOne,
    /// k iterations of one for l of the other, in the ratio that runs show.
    KToL,
    /// One loop of a version with several of the other one.
    OneToMany,
}

/// Loops that run side by side.
pub(crate) struct Aligned {
    pub(crate) uses: Pair<Option<LoopUse>>,
    pub(crate) ratio: Pair<u32>,
    pub(crate) role: Role,
    /// The loops that the one that goes on was aligned with before.
    pub(crate) before: Vec<Earlier>,
}

/// How much of a loop is aligned with the other one's.
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
        Aligned { uses: Pair { old, new }, ratio: ONE_TO_ONE, role: Role::Whole, before: Vec::new() }
    }

    /// Which iterations are side by side; the loop that does nothing has the other's number.
    pub(crate) fn iteration_pairs(&self) -> Option<IterationPairs> {
        let Pair { old, new } = self.uses.as_ref().map(|it| it.as_ref().map(|it| it.number));
        let numbers = Pair { old: old.or(new)?, new: new.or(old)? };
        Some(IterationPairs { numbers, ratio: self.ratio, before: self.before.clone() })
    }
}

const ONE_TO_ONE: Pair<u32> = Pair { old: 1, new: 1 };

/// The uses in an order in which each comes after all that it can depend on; `None` if they do not go together in the
/// way that is asked for.
pub(crate) fn aligned(
    uses: Pair<Vec<LoopUse>>,
    shapes: &[Pair<Option<LoopShape<'_>>>],
    grouping: Grouping,
    traces: &Traces,
) -> Vec<Aligned> {
    match grouping {
        Grouping::OneToOne => in_order(uses, shapes),
        Grouping::KToL => {
            let mut all = in_order(uses, shapes);
            for together in &mut all {
                if let Pair { old: Some(old), new: Some(new) } = &together.uses {
                    let ratio = traces.ratio(Pair { old: old.number, new: new.number });
                    together.ratio = ratio.unwrap_or(ONE_TO_ONE);
                }
            }
            all
        }
        Grouping::OneToMany => one_to_many(&uses, traces).unwrap_or_else(|| in_order(uses, shapes)),
    }
}

/// Whether runs show an alignment of some loops.
pub fn is_shown(grouping: Grouping, shapes: &[Pair<Option<LoopShape<'_>>>], traces: &Traces) -> bool {
    let numbers = |side: Side| -> Vec<usize> {
        (0..shapes.len()).filter(|number| shapes[*number].get(side).is_some()).collect()
    };
    let (old, new) = (numbers(Side::Old), numbers(Side::New));
    match grouping {
        Grouping::OneToOne => true,
        Grouping::KToL => {
            let both = old.iter().filter(|number| new.contains(number));
            let mut ratios = both.map(|number| traces.ratio(Pair { old: *number, new: *number }));
            ratios.any(|ratio| ratio.is_some_and(|ratio| ratio != ONE_TO_ONE))
        }
        Grouping::OneToMany => old.len() != new.len() && !old.is_empty() && !new.is_empty(),
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
    let numbers = |uses: &[LoopUse]| -> Vec<usize> {
        uses.iter().map(|it| it.number).filter(|number| paired[*number]).collect()
    };
    let is_alone = |uses: &[LoopUse]| uses.iter().all(|it| !paired[it.number]);
    // Each version has loops of its own, as many: they are taken in pairs by their order.
    if uses.old.len() == uses.new.len()
        && is_alone(&uses.old)
        && is_alone(&uses.new)
        && !are_all_alone(shapes)
    {
        let pairs = uses.old.into_iter().zip(uses.new);
        return pairs.map(|(old, new)| Aligned::whole(Some(old), Some(new))).collect();
    }
    // Where the versions use them in another order they are taken alone.
    let same_order = numbers(&uses.old) == numbers(&uses.new);
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

/// Aligns each loop of the version that has fewer with one or several of the other: with all up to the next one that is
/// known to go with another loop.
fn one_to_many(uses: &Pair<Vec<LoopUse>>, traces: &Traces) -> Option<Vec<Aligned>> {
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
    let splitting = match group.len() {
        0 => return Some(vec![together(one, None, side)]),
        1 => Splitting::Fission,
        _ => traces.splitting(side, one.number, &numbers)?,
    };
    let mut all: Vec<Aligned> =
        group.iter().map(|other| together(one, Some((*other).clone()), side)).collect();
    if let Splitting::IndexSet(ratio) = splitting {
        let last = all.len() - 1;
        for (place, part) in all.iter_mut().enumerate() {
            part.role = if place == last { Role::Rest(side) } else { Role::Start(side) };
            if place == 0 {
                *part.ratio.get_mut(side) = ratio;
            }
            let earlier = numbers[..place].iter().enumerate();
            part.before = earlier
                .map(|(at, other)| Earlier { side, other: *other, ratio: if at == 0 { ratio } else { 1 } })
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

/// Whether no loop goes with one of the other version.
pub fn are_all_alone(shapes: &[Pair<Option<LoopShape<'_>>>]) -> bool {
    shapes.iter().all(|shape| shape.old.is_none() || shape.new.is_none())
}
