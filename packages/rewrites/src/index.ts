/** The public names of `@baton/rewrites`. */
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
export { type Machine, type NodeCost, operatorCount, roofline } from './cost.ts';
export { type GreedyOptions, greedy } from './greedy/greedy.ts';
export { instancesOf } from './rule/instances.ts';
export type { Bound, HoleNames, Matched, MatchedHoles } from './rule/names.ts';
export { parsePattern } from './rule/parse.ts';
export type {
  AttrHole,
  AttrPattern,
  CallPattern,
  FieldPattern,
  Hole,
  NumberPattern,
  Pattern,
  TuplePattern,
} from './rule/pattern.ts';
export {
  type ComputedValue,
  type Condition,
  type OperatorTest,
  type Orient,
  type Rule,
  type RuleInput,
  type RuleOptions,
  type RuleSet,
  rule,
  ruleSet,
} from './rule/rule.ts';
export type { Term } from './rule/term.ts';
export { algebra, arithmetic } from './rules/arithmetic.ts';
export { movement } from './rules/movement.ts';
export { type SaturateOptions, saturate } from './saturate/saturate.ts';
