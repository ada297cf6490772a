//! What is known of functions whose source is not there: what their declarations say, and what libc documents.
//!
//! A function that nothing is known of may read and write all memory that it can reach.

use ir::{Access, External};

use crate::types::CType;

/// What the attributes of a declaration promise, by their names.
pub(crate) fn declared_access<'n>(attributes: impl Iterator<Item = &'n str>) -> Option<Access> {
    let promised = attributes.filter_map(|name| match name.trim_matches('_') {
        "const" => Some(Access::Pure),
        "pure" => Some(Access::Reads),
        _ => None,
    });
    promised.min()
}

/// What is known of a function without a definition, by its name, its result and its declarations.
pub(crate) fn external(name: &str, result: &CType, declared: External) -> External {
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let is_mathematics = MATHEMATICS.contains(&name) || MATHEMATICS.contains(&stem);
    // The compiler knows these without a header.
    if is_mathematics && (declared.library || matches!(result, CType::Float(_))) {
        return External { access: Access::Pure, library: true };
    }
    // A function of the user may have any name.
    let known = [
        (READING, Access::Reads),
        (WORLD, Access::World),
        (STREAMS, Access::Streams),
        (SHOWING, Access::Shows),
    ];
    let found = known.iter().find(|(list, _)| declared.library && list.contains(&name));
    let access = found.map_or(declared.access, |(_, access)| declared.access.min(*access));
    External { access, library: declared.library && results(name).is_none() }
}

/// The least and the largest result of a function of libc that may give every number between them.
pub(crate) fn results(name: &str) -> Option<(i128, i128)> {
    match name {
        "rand" | "random" => Some((0, 0x7fff_ffff)),
        "getchar" | "getc" | "fgetc" => Some((-1, 255)),
        "access" | "chdir" | "chmod" | "chown" | "close" | "fchmod" | "fchown" | "fclose" | "fdatasync"
        | "fsync" | "ftruncate" | "kill" | "link" | "listen" | "mkdir" | "remove" | "rename" | "rmdir"
        | "setenv" | "shutdown" | "symlink" | "truncate" | "unlink" | "unsetenv" => Some((-1, 0)),
        "creat" | "dup" | "open" | "socket" => Some((-1, 0x7fff_ffff)),
        _ => None,
    }
}

/// Functions of `<math.h>` that give a number for numbers. That they may set `errno` is left out.
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
];

/// Functions that look at memory, and change nothing.
const READING: &[&str] = &[
    "getenv",
    "strcasecmp",
    "strcasestr",
    "strcoll",
    "strcspn",
    "strncasecmp",
    "strnlen",
    "strpbrk",
    "strspn",
    "strverscmp",
    "wcscmp",
    "wcslen",
    "wcsncmp",
];

/// Functions that ask or change the system, and no memory of the program.
const WORLD: &[&str] = &[
    "clock",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "getuid",
    "isatty",
    "rand",
    "random",
    "sched_yield",
    "setuid",
    "srand",
    "srandom",
    "sysconf",
    "umask",
];

/// Functions that change the system or wait for it, where the outside world sees what was written before. They use no
/// memory of the program.
const STREAMS: &[&str] = &[
    "alarm",
    "close",
    "dup",
    "dup2",
    "fchmod",
    "fchown",
    "fdatasync",
    "fgetc",
    "fork",
    "fsync",
    "ftruncate",
    "getc",
    "getchar",
    "kill",
    "listen",
    "lseek",
    "raise",
    "shutdown",
    "sleep",
    "socket",
    "usleep",
];

/// Functions that pass memory on to the system, and leave it alone.
const SHOWING: &[&str] = &[
    "access", "chdir", "chmod", "chown", "creat", "fclose", "fflush", "fprintf", "fputc", "fputs", "fwrite",
    "link", "mkdir", "open", "perror", "putc", "pwrite", "remove", "rename", "rmdir", "send", "setenv",
    "symlink", "syslog", "system", "truncate", "unlink", "unsetenv", "write", "writev",
];
