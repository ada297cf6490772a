//! The program from outside: what it prints, its exit code, and what it leaves behind.

mod assumptions;
mod bad_input;
mod bench;
mod clients;
mod command_line;
mod conditions;
mod contracts;
mod determinism;
mod explain;
mod folders;
mod isolation;
mod large_callees;
mod linkage;
mod looking_inside;
mod parting;
mod proposals;
mod renamed_classes;
mod replay;
mod support;
mod threads;
mod undefined;
mod verdicts;
