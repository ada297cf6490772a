//! Classes that are not given: what they are called, and whether they may belong to the Java library.
//!
//! A name is the same in both versions if it means the same class there. Where imports on demand leave open what a simple
//! name means, it stands with these imports and begins with `?`: the same name is the same class, another name may be.

use std::collections::BTreeSet;

use crate::syntax::{ClassDecl, FileScope, Member, Unit};

/// What is known of the names in all files of both versions.
#[derive(Clone, Default)]
pub(crate) struct ForeignNames {
    /// The simple names of the classes of both versions: one that the other version lacks is not there by mistake.
    given: BTreeSet<String>,
    /// Both versions have files of the same packages.
    same_packages: bool,
}

impl ForeignNames {
    pub(crate) fn of(versions: &[&[Unit]]) -> ForeignNames {
        let units = || versions.iter().flat_map(|units| units.iter());
        let packages =
            |units: &&[Unit]| units.iter().map(|unit| unit.package.clone()).collect::<BTreeSet<String>>();
        let packages: BTreeSet<BTreeSet<String>> = versions.iter().map(packages).collect();
        ForeignNames {
            given: units().flat_map(|unit| &unit.classes).flat_map(class_names).collect(),
            same_packages: packages.len() <= 1,
        }
    }

    /// Whether a class of either version has this simple name.
    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// The name of the class that a path means, which is not given; none if it may be one that the other version has.
    pub(crate) fn class(&self, path: &[String], scope: FileScope<'_>) -> Option<String> {
        let first = path.first()?;
        if scope.file.is_none() || path.iter().any(|name| self.is_given(name)) {
            return None;
        }
        let single = scope.imports.iter().find(|it| !it.on_demand && it.path.last() == Some(first));
        match single {
            Some(import) if import.is_static => None,
            Some(import) => Some(import.path.iter().chain(&path[1..]).cloned().collect::<Vec<_>>().join(".")),
            None if path.len() > 1 && first.starts_with(char::is_lowercase) => Some(path.join(".")),
            None if !first.starts_with(char::is_uppercase) => None,
            None => Some(self.simple(path, scope)),
        }
    }

    /// A class without an import of its own: of the package, of `java.lang`, or of an import on demand.
    fn simple(&self, path: &[String], scope: FileScope<'_>) -> String {
        let name = path.join(".");
        if JAVA_LANG.contains(&path[0].as_str()) {
            return format!("java.lang.{name}");
        }
        let on_demand: BTreeSet<String> =
            scope.imports.iter().filter(|it| it.on_demand).map(|it| it.path.join(".")).collect();
        let is_known = on_demand.is_empty() && self.same_packages && !COMMON.contains(&path[0].as_str());
        if is_known && scope.package.is_empty() {
            return name;
        }
        if is_known {
            return format!("{}.{name}", scope.package);
        }
        let on_demand: Vec<String> = on_demand.into_iter().collect();
        format!("?{name} of {},{}", scope.package, on_demand.join(","))
    }
}

/// Whether a class may belong to the Java library, so that not everything is possible that its methods might do.
pub(crate) fn is_doubtful(name: &str) -> bool {
    let of_library = ["java.", "javax.", "jdk.", "sun.", "org.w3c.dom.", "org.xml.sax.", "?"];
    of_library.iter().any(|start| name.starts_with(start))
}

/// The name of a class as the source has it, for messages.
pub(crate) fn simple_name(name: &str) -> &str {
    let name = name.strip_prefix('?').unwrap_or(name).trim();
    let name = name.split(" of ").next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

/// The packages from which a class may be imported on demand, if its name does not say which one it is.
pub(crate) fn on_demand(name: &str) -> Vec<&str> {
    let packages = name.strip_prefix('?').and_then(|name| name.split_once(" of "));
    packages.map_or_else(Vec::new, |(_, packages)| packages.split(',').skip(1).collect())
}

fn class_names(class: &ClassDecl) -> Vec<String> {
    let mut names = vec![class.name.clone()];
    for member in &class.members {
        if let Member::Class(nested) = member {
            names.extend(class_names(nested));
        }
    }
    names
}

/// The classes of `java.lang` that are not modelled: they need no import.
const JAVA_LANG: &[&str] = &[
    "Appendable",
    "AutoCloseable",
    "CharSequence",
    "Class",
    "ClassLoader",
    "ClassValue",
    "Cloneable",
    "Comparable",
    "Enum",
    "InheritableThreadLocal",
    "Iterable",
    "Module",
    "ModuleLayer",
    "Number",
    "Package",
    "Process",
    "ProcessBuilder",
    "ProcessHandle",
    "Readable",
    "Record",
    "Runnable",
    "Runtime",
    "RuntimePermission",
    "SecurityManager",
    "StackTraceElement",
    "StackWalker",
    "StringBuffer",
    "Thread",
    "ThreadGroup",
    "ThreadLocal",
    "Void",
];

/// Classes of other packages of the Java library that people know by their simple names, and leave the import out of
/// what they show.
const COMMON: &[&str] = &[
    "AbstractList",
    "AbstractMap",
    "ArrayDeque",
    "ArrayList",
    "AtomicBoolean",
    "AtomicInteger",
    "AtomicLong",
    "AtomicReference",
    "BigDecimal",
    "BigInteger",
    "BiFunction",
    "BitSet",
    "BufferedReader",
    "BufferedWriter",
    "ByteArrayInputStream",
    "ByteArrayOutputStream",
    "ByteBuffer",
    "Calendar",
    "Callable",
    "Charset",
    "Collection",
    "Collections",
    "Collectors",
    "Comparator",
    "ConcurrentHashMap",
    "ConcurrentMap",
    "Consumer",
    "CopyOnWriteArrayList",
    "CountDownLatch",
    "Date",
    "DateFormat",
    "DecimalFormat",
    "Deque",
    "Duration",
    "EnumMap",
    "EnumSet",
    "Entry",
    "Enumeration",
    "ExecutorService",
    "Executors",
    "Field",
    "File",
    "FileInputStream",
    "FileOutputStream",
    "FileReader",
    "FileWriter",
    "Files",
    "Function",
    "Future",
    "HashMap",
    "HashSet",
    "Hashtable",
    "InputStream",
    "InputStreamReader",
    "Instant",
    "Iterator",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "List",
    "ListIterator",
    "LocalDate",
    "LocalDateTime",
    "LocalTime",
    "Locale",
    "Lock",
    "Map",
    "Matcher",
    "MessageDigest",
    "Method",
    "NavigableMap",
    "NumberFormat",
    "Objects",
    "Optional",
    "OptionalInt",
    "OutputStream",
    "Path",
    "Paths",
    "Pattern",
    "Predicate",
    "PrintStream",
    "PrintWriter",
    "PriorityQueue",
    "Properties",
    "Queue",
    "Random",
    "Reader",
    "ReentrantLock",
    "ResourceBundle",
    "Scanner",
    "Serializable",
    "Set",
    "SimpleDateFormat",
    "SortedMap",
    "SortedSet",
    "Stack",
    "Stream",
    "StringReader",
    "StringTokenizer",
    "StringWriter",
    "Supplier",
    "TimeUnit",
    "TimeZone",
    "Timer",
    "TreeMap",
    "TreeSet",
    "URI",
    "URL",
    "UUID",
    "Vector",
    "WeakHashMap",
    "WeakReference",
    "Writer",
    "ZonedDateTime",
];
