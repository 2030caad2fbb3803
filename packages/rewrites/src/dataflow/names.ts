/** The language of dataflow patterns: the members of the namespace `dataflow`. */

export {
  builderOf,
  functionPattern,
  isConstant,
  isExpr,
  isIf,
  isLet,
  isOp,
  isTuple,
  isTupleGetItem,
  isVar,
  type PatternBuilder,
  type PatternInput,
  patternOf,
  recursive,
  wildcard,
} from './build.ts';
export { type MatchOptions, match } from './match.ts';
export type { NodeMap } from './node-map.ts';
export { type PartitionOptions, type PartitionRefusal, partition } from './partition.ts';
export type { GraphPattern } from './pattern.ts';
export { type PatternCallback, type PatternCallbacks, rewrite } from './rewrite.ts';
