/** The public names of `@baton/ir`. */
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  fail,
  ok,
  orThrow,
  type Result,
  renderDiagnostics,
} from '@baton/base';
export {
  type CallGraph,
  callGraph,
  namedGlobals,
  reachableFunctions,
} from './analysis/call-graph.ts';
export { copyExpr, copyFunction, type Substitution } from './analysis/copy.ts';
export { detectFeatures, type Feature } from './analysis/features.ts';
export { checkKind, type KindScope } from './analysis/kinds.ts';
export {
  type Case,
  MAX_COVERAGE_STEPS,
  type MatchCoverage,
  matchCoverage,
  printCase,
  unmatchedCases,
} from './analysis/match-coverage.ts';
export { referenceCounts } from './analysis/reference-counts.ts';
export { commonScope, encloses, innerScope, rootScope, type Scope } from './analysis/scope-tree.ts';
export {
  type NodeScopes,
  nodeScopes,
  type Opens,
  opensBlock,
  type ScopePlace,
} from './analysis/scopes.ts';
export { type Bindings, bind, bindByName, substitute } from './analysis/substitute.ts';
export { allTypeVars, boundTypeVars, freeTypeVars } from './analysis/type-variables.ts';
export {
  allVars,
  boundVars,
  boundVarsOfFunction,
  freeVars,
  freeVarsOfFunction,
} from './analysis/variables.ts';
export { attrText, attrTexts } from './describe/attributes.ts';
export {
  describeDim,
  describeDType,
  describeShape,
  describeType,
  operandNotes,
} from './describe/describe.ts';
export { floatText, literalValue, shortestDigits, suffixedFloat } from './describe/numbers.ts';
export {
  bindsTypeVars,
  relationText,
  type TypeNames,
  textSize,
  typeArgsText,
  typeParamsText,
  typeText,
} from './describe/types.ts';
export { adtArgumentCount, rangeHint } from './diagnostics.ts';
export { effectOf, isStateful, isTotal } from './effects.ts';
export { deDup } from './equal/de-dup.ts';
export {
  type EqualOptions,
  structuralEqual,
  structuralHash,
  typeDataEqual,
} from './equal/structural-equal.ts';
export { typeEqual } from './equal/type-equal.ts';
export { makeTypeNumbers } from './equal/type-numbers.ts';
export { wellFormed } from './equal/well-formed.ts';
export {
  binders,
  childAt,
  children,
  isExpr,
  mapChildren,
  mapParts,
  patternVars,
  sortOf,
  withChildren,
} from './expr/children.ts';
export {
  adtConstructor,
  type CallParts,
  call,
  clause,
  constant,
  type FuncParts,
  func,
  globalVar,
  ifElse,
  letIn,
  match,
  opRef,
  refCreate,
  refRead,
  refWrite,
  tempExpr,
  tuple,
  tupleGetItem,
  variable,
} from './expr/construct.ts';
export type {
  Call,
  Clause,
  Constant,
  Constructor,
  Expr,
  Func,
  GlobalVar,
  If,
  Let,
  Match,
  OpRef,
  Pattern,
  PatternConstructor,
  PatternTuple,
  PatternVar,
  PatternWildcard,
  RefCreate,
  RefRead,
  RefWrite,
  TempExpr,
  Tuple,
  TupleGetItem,
  Var,
} from './expr/expr.ts';
export type { ExprParts } from './expr/grammar.ts';
export { partSpan, resultOf } from './expr/part-span.ts';
export { type FieldsOf, matchPattern } from './expr/patterns.ts';
export { foldExpr, postOrderExprs, rewriteExpr, type Step, walkExpr } from './expr/walks.ts';
export { attributesOf } from './infer/constrain/calls.ts';
export { type InferOptions, inferTypes } from './infer/infer.ts';
export { isContextual, keepType, mapTyped, typeArgsOf, typeOf, unifyTypes } from './infer/query.ts';
export type { InferenceStats } from './infer/run.ts';
export { moduleFromExpr } from './module/from-expr.ts';
export {
  type IRModule,
  irModule,
  type ModuleParts,
  mapFunctions,
  withFunctions,
} from './module/module.ts';
export { emptyTypeTable, type TypeTable, type TypeView, viewOf } from './module/type-table.ts';
export {
  type AttrField,
  type AttrsSchema,
  type Column,
  defineColumn,
  type Effect,
  type OpInfo,
  type OpInput,
  type OpTable,
  opTable,
  type Relation,
  type RelationContext,
  type RelationInfo,
} from './ops/op-table.ts';
export {
  type Attrs,
  type AttrValue,
  attrEqual,
  attrInteger,
  attrsEqual,
  hashAttrs,
  MAX_ATTR_DEPTH,
  noAttrs,
} from './types/attrs.ts';
export {
  type AnyDim,
  addDims,
  anyDim,
  bareAtom,
  type Dim,
  type DimAtom,
  type DimQuotient,
  type DimSum,
  type DimTerm,
  dimOf,
  dimsEqual,
  divideDims,
  isAnyDim,
  isStaticDim,
  multiplyDims,
  sameDim,
  subtractDims,
} from './types/dim.ts';
export { holeArg, replaceTypeVars, type TypeArgs, varArg } from './types/instantiate.ts';
export {
  dimLeaves,
  mappedTypes,
  type TypeParts,
  withArgParts,
  withRelationParts,
  withTypeParts,
} from './types/parts.ts';
export {
  type ConstructorDef,
  type DTypeTerm,
  type FuncType,
  funcType,
  type GlobalTypeVar,
  globalTypeVar,
  isClosed,
  type Kind,
  type LaneDType,
  type RefType,
  refType,
  type Shape,
  scalarType,
  type TensorType,
  type TupleType,
  type Type,
  type TypeArg,
  type TypeCall,
  type TypeData,
  type TypeRelation,
  tensorType,
  tupleType,
  typeCall,
  typeChildren,
  typeRelation,
} from './types/type.ts';
export {
  type IncompleteType,
  incompleteType,
  type ParamKind,
  type TypeVar,
  typeVar,
} from './types/variable.ts';
