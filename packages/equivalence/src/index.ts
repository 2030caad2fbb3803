/** The public names of `@baton/equivalence`. */
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
export { type Numerics, numericsColumn } from '@baton/ops';
export { type Baseline, type ContinuousRuns, makeBaseline, numericsOf } from './baseline.ts';
export { type Bisection, type BisectOptions, bisect } from './bisect.ts';
export {
  checkEquivalent,
  checkExecutor,
  checkPass,
  compareWithBaseline,
  type ExecutorCheckOptions,
  type PassCheck,
  type PassCheckOptions,
  type Second,
} from './check.ts';
export { describeDifference } from './describe.ts';
export { type Fault, faultOf } from './fault.ts';
export type { LeftOut } from './input-distributions.ts';
export { MAX_INPUT_ELEMENTS } from './inputs.ts';
export { type OptBisect, optBisectLimit } from './instruments/opt-bisect.ts';
export { type VerifyOptions, verify } from './instruments/verify.ts';
export { type ReduceOptions, type Reduction, reduce, smallerPrograms } from './reduce/reduce.ts';
export type { Run } from './run.ts';
export { nameOfCall, sourcesOf, type Traced, traced } from './trace/dataflow.ts';
export {
  type FirstDifference,
  firstDifference,
  firstDifferenceOf,
  type TracedPair,
  tracedPair,
} from './trace/first-difference.ts';
export { type MadeUpOptions, madeUpTensor } from './trace/made-up.ts';
export { type NodeError, nodeErrors } from './trace/node-errors.ts';
export {
  type Applied,
  type Counterexample,
  type Equivalence,
  type EquivalenceOptions,
  type NotApplied,
  REGIMES,
  type Regime,
  type RegimeVerdict,
} from './verdicts.ts';
export { widen } from './widen.ts';
