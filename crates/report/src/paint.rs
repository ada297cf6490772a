//! Colours for people at a terminal; plain text for everyone else.

/// Whether escape codes may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Plain,
    Coloured,
}

#[derive(Clone, Copy)]
pub(crate) enum Colour {
    Green,
    Red,
    Yellow,
    Bold,
    Dim,
}

impl Style {
    pub(crate) fn paint(self, colour: Colour, text: &str) -> String {
        let code = match colour {
            Colour::Green => "1;32",
            Colour::Red => "1;31",
            Colour::Yellow => "1;33",
            Colour::Bold => "1",
            Colour::Dim => "2",
        };
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}
