//! The maps of a run: values that share their parts, each held once.
//!
//! A map is its default and a search tree of the keys at which it differs. The tree is a treap whose priorities
//! are hashes of the keys, so that its form depends on its entries alone; nodes are held once. Equal maps of exact
//! values thus have equal numbers, and an update costs the logarithm of the number of entries.

use std::cmp::Ordering;
use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

use crate::Ending;
use crate::code::MapLayout;
use crate::domain::{Domain, keys_of};
use crate::halt::{Halt, broken};

/// The number of the empty tree.
const EMPTY: u32 = 0;

/// A node of a search tree, by its number less one.
type NodeId = u32;

/// The default of a map, and the tree of its entries.
type Map<S> = (Box<[S]>, NodeId);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Node<S> {
    priority: u64,
    key: Box<[S]>,
    value: Box<[S]>,
    left: NodeId,
    right: NodeId,
}

pub(crate) struct Maps<D: Domain> {
    nodes: Vec<Node<D::Slot>>,
    node_ids: FxHashMap<Node<D::Slot>, NodeId>,
    maps: Vec<Map<D::Slot>>,
    map_ids: FxHashMap<Map<D::Slot>, u32>,
    memory: u64,
}

impl<D: Domain> Maps<D> {
    /// The maps that exist from the start, by their defaults.
    pub(crate) fn new(constants: &[Box<[D::Slot]>], memory: u64) -> Maps<D> {
        let mut maps = Maps {
            nodes: Vec::new(),
            node_ids: FxHashMap::default(),
            maps: Vec::new(),
            map_ids: FxHashMap::default(),
            memory,
        };
        for default in constants {
            maps.map(default.clone(), EMPTY);
        }
        maps
    }

    /// The map that has a value at every key.
    pub(crate) fn constant(&mut self, default: &[D::Slot]) -> u32 {
        self.map(default.into(), EMPTY)
    }

    pub(crate) fn select(&self, map: u32, key: &[D::Slot]) -> Result<&[D::Slot], Halt> {
        let (default, root) = self.get(map)?;
        Ok(self.find(*root, key).unwrap_or(default))
    }

    pub(crate) fn update(&mut self, map: u32, key: &[D::Slot], value: &[D::Slot]) -> Result<u32, Halt> {
        let (default, root) = self.get(map)?.clone();
        let root = if *default == *value { self.remove(root, key)? } else { self.insert(root, key, value)? };
        Ok(self.map(default, root))
    }

