//! The shapes of both versions in one table, by name.
//!
//! Exact for what both versions have. Objects of a shape that only one version has, or that the versions lay
//! out differently, are no common inputs: such shapes are not `common`, and the summary says so.

use ir::{Cells, IntType, Pair, Program, Target};
use std::collections::{BTreeMap, BTreeSet};

/// A shape as both versions have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeInfo {
    /// The number that stands for it in terms; 0 stands for none.
    pub code: u32,
    pub cells: ShapeCells,
    /// Whether input objects may have this shape: both versions have it, can make objects of it, and agree on its cells.
    pub common: bool,
    /// Only static objects have this shape.
    pub closed: bool,
}

/// The cells of a shape, by the names of their regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapeCells {
    /// One cell in each of these regions, which are those of either version.
    Fields(Vec<String>),
    /// Cells by index; cell `i` lies in the region at `i` modulo their number.
    Indexed { regions: Vec<String>, index: IntType },
}

/// All shapes by name.
pub type ShapeTable = BTreeMap<String, ShapeInfo>;

/// The table of both versions. The common shapes that are not closed have the codes from 1 on.
pub(crate) fn table(programs: Pair<&Program>) -> ShapeTable {
    let (old, new) = (own_shapes(programs.old), own_shapes(programs.new));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut table = ShapeTable::new();
    for name in names {
        let (cells, common) = match (old.get(name), new.get(name)) {
            (Some((a, can_be)), Some((b, can_be_too))) => match meet(a, b) {
                Some(cells) => (cells, *can_be && *can_be_too),
                None => (a.clone(), false),
            },
            (Some((cells, _)), None) | (None, Some((cells, _))) => (cells.clone(), false),
            (None, None) => continue,
        };
        let closed = [programs.old, programs.new]
            .iter()
            .any(|program| program.shapes.iter().any(|shape| shape.closed && shape.name == *name));
        table.insert(name.clone(), ShapeInfo { code: 0, cells, common, closed });
    }
    let (common, others): (Vec<&mut ShapeInfo>, Vec<&mut ShapeInfo>) =
        table.values_mut().partition(|info| info.common && !info.closed);
    for (info, code) in common.into_iter().chain(others).zip(1..) {
        info.code = code;
    }
    table
}

/// The names of the shapes that a reference with the target may point to, abstract ones left out.
pub(crate) fn allowed(program: &Program, target: Target) -> Vec<&str> {
    let points_to = |index: usize| match target {
        Target::Any => true,
        Target::Shape(wanted) => wanted.index() == index || program.shapes[index].ancestors.contains(&wanted),
    };
    let shapes = program.shapes.iter().enumerate();
    let allowed = shapes.filter(|(index, shape)| !shape.is_abstract && points_to(*index));
    allowed.map(|(_, shape)| shape.name.as_str()).collect()
}

/// The common shapes whose elements have several cells: their codes, and how many.
pub(crate) fn structs(table: &ShapeTable) -> Vec<(u32, u32)> {
    let infos = table.values().filter(|info| info.common);
    let cells = infos.filter_map(|info| match &info.cells {
        ShapeCells::Indexed { regions, .. } => Some((info.code, u32::try_from(regions.len()).ok()?)),
        ShapeCells::Fields(_) => None,
    });
    cells.filter(|(_, cells)| *cells > 1).collect()
}

/// The index type of a shape with cells by index; 64 bits if it has no regions.
pub(crate) fn index_type(program: &Program, cells: &Cells) -> Option<IntType> {
    match cells {
        Cells::Fields(_) => None,
        Cells::Indexed(regions) => {
            let of_region = regions.first().and_then(|region| program.region(*region).index);
            Some(of_region.unwrap_or(IntType::I64))
        }
    }
}

fn own_shapes(program: &Program) -> BTreeMap<String, (ShapeCells, bool)> {
    let shapes = program.shapes.iter();
    shapes
        .map(|shape| {
            let names = |regions: &[ir::RegionId]| {
                regions.iter().map(|region| program.region(*region).name.clone()).collect()
            };
            let cells = match (&shape.cells, index_type(program, &shape.cells)) {
                (Cells::Indexed(regions), Some(index)) => {
                    ShapeCells::Indexed { regions: names(regions), index }
                }
                (Cells::Fields(regions) | Cells::Indexed(regions), _) => ShapeCells::Fields(names(regions)),
            };
            (shape.name.clone(), (cells, !shape.is_abstract))
        })
        .collect()
}

/// What both versions agree on: a field that one version has alone is fine, another layout by index is not.
fn meet(a: &ShapeCells, b: &ShapeCells) -> Option<ShapeCells> {
    match (a, b) {
        (ShapeCells::Fields(old), ShapeCells::Fields(new)) => {
            let added = new.iter().filter(|region| !old.contains(region));
            Some(ShapeCells::Fields(old.iter().chain(added).cloned().collect()))
        }
        (ShapeCells::Indexed { .. }, ShapeCells::Indexed { .. }) => (a == b).then(|| a.clone()),
        (ShapeCells::Fields(_), ShapeCells::Indexed { .. })
        | (ShapeCells::Indexed { .. }, ShapeCells::Fields(_)) => None,
    }
}
