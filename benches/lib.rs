//! Measurements: how the time of proofs, alignment, runs and whole checks grows. Each file beside this one is a benchmark.
