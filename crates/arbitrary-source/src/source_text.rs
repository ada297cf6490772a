//! Program text that grows line by line, one statement to a line, so that it can be cut down by lines.

/// Lines with their indentation.
#[derive(Default)]
pub struct SourceText {
    text: String,
    indentation: usize,
}

impl SourceText {
    /// Adds a line.
    pub fn line(&mut self, line: &str) {
        for _ in 0..self.indentation {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line that opens a block: it gets its brace.
    pub fn open(&mut self, head: &str) {
        self.line(format!("{head} {{").trim_start());
        self.indentation += 1;
    }

    /// Ends a block; `tail` follows its brace.
    pub fn close(&mut self, tail: &str) {
        self.indentation -= 1;
        self.line(&format!("}}{tail}"));
    }

    /// Ends a block and opens the one that goes with it: `else`, `catch`.
    pub fn close_and_open(&mut self, head: &str) {
        self.indentation -= 1;
        self.line(&format!("}} {head} {{"));
        self.indentation += 1;
    }

    pub fn finish(self) -> String {
        assert_eq!(self.indentation, 0, "every block that was opened should be closed");
        self.text
    }
}
