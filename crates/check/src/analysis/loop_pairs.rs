//! The loops of a pair that go together, and what they do in some runs.

use ir::{Numbers, Pair, Side, Subject};
use relate::Traces;
use symbolic::LoopShape;

use crate::common_code::CommonCode;

/// What is known of the loops of a pair before anything is proved.
pub(crate) struct LoopPairs<'a> {
    pub(crate) pair: Pair<Subject<'a>>,
    /// All loops, those that go together in pairs.
    pub(crate) shapes: Vec<Pair<Option<LoopShape<'a>>>>,
    /// The same loops, each for itself.
    pub(crate) alone: Vec<Pair<Option<LoopShape<'a>>>>,
    pub(crate) traces: Traces,
}

impl<'a> LoopPairs<'a> {
    /// `None` if there are no loops.
    pub(super) fn of(
        pair: Pair<Subject<'a>>,
        common_code: &CommonCode<'a>,
        numbers: Numbers,
    ) -> Option<LoopPairs<'a>> {
        let shapes = common_code.loop_pairs(pair);
        if shapes.is_empty() {
            return None;
        }
        let alone = shapes.iter().cloned().flat_map(each_alone).collect();
        let traces = Traces::of(pair, &shapes, numbers);
        let loops = LoopPairs { pair, shapes, alone, traces };
        if tracing::enabled!(target: "loops", tracing::Level::DEBUG) {
            loops.trace();
        }
        Some(loops)
    }

    /// Tells which loops go together, and how often they ran.
    fn trace(&self) {
        for (number, shape) in self.shapes.iter().enumerate() {
            let line = |side: Side| shape.get(side).as_ref().map_or(0, |shape| shape.stmt.span.line);
            let runs = self.traces.iterations(number).into_iter().take(8);
            let runs: Vec<String> = runs.map(|count| format!("{}:{}", count.old, count.new)).collect();
            let (old, new) = (line(Side::Old), line(Side::New));
            tracing::debug!(target: "loops", number, old, new, iterations = runs.join(" "));
        }
    }
}

/// Two loops that go together, each for itself.
fn each_alone(shapes: Pair<Option<LoopShape<'_>>>) -> impl Iterator<Item = Pair<Option<LoopShape<'_>>>> {
    let old = shapes.old.map(|shape| Pair { old: Some(shape), new: None });
    let new = shapes.new.map(|shape| Pair { old: None, new: Some(shape) });
    old.into_iter().chain(new)
}