    /// Whether two maps of exact values agree at every key.
    pub(crate) fn same(&self, lhs: u32, rhs: u32, layout: &MapLayout) -> Result<bool, Halt> {
        if lhs == rhs {
            return Ok(true);
        }
        let ((lhs_default, lhs_root), (rhs_default, rhs_root)) = (self.get(lhs)?, self.get(rhs)?);
        if lhs_default == rhs_default {
            return Ok(false);
        }
        // Different defaults do not show when every key has an entry in one of the maps.
        let mut keys: Vec<&[D::Slot]> = Vec::new();
        self.entries(*lhs_root, &mut |key, _| keys.push(key));
        self.entries(*rhs_root, &mut |key, _| keys.push(key));
        keys.sort();
        keys.dedup();
        if keys_of::<D>(&layout.key) != Some(keys.len() as u64) {
            return Ok(false);
        }
        for key in keys {
            if self.select(lhs, key)? != self.select(rhs, key)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all that a map holds is exact.
    pub(crate) fn is_exact(&self, map: u32) -> Result<bool, Halt> {
        let (default, root) = self.get(map)?;
        let mut exact = default.iter().all(D::is_exact);
        self.entries(*root, &mut |key, value| exact &= key.iter().chain(value).all(D::is_exact));
        Ok(exact)
    }

    /// The default of a map and its entries, sorted by key.
    pub(crate) fn contents(&self, map: u32) -> Result<Contents<'_, D::Slot>, Halt> {
        let (default, root) = self.get(map)?;
        let mut entries = Vec::new();
        self.entries(*root, &mut |key, value| entries.push((key, value)));
        Ok(Contents { default, entries })
    }

    fn get(&self, map: u32) -> Result<&Map<D::Slot>, Halt> {
        self.maps.get(map as usize).ok_or_else(|| broken("there is no map with this number"))
    }

    fn map(&mut self, default: Box<[D::Slot]>, root: NodeId) -> u32 {
        let next = self.maps.len() as u32;
        let map = (default, root);
        let number = *self.map_ids.entry(map.clone()).or_insert(next);
        if number == next {
            self.maps.push(map);
        }
        number
    }

    fn node(&mut self, node: Node<D::Slot>) -> Result<NodeId, Halt> {
        if let Some(id) = self.node_ids.get(&node) {
            return Ok(*id);
        }
        let size = (node.key.len() + node.value.len()) as u64 + 8;
        self.memory = self.memory.checked_sub(size).ok_or_else(|| Box::new(Ending::OutOfMemory))?;
        self.nodes.push(node.clone());
        let id = self.nodes.len() as NodeId;
        self.node_ids.insert(node, id);
        Ok(id)
    }

    fn at(&self, id: NodeId) -> Option<&Node<D::Slot>> {
        self.nodes.get((id as usize).checked_sub(1)?)
    }

    fn find(&self, root: NodeId, key: &[D::Slot]) -> Option<&[D::Slot]> {
        let mut next = root;
        loop {
            let node = self.at(next)?;
            next = match key.cmp(&node.key) {
                Ordering::Less => node.left,
                Ordering::Greater => node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
    }

    fn insert(&mut self, root: NodeId, key: &[D::Slot], value: &[D::Slot]) -> Result<NodeId, Halt> {
        let Some(node) = self.at(root).cloned() else {
            let priority = mixed(BuildHasherDefault::<FxHasher>::default().hash_one(key));
            return self.node(Node {
                priority,
                key: key.into(),
                value: value.into(),
                left: EMPTY,
                right: EMPTY,
            });
        };
        match key.cmp(&node.key) {
            Ordering::Equal => self.node(Node { value: value.into(), ..node }),
            Ordering::Less => {
                let left = self.insert(node.left, key, value)?;
                let child = self.at(left).cloned().expect("an inserted tree should have a root");
                if !is_above(&child, &node) {
                    return self.node(Node { left, ..node });
                }
                let right = self.node(Node { left: child.right, ..node })?;
                self.node(Node { right, ..child })
            }
            Ordering::Greater => {
                let right = self.insert(node.right, key, value)?;
                let child = self.at(right).cloned().expect("an inserted tree should have a root");
                if !is_above(&child, &node) {
                    return self.node(Node { right, ..node });
                }
                let left = self.node(Node { right: child.left, ..node })?;
                self.node(Node { left, ..child })
            }
        }
    }

    fn remove(&mut self, root: NodeId, key: &[D::Slot]) -> Result<NodeId, Halt> {
        let Some(node) = self.at(root).cloned() else { return Ok(EMPTY) };
        match key.cmp(&node.key) {
            Ordering::Equal => self.join(node.left, node.right),
            Ordering::Less => {
                let left = self.remove(node.left, key)?;
                self.node(Node { left, ..node })
            }
            Ordering::Greater => {
                let right = self.remove(node.right, key)?;
                self.node(Node { right, ..node })
            }
        }
    }

    /// One tree of two, where all keys of the first are below those of the second.
    fn join(&mut self, left: NodeId, right: NodeId) -> Result<NodeId, Halt> {
        let (Some(low), Some(high)) = (self.at(left).cloned(), self.at(right).cloned()) else {
            return Ok(left.max(right));
        };
        if is_above(&low, &high) {
            let right = self.join(low.right, right)?;
            self.node(Node { right, ..low })
        } else {
            let left = self.join(left, high.left)?;
            self.node(Node { left, ..high })
        }
    }

    /// Calls the function on all entries in the order of their keys.
    fn entries<'maps>(&'maps self, root: NodeId, each: &mut impl FnMut(&'maps [D::Slot], &'maps [D::Slot])) {
        let mut open = Vec::new();
        let mut next = root;
        loop {
            if let Some(node) = self.at(next) {
                open.push(node);
                next = node.left;
            } else if let Some(node) = open.pop() {
                each(&node.key, &node.value);
                next = node.right;
            } else {
                return;
            }
        }
    }
}

/// What a map holds.
pub(crate) struct Contents<'maps, S> {
    pub(crate) default: &'maps [S],
    pub(crate) entries: Vec<(&'maps [S], &'maps [S])>,
}

/// Spreads the hashes of keys that follow each other, so that trees are balanced.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

/// Whether a node belongs nearer to the root than another. Total, so that a set of keys has one tree.
fn is_above<S: Ord>(node: &Node<S>, other: &Node<S>) -> bool {
    (node.priority, &node.key) > (other.priority, &other.key)
}
