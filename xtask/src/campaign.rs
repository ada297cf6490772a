//! Starts a campaign. They are in a program of their own (`crates/campaigns`), which is built when one is asked for.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;
use casekit::{process, workspace};

/// What is handed on to a campaign.
#[derive(clap::Args)]
pub(crate) struct CampaignArguments {
    /// The options of the campaign; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Builds the program of the campaigns in the same way as this one, and runs it in the folder of the caller.
pub(crate) fn run(name: &str, arguments: &CampaignArguments) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--package", "campaigns", "--manifest-path"]);
    command.arg(workspace::root().join("Cargo.toml"));
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    process::run(command.args(["--", name]).args(&arguments.arguments))
}
