/** The styles of the nodes of the grammar. */
import type { NodePropSource } from '@lezer/common';
import { styleTags, tags as t } from '@lezer/highlight';

/** The highlighting of Relay text, which {@link parser} includes. */
export const relayHighlighting: NodePropSource = styleTags({
  'def type extern let free_var fn where': t.definitionKeyword,
  'if else match MatchPartial': t.controlKeyword,
  'ref ref_read ref_write': t.operatorKeyword,
  'meta Constant': t.keyword,
  Local: t.variableName,
  'LetBinding/Local FreeVariable/Local Parameter/Local PatternVariable/Local': t.definition(
    t.variableName,
  ),
  Graph: t.special(t.variableName),
  'GraphBinding/Graph': t.definition(t.special(t.variableName)),
  Global: t.function(t.variableName),
  'FunctionDefinition/Global': t.function(t.definition(t.variableName)),
  'OperatorName/Name': t.standard(t.function(t.variableName)),
  'RelationName/Name': t.function(t.typeName),
  'TypeName/Name': t.typeName,
  'TypeDefinition/TypeName/Name ExternType/TypeName/Name TypeParam/TypeName/Name': t.definition(
    t.typeName,
  ),
  'Kind/Name': t.modifier,
  'ConstructorName/Name': t.className,
  'AttributeName/...': t.attributeName,
  'AttributeWord/Name': t.null,
  'MetaKey/Name': t.propertyName,
  'Number Index Size/Number': t.number,
  Boolean: t.bool,
  String: t.string,
  'Wildcard AnySize': t.special(t.name),
  Header: t.meta,
  Metadata: t.meta,
  LineComment: t.lineComment,
  BlockComment: t.blockComment,
  ArithOp: t.arithmeticOperator,
  CompareOp: t.compareOperator,
  LogicOp: t.logicOperator,
  '"="': t.definitionOperator,
  '"=>" "->"': t.punctuation,
  '( )': t.paren,
  '[ ]': t.squareBracket,
  '{ }': t.brace,
  ', ; :': t.separator,
  '"."': t.derefOperator,
});
