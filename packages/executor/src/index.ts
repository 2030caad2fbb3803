/** The public names of `@baton/executor`. */
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
export { type Host, type HostRoutine, noHost } from './code/host.ts';
export type {
  Segment,
  /** @deprecated `Segment` */
  Segment as Stretch,
} from './code/segment.ts';
export {
  type EvaluateOptions,
  evaluate,
  evaluateExpr,
  type PrepareOptions,
  prepare,
} from './evaluate.ts';
export {
  type Arguments,
  anExecutor,
  type Executable,
  type Executor,
  type RunOptions,
} from './executor.ts';
export { interpreter, interpreterWith } from './interpreter.ts';
export { MAX_BYTES, MAX_DEPTH, type Meter, POLL_STEPS, type RunLimits } from './limits.ts';
export { oracle } from './oracle/oracle.ts';
export { endsInCheck } from './size-claims.ts';
export { stop } from './stop.ts';
export { fitsSizes, sizeVariables, statesSizes } from './values/dimensions.ts';
export { valuesAgree } from './values/equal-values.ts';
export { foldValue, type ValueAlgebra } from './values/fold.ts';
export { fromData } from './values/from-data.ts';
export { hasType } from './values/has-type.ts';
export type { HostAdt, HostRef, HostValue } from './values/host-value.ts';
export { printValue } from './values/print-value.ts';
export { type AdtData, type Data, listElements, type RefData, toData } from './values/to-data.ts';
export {
  type AdtValue,
  adtValue,
  type Closure,
  type RefValue,
  refValue,
  type TupleValue,
  tupleValue,
  type Value,
} from './values/value.ts';
