//! What methods of the Java library give, where their classes have no model: numbers, truth values and texts.
//!
//! The table has a line for each class: names of methods, with how many arguments, and the only result that these have.
//! Results that depend on type arguments are not in it. Exact: a program that compiles calls no other method.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::foreign_names::{on_demand, simple_name};
use crate::syntax::Primitive;
use crate::types::Ty;

const TABLE: &str = include_str!("library_results.txt");

/// A class and its methods: names with the number of arguments.
type Results = BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>;

fn results() -> &'static Results {
    static RESULTS: OnceLock<Results> = OnceLock::new();
    RESULTS.get_or_init(|| {
        let rows = TABLE.lines().filter_map(|line| line.split_once(": "));
        rows.map(|(class, methods)| (class, methods.split(' ').filter_map(|it| it.split_once('=')).collect()))
            .collect()
    })
}

/// What a method of a class that is not given returns, and whether only an import on demand says which class that is.
pub(crate) fn result_of(class: &str, method: &str, args: usize) -> Option<(Ty, bool)> {
    let method = format!("{method}/{args}");
    let find = |class: &str| results().get(class)?.get(method.as_str()).copied();
    if let Some(found) = find(class) {
        return Some((type_named(found)?, false));
    }
    let simple = simple_name(class);
    let packages = on_demand(class);
    let mut found = packages.iter().filter_map(|package| find(&format!("{package}.{simple}")));
    match (found.next(), found.next()) {
        (Some(only), None) => Some((type_named(only)?, true)),
        _ => None,
    }
}

fn type_named(name: &str) -> Option<Ty> {
    match name {
        "String" => Some(Ty::Text),
        _ => Primitive::ALL.into_iter().find(|it| it.name() == name).map(Ty::Primitive),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn a_class_is_known_by_its_name_or_by_the_only_import_that_has_it() {
        let int = Ty::Primitive(Primitive::Int);
        assert_eq!(result_of("java.util.List", "size", 0), Some((int.clone(), false)));
        assert_eq!(result_of("?List of my.package,java.io,java.util", "size", 0), Some((int, true)));
        assert_eq!(result_of("?List of my.package,java.io", "size", 0), None);
        assert_eq!(result_of("my.package.List", "size", 0), None);
        assert_eq!(result_of("java.util.List", "get", 1), None, "that depends on the type argument");
        assert_eq!(result_of("java.util.List", "size", 1), None);
    }

    /// Asks the real library what its methods return.
    const ASKS: &str = r#"
import java.lang.reflect.Method;
import java.nio.file.*;
import java.util.*;
public class Asks {
    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] row = line.split(": ");
            Class<?> type;
            try { type = Class.forName(row[0]); }
            catch (ClassNotFoundException inner) {
                int dot = row[0].lastIndexOf('.');
                type = Class.forName(row[0].substring(0, dot) + "$" + row[0].substring(dot + 1));
            }
            for (String entry : row[1].split(" ")) {
                String[] parts = entry.split("[/=]");
                List<Method> methods = new ArrayList<>(Arrays.asList(type.getMethods()));
                if (type.isInterface()) methods.addAll(Arrays.asList(Object.class.getMethods()));
                Set<String> found = new TreeSet<>();
                for (Method method : methods) {
                    if (!method.getName().equals(parts[0]) || method.isBridge()) continue;
                    if (method.isVarArgs()) found.add("any number of arguments");
                    if (method.getParameterCount() == Integer.parseInt(parts[1])) {
                        found.add(method.getGenericReturnType().getTypeName().replace("java.lang.", ""));
                    }
                }
                if (!found.equals(Set.of(parts[2]))) System.out.println(row[0] + " " + entry + " " + found);
            }
        }
    }
}
"#;

    #[test]
    fn the_real_library_returns_what_the_table_says() {
        let folder = std::env::temp_dir().join(format!("selfsame-library-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let source = folder.join("Asks.java");
        std::fs::write(&source, ASKS).unwrap();
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library_results.txt");
        let output = Command::new("java").arg(&source).arg(&table).output();
        std::fs::remove_dir_all(&folder).unwrap();
        match output {
            Ok(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                assert_eq!(String::from_utf8_lossy(&output.stdout), "", "these have other results");
            }
            Err(error) => eprintln!("skipped: no `java` was found ({error})"),
        }
    }
}
