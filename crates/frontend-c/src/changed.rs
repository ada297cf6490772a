//! Structs whose members changed: which members of the versions are the same input, and what cannot be matched.
//!
//! Members go together by name and type, so that order and padding do not matter; where memory is bytes, nothing does.
//! A struct that cannot be matched has another name in each version: none of its objects is an input of both.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ir::{Pair, Side};

use crate::types::{CType, FunctionType, RecordId, Records, Slot, Slots};

/// A struct or union as one version declares it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Described {
    union: bool,
    members: Vec<DescribedMember>,
    /// Its size in bytes, and where the members lie.
    bytes: (u64, Vec<u64>),
}

#[derive(Clone, PartialEq, Debug)]
struct DescribedMember {
    name: String,
    /// The type, in words that are the same for types that hold the same values in the same bits.
    key: String,
    /// The scalars in it; absent if another version cannot have them.
    cells: Option<Vec<Portable>>,
    /// The names of the structs in it.
    parts: BTreeSet<String>,
    flexible: bool,
}

/// A scalar type without the numbers that structs have in one version.
#[derive(Clone, PartialEq, Debug)]
enum Portable {
    Number(CType),
    Pointer(Box<Portable>),
    /// What a pointer points to, by name.
    Record(String, bool),
    Function,
}

/// All structs of a version, by name. Several of one name are in different files or blocks.
pub(crate) type Description = BTreeMap<String, Vec<Described>>;

/// What became of the structs that changed.
#[derive(Default, Debug)]
pub(crate) struct Changes {
    matched: BTreeMap<String, Matched>,
    unmatched: BTreeSet<String>,
}

/// The members of both versions in the order of their cells.
#[derive(Debug)]
struct Matched {
    entries: Vec<Entry>,
    /// What is taken for granted, in words.
    notes: Vec<String>,
}

#[derive(Debug)]
struct Entry {
    /// Where each version declares it.
    positions: Pair<Option<usize>>,
    cells: Vec<Portable>,
    name: String,
}

impl Records {
    /// The structs and unions whose members are known.
    pub(crate) fn describe(&self) -> Description {
        let mut description = Description::new();
        for record in &self.list {
            let Some(body) = &record.body else { continue };
            let members = body.members.iter();
            let described = Described {
                union: record.union,
                members: members.clone().map(|member| self.describe_member(member)).collect(),
                bytes: (body.size, members.map(|member| member.byte).collect()),
            };
            let known = description.entry(record.name.clone()).or_default();
            if !known.contains(&described) {
                known.push(described);
            }
        }
        description
    }

    fn describe_member(&self, member: &crate::types::Member) -> DescribedMember {
        let key = match member.bits {
            Some(field) => format!("{:?}:{}", member.ty, field.width),
            None => self.key(&member.ty),
        };
        let mut scalars = Vec::new();
        if !self.bytes {
            self.flatten(&member.ty, &mut scalars);
        }
        let mut parts = BTreeSet::new();
        self.add_parts(&member.ty, &mut parts);
        DescribedMember {
            name: member.name.clone().unwrap_or_else(|| format!("<{key}>")),
            key,
            cells: scalars.iter().map(|ty| self.portable(ty)).collect(),
            parts,
            flexible: matches!(member.ty, CType::Array(_, None)),
        }
    }

    fn key(&self, ty: &CType) -> String {
        match ty {
            CType::Int(ty) => format!("i{}", ty.width),
            CType::Pointer(pointee) => format!("{}*", self.key(pointee)),
            CType::Array(element, length) => format!("{}[{length:?}]", self.key(element)),
            CType::Record(id) => self.get(*id).name.clone(),
            CType::Volatile(ty) => format!("volatile {}", self.key(ty)),
            CType::Function(_) => "function".to_owned(),
            CType::Void
            | CType::Bool
            | CType::Bits(_)
            | CType::Float(_)
            | CType::LongDouble
            | CType::Text
            | CType::Other(_) => format!("{ty:?}"),
        }
    }

    /// The structs that lie in a type.
    fn add_parts(&self, ty: &CType, parts: &mut BTreeSet<String>) {
        let CType::Record(id) = ty.innermost().without_volatile() else { return };
        if parts.insert(self.get(*id).name.clone()) {
            for member in self.get(*id).body.iter().flat_map(|body| &body.members) {
                self.add_parts(&member.ty, parts);
            }
        }
    }

