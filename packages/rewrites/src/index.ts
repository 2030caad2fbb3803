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

export {
  type AttrHole,
  type AttrPattern,
  type Bound,
  type CallPattern,
  type FieldPattern,
  type Hole,
  type HoleNames,
  isAttrHole,
  type NumberPattern,
  type Pattern,
  parsePattern,
  partsOf,
  subpatterns,
  type TuplePattern,
  withParts,
} from '@baton/ops';

import * as dataflow from './dataflow/names.ts';

export { type CallTime, type CallTimes, keyOf as callKey, readCallTimes } from './call-times.ts';
export {
  BYTES_PER_SECOND,
  estimatedSeconds,
  kernelCount,
  type Machine,
  type NodeCost,
  operatorCount,
  roofline,
} from './cost.ts';
export {
  type Explanation,
  explain,
  type Outline,
  outlineOf,
  printExplanation,
} from './explain/explain.ts';
export { type Why, type WhyOptions, why } from './explain/why.ts';
export { type GreedyOptions, greedy } from './greedy/greedy.ts';
export {
  type Allowance,
  applyRule,
  IN_CLASSES,
  IN_PLACE,
  type Refusal,
  type Step,
} from './match/apply.ts';
export { beforeSteps } from './match/before-steps.ts';
export { type CompiledRule, compileRules } from './match/compile.ts';
export { areSized, constantIn, holds, isNarrow, losesLater } from './match/loss.ts';
export type { Recording, RuleStep } from './match/steps.ts';
export { measured } from './measured.ts';
export { instancesOf } from './rule/instances.ts';
export type {
  MatchedValue,
  /** @deprecated The earlier name of {@link MatchedValue}. */
  MatchedValue as Term,
} from './rule/matched-value.ts';
export type { Matched, MatchedHoles } from './rule/names.ts';
export { REASONS, type Reason, refusedRow } from './rule/rows.ts';
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
  rulePhase,
  ruleSet,
  rulesOf,
} from './rule/rule.ts';

export { activationKernels, activations, spellings } from './rules/activations.ts';
export { algebra } from './rules/algebra.ts';
export { arithmetic, neutral } from './rules/arithmetic.ts';
export { attention } from './rules/attention.ts';
export { biases } from './rules/biases.ts';
export { casts } from './rules/casts.ts';
export { dilations } from './rules/dilations.ts';
export { commonSets, ruleSets } from './rules/every.ts';
export { faster } from './rules/faster.ts';
export { fills } from './rules/fills.ts';
export { ruleFromDefinition } from './rules/from-definition.ts';
export { likes } from './rules/likes.ts';
export { expandNothing, movement, reshapes } from './rules/movement.ts';
export { inference, normalizations } from './rules/normalizations.ts';
export { normKernels, norms } from './rules/norms.ts';
export { paddings } from './rules/padding.ts';
export { parallels } from './rules/parallel.ts';
export { places } from './rules/places.ts';
export { quadratic } from './rules/quadratic.ts';
export { quantized } from './rules/quantized.ts';
export { reciprocals } from './rules/reciprocals.ts';
export { backwardScales, forwardScales, weightScales } from './rules/scales.ts';
export type { ProvedStep, SearchResult } from './saturate/result.ts';
export { type SaturateOptions, type SearchRound, saturate } from './saturate/saturate.ts';
export type { Backoff, Schedule } from './saturate/schedule.ts';
export { type Preparing, type TimeCallsOptions, timeCalls } from './time-calls.ts';
export { dataflow };
