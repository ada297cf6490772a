//! stub
use super::*;
impl<'a> Lowerer<'a> {
    pub(crate) fn builtin_type(&mut self, _call: &'a Node<ast::CallExpression>) -> CType {
        CType::INT
    }
    pub(crate) fn lower_builtin(
        &mut self,
        _name: &str,
        _node: &'a Node<ast::CallExpression>,
        _wanted: bool,
    ) -> Lowered<Option<Value>> {
        Ok(None)
    }
    pub(crate) fn model_is_plain(&self, _key: &str) -> bool {
        true
    }
}
