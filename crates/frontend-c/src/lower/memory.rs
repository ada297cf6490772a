//! stub
use super::*;
impl<'a> Lowerer<'a> {
    pub(crate) fn lower_allocation(
        &mut self,
        _node: &'a Node<ast::Expression>,
        _pointee: &CType,
    ) -> Lowered<Option<Value>> {
        Ok(None)
    }
}
