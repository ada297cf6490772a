//! A generated program, and the inputs that it is run on.

use crate::choices::Choices;
use crate::datum::{self, Datum, Kind};

/// A program, random or from a case file, with the method or function that is run.
#[derive(Clone, Debug)]
pub struct GeneratedProgram {
    pub text: String,
    /// The class (Java), or the prefix of all names (C); a file name in any case.
    pub name: String,
    /// The method or function that is run.
    pub entry: String,
    pub params: Vec<Kind>,
    pub result: Option<Kind>,
    /// The static fields or variables at file scope that are set before, and looked at after.
    pub globals: Vec<(String, Kind)>,
}

/// What a program is run on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramInput {
    pub args: Vec<Datum>,
    pub globals: Vec<Datum>,
}

impl GeneratedProgram {
    /// The inputs that a campaign tries; the same numbers give the same inputs.
    pub fn inputs(&self, seed: u64, number: u64, count: usize) -> Vec<ProgramInput> {
        let mut choices = Choices::new(!seed, number);
        (0..count).map(|_| self.input(&mut choices)).collect()
    }

    fn input(&self, choices: &mut Choices) -> ProgramInput {
        let mut args: Vec<Datum> = Vec::new();
        for (index, kind) in self.params.iter().enumerate() {
            let same = (0..index).find(|other| {
                self.params[*other] == *kind
                    && matches!((kind, &args[*other]), (Kind::Array(_) | Kind::Fixed(..), Datum::Array(_)))
            });
            let alias = same.filter(|_| choices.percent(30));
            args.push(alias.map_or_else(|| datum::random(kind, choices), Datum::SameAs));
        }
        let globals = self.globals.iter().map(|(_, kind)| datum::random(kind, choices)).collect();
        ProgramInput { args, globals }
    }
}

impl ProgramInput {
    /// All values as words, the arguments first: what the harnesses read.
    pub fn words(&self) -> String {
        let all: Vec<String> = self.args.iter().chain(&self.globals).map(Datum::to_string).collect();
        all.join(" ")
    }
}