    fn portable(&self, ty: &CType) -> Option<Portable> {
        match ty {
            CType::Bool | CType::Int(_) | CType::Float(_) => Some(Portable::Number(ty.clone())),
            CType::Pointer(pointee) => Some(Portable::Pointer(Box::new(match pointee.innermost() {
                CType::Void => Portable::Number(CType::Void),
                CType::Function(_) => Portable::Function,
                CType::Record(id) => Portable::Record(self.get(*id).name.clone(), self.get(*id).union),
                pointee => self.portable(pointee)?,
            }))),
            CType::Void
            | CType::Bits(_)
            | CType::LongDouble
            | CType::Array(..)
            | CType::Record(_)
            | CType::Function(_)
            | CType::Volatile(_)
            | CType::Text
            | CType::Other(_) => None,
        }
    }

    /// The type of this version that a portable one stands for.
    fn local(&mut self, portable: &Portable) -> CType {
        match portable {
            Portable::Number(ty) => ty.clone(),
            Portable::Pointer(pointee) => CType::pointer_to(self.local(pointee)),
            Portable::Function => {
                let ty = FunctionType {
                    params: Vec::new(),
                    result: CType::Void,
                    variadic: false,
                    prototyped: false,
                };
                CType::Function(Rc::new(ty))
            }
            Portable::Record(name, union) => {
                let known = self.list.iter().position(|record| record.name == *name);
                CType::Record(RecordId(known.unwrap_or_else(|| {
                    let (name, union) = (name.clone(), *union);
                    self.list.push(crate::types::Record { name, union, body: None });
                    self.list.len() - 1
                })))
            }
        }
    }
}

impl Changes {
    /// Compares the structs of both versions. In bytes, every change of the layout is one that cannot be matched.
    pub(crate) fn between(versions: Pair<&Description>, bytes: bool) -> Changes {
        let mut changes = Changes::default();
        let same = |old: &Described, new: &Described| {
            let alike = |(old, new): (&DescribedMember, &DescribedMember)| {
                (&old.name, &old.key) == (&new.name, &new.key)
            };
            old.union == new.union
                && old.members.len() == new.members.len()
                && old.members.iter().zip(&new.members).all(alike)
                && (!bytes || old.bytes == new.bytes)
        };
        let mut changed = Vec::new();
        for (name, old) in versions.old {
            let Some(new) = versions.new.get(name) else { continue };
            let is_same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new));
            let another = format!("{name}.2");
            let is_unique = old.len() == 1
                && new.len() == 1
                && !versions.old.contains_key(&another)
                && !versions.new.contains_key(&another);
            match (is_same, old.as_slice(), new.as_slice()) {
                (true, ..) => {}
                (false, [old], [new]) if is_unique && !bytes => changed.push((name, old, new)),
                _ => _ = changes.unmatched.insert(name.clone()),
            }
        }
        let names: BTreeSet<&String> = changed.iter().map(|(name, ..)| *name).collect();
        for (name, old, new) in &changed {
            let all = versions.old.values().chain(versions.new.values()).flatten();
            let mut unions = all.filter(|record| record.union).flat_map(|record| &record.members);
            let in_union = unions.any(|member| member.parts.contains(*name));
            match Matched::of(name, Pair::new(old, new), &names) {
                Some(matched) if !in_union => _ = changes.matched.insert((*name).clone(), matched),
                _ => _ = changes.unmatched.insert((*name).clone()),
            }
        }
        changes.spread(versions);
        changes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.matched.is_empty() && self.unmatched.is_empty()
    }

    /// What holds a struct that cannot be matched cannot be matched either.
    fn spread(&mut self, versions: Pair<&Description>) {
        for (name, records) in versions.old.iter().chain(versions.new) {
            let mut members = records.iter().flat_map(|record| &record.members);
            if members.any(|member| !member.parts.is_disjoint(&self.unmatched)) {
                self.matched.remove(name);
                self.unmatched.insert(name.clone());
            }
        }
    }

    /// The name of a struct in a version.
    pub(crate) fn name_in(&self, name: String, side: Side) -> String {
        if self.unmatched.contains(&name) { format!("{name} of the {} version", side.name()) } else { name }
    }

    /// The order of the cells of a struct of this name, if it changed.
    pub(crate) fn slots(&self, name: &str, side: Side, records: &mut Records) -> Option<Slots> {
        let matched = self.matched.get(name)?;
        let positions: Vec<usize> =
            matched.entries.iter().filter_map(|entry| *entry.positions.get(side)).collect();
        let mut list = Vec::new();
        for entry in &matched.entries {
            list.push(match (entry.positions.get(side), entry.positions.get(side.other())) {
                (Some(position), other) => Slot::Own { position: *position, lonely: other.is_none() },
                (None, _) => {
                    Slot::Foreign { cells: entry.cells.iter().map(|cell| records.local(cell)).collect() }
                }
            });
        }
        Some(Slots { list, reordered: !positions.is_sorted(), notes: matched.notes.clone() })
    }
}

