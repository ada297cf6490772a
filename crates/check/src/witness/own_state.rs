//! What private variables that only one version has may hold: their start values, and what calls leave in them.
//!
//! Under-approximating: only such values are found as a few calls lead to. Fields that only one version has are left out
//! here; in doubt, `interp` knows nothing of them.

use std::collections::{BTreeMap, BTreeSet};

use inputs::Generator;
use interp::{Ending, Input, Limits, Machine, RefValue, Run, Value};
use ir::{Language, Numbers, Pair, ProcId, Program, Side, Subject};

use crate::start_values::{initialisers, is_about_others};

/// How many procedures of a version are called to see what they leave.
const CALLS: usize = 8;
const SEED: u64 = 1;
const LIMITS: Limits = Limits { steps: 10_000, memory_cells: 50_000, call_depth: 300, output: 10_000 };

/// What the variables of both versions hold. Those that are not listed hold their initial values.
#[derive(Clone, Default)]
pub(super) struct OwnState {
    globals: BTreeMap<String, Value>,
    statics: BTreeMap<String, Vec<Value>>,
}

impl OwnState {
    /// What they hold once both versions have started, if that is known.
    pub(super) fn at_start(programs: Pair<&Program>, machines: Pair<&Machine>) -> Option<OwnState> {
        let mut state = OwnState::default();
        for side in [Side::Old, Side::New] {
            let program = programs.get(side);
            if program.language != Language::Java {
                continue;
            }
            let globals = program.globals.iter().map(|global| &global.name);
            let variables = globals.chain(program.statics.iter().map(|object| &object.name));
            let own: Vec<&String> = variables.filter(|name| program.own.contains(*name)).collect();
            for (class, initialiser) in initialisers(program) {
                if !own.iter().any(|name| name.rsplit_once('.').is_some_and(|it| it.0 == class)) {
                    continue;
                }
                if is_about_others(program, initialiser, &class) {
                    return None;
                }
                let run = machines.get(side).run(initialiser, &Input::default(), &LIMITS);
                state = state.after(&run, &program.own)?;
            }
        }
        Some(state)
    }

    /// What a run of one version leaves of this state; `None` if that may be something else, or other objects.
    pub(super) fn after(&self, run: &Run, own: &BTreeSet<String>) -> Option<OwnState> {
        let is_clear = matches!(run.ending, Ending::Returned(_)) && !run.inexact && run.invented.is_none();
        let globals = run.globals.iter().filter(|(name, _)| own.contains(*name));
        let statics = run.statics.iter().filter(|(name, _)| own.contains(*name));
        let mut values = globals.clone().map(|(_, value)| value).chain(statics.clone().flat_map(|it| it.1));
        if !is_clear || !values.all(is_plain) {
            return None;
        }
        let mut state = self.clone();
        state.globals.extend(globals.map(|(name, value)| (name.clone(), value.clone())));
        state.statics.extend(statics.map(|(name, cells)| (name.clone(), cells.clone())));
        Some(state)
    }

    /// An input together with this state.
    pub(super) fn with(&self, input: &Input) -> Input {
        let mut whole = input.clone();
        whole.globals.extend(self.globals.clone());
        whole.statics.extend(self.statics.clone());
        whole
    }

    /// The states that single calls of procedures lead to from this one.
    pub(super) fn after_calls(
        &self,
        programs: Pair<&Program>,
        machines: Pair<&Machine>,
        numbers: Numbers,
    ) -> Vec<OwnState> {
        let mut states = Vec::new();
        for side in [Side::Old, Side::New] {
            let program = programs.get(side);
            for procedure in writers(program).into_iter().take(CALLS) {
                let subject = Subject::new(program, procedure);
                let mut generator = Generator::new(Pair::new(subject, subject), numbers, SEED);
                let inputs = [generator.uniform(0), generator.uniform(1)];
                states.extend(inputs.into_iter().flatten().filter_map(|input| {
                    let input = self.with(&inputs::without_own_state(&input, programs)?);
                    self.after(&machines.get(side).run(procedure, &input, &LIMITS), &program.own)
                }));
            }
        }
        states
    }
}

/// Forgets what a run leaves in variables that only its version has: nothing else can see it.
pub(super) fn without_own_state(mut run: Run, programs: Pair<&Program>) -> Run {
    let is_own = |name: &String| programs.old.own.contains(name) || programs.new.own.contains(name);
    run.globals.retain(|name, _| !is_own(name));
    run.statics.retain(|name, _| !is_own(name));
    run
}

/// The procedures that change private variables which only this version has.
fn writers(program: &Program) -> Vec<ProcId> {
    let procedures = program.procedures.iter().enumerate();
    let with_body = procedures.filter(|(_, it)| it.body.is_some() && it.short_name != "<clinit>");
    with_body
        .map(|(index, _)| ProcId::from_index(index))
        .filter(|procedure| {
            let effects = ir::effects(program, *procedure);
            let globals = effects.writes_globals.iter().map(|id| &program.global(*id).name);
            let statics = effects.statics.iter().map(|id| &program.static_object(*id).name);
            globals.chain(statics).any(|name| program.own.contains(name))
        })
        .collect()
}

/// Whether a value means the same in another input.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Undefined | Value::Map(_) => false,
        Value::Ref(reference) => *reference == RefValue::Null,
        Value::Record(fields) => fields.iter().all(is_plain),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => true,
        Value::Real(_) | Value::Text(_) => true,
    }
}
