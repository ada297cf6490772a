//! Where a Java file has to lie for `javac`: its package and its public class, without parsing all of it.

use std::path::PathBuf;

/// The path of a file below the source folder: `a/b/Mid.java` for a public class `Mid` in package `a.b`.
pub fn path_of(text: &str, fallback: &str) -> PathBuf {
    let words = top_level_words(text);
    let package = words.windows(2).find(|pair| pair[0] == "package").map(|pair| pair[1].clone());
    let public = words
        .iter()
        .position(|word| word == "public")
        .and_then(|start| {
            let rest = &words[start..];
            let keyword = rest.iter().position(|word| is_type_keyword(word))?;
            rest.get(keyword + 1).cloned()
        })
        .unwrap_or_else(|| fallback.to_owned());
    let mut path: PathBuf = package.iter().flat_map(|package| package.split('.')).collect();
    path.push(format!("{public}.java"));
    path
}

fn is_type_keyword(word: &str) -> bool {
    ["class", "interface", "enum", "record"].contains(&word)
}

/// The words outside of all braces, comments and literals; dots belong to words.
fn top_level_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut depth = 0_usize;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            '/' if rest.peek() == Some(&'*') => {
                rest.next();
                let mut last = ' ';
                for c in rest.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '"' | '\'' => {
                while let Some(c) = rest.next() {
                    match c {
                        '\\' => drop(rest.next()),
                        c if c == character || c == '\n' => break,
                        _ => {}
                    }
                }
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            c if depth == 0 && (c.is_alphanumeric() || c == '_' || c == '$' || c == '.') => {
                word.push(c);
                continue;
            }
            _ => {}
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_class_names_its_file_and_the_package_its_folder() {
        let text = "/* public class No { */ package a.b;\nimport c.D; // public class Neither\n\
                    class First { public class Inner {} }\n@Deprecated public final class Mid<T> { }";
        assert_eq!(path_of(text, "x"), PathBuf::from("a/b/Mid.java"));
    }

    #[test]
    fn without_a_public_class_the_name_stays() {
        assert_eq!(
            path_of("class A { String s = \"}public class B\"; }", "version1"),
            PathBuf::from("version1.java")
        );
    }
}