impl Matched {
    /// The members that go together; `None` if that cannot be told.
    fn of(name: &str, versions: Pair<&Described>, changed: &BTreeSet<&String>) -> Option<Matched> {
        let Pair { old, new } = versions.map(|record| &record.members);
        let (is_union, flexible) =
            (versions.old.union || versions.new.union, old.iter().chain(new).any(|member| member.flexible));
        if is_union || flexible {
            return None;
        }
        let find = |members: &[DescribedMember], name: &str| members.iter().position(|it| it.name == name);
        let mut notes = Vec::new();
        let mut partners: BTreeMap<usize, usize> = BTreeMap::new();
        for (position, member) in old.iter().enumerate() {
            match find(new, &member.name) {
                Some(partner) if new[partner].key == member.key => _ = partners.insert(position, partner),
                Some(_) => return None,
                None => {}
            }
        }
        let moved = partners.iter().any(|(old, new)| old != new);
        for (position, member) in old.iter().enumerate().filter(|(_, it)| find(new, &it.name).is_none()) {
            let is_free = |other: &&DescribedMember| find(old, &other.name).is_none();
            let mut candidates = new.iter().filter(is_free).filter(|other| other.key == member.key);
            if candidates.next().is_none() {
                continue;
            }
            // A member with another name in the same place. Elsewhere it may be this one, or another.
            let other = new.get(position).filter(is_free).filter(|other| other.key == member.key)?;
            if moved || old.len() != new.len() {
                return None;
            }
            notes.push(format!(
                "the member `{}` of the old `{name}` is `{}` in the new one",
                member.name, other.name
            ));
            partners.insert(position, position);
        }
        let lonely = |members: &[DescribedMember], position: usize| {
            let member = &members[position];
            let is_plain = member.parts.iter().all(|part| !changed.contains(part));
            member.cells.clone().filter(|_| is_plain)
        };
        let mut entries = Vec::new();
        for (position, member) in new.iter().enumerate() {
            let partner = partners.iter().find(|(_, new)| **new == position).map(|(old, _)| *old);
            let cells = if partner.is_some() { Vec::new() } else { lonely(new, position)? };
            let positions = Pair::new(partner, Some(position));
            entries.push(Entry { positions, cells, name: member.name.clone() });
        }
        for (position, member) in
            old.iter().enumerate().filter(|(position, _)| !partners.contains_key(position))
        {
            let before = |entry: &Entry| entry.positions.old.is_some_and(|other| other + 1 == position);
            let at = entries.iter().position(before).map_or(0, |before| before + 1);
            let positions = Pair::new(Some(position), None);
            entries.insert(at, Entry { positions, cells: lonely(old, position)?, name: member.name.clone() });
        }
        for entry in &entries {
            let (has, lacks) = match entry.positions {
                Pair { old: None, .. } => (Side::New, Side::Old),
                Pair { new: None, .. } => (Side::Old, Side::New),
                Pair { old: Some(_), new: Some(_) } => continue,
            };
            notes.push(format!(
                "the member `{}` of `{name}`, which the {} version does not have, is an input of the {} version alone, \
                 and what it holds at the end is not compared",
                entry.name,
                lacks.name(),
                has.name()
            ));
        }
        if notes.is_empty() {
            notes.push(format!("the members of `{name}`, which stand in another order, go by their names"));
        }
        Some(Matched { entries, notes })
    }
}
