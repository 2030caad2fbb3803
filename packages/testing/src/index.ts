/** The public names of `@baton/testing`. */
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
export { type Bounds, type BoundsSite, boundsColumn, type Facts, type Interval } from '@baton/ops';
export {
  checkDefinition,
  type DefinitionCheck,
  type DefinitionCount,
  definitionProblems,
} from './calls/definitions.ts';
export {
  CALLS_A_PROGRAM,
  type CheckedExecutor,
  checkOperatorCalls,
  noOperators,
  type OperatorCount,
} from './calls/operator-calls.ts';
export { callsOf, singleCall } from './calls/single-call.ts';
export { elementDifference, leavesOf } from './compiled/differences.ts';
export { type CompiledProgram, compiledDifference, compiledProgram } from './compiled/programs.ts';
export {
  corrupted,
  /** @deprecated `corrupted` */
  corrupted as damaged,
  varint,
} from './corrupt.ts';
export { type CompiledCount, checkCompiled, preparedProgram } from './fuzz/compiled.ts';
export {
  ENROLLED,
  type Enrolled,
  FUZZED,
  GROUPS,
  type Group,
  passByName,
  passesOf,
} from './fuzz/enrolment.ts';
export {
  checkExecutors,
  type ExecutorCount,
  GENERATORS,
  type Generator,
} from './fuzz/executors.ts';
export {
  type CorpusEntry,
  type Failure,
  fileNameOf,
  readCorpusEntry,
  reduceFailure,
  violationOn,
  writeFailure,
} from './fuzz/failure.ts';
export { inputsFor } from './fuzz/inputs.ts';
export { checkLateTypes, type LateCount } from './fuzz/late-types.ts';
export { checkLimits } from './fuzz/limits.ts';
export { NORMAL_SEED } from './fuzz/normal-run.ts';
export { type Subject, subjectOf } from './fuzz/programs.ts';
export type { Outcome, Property, Violation } from './fuzz/properties.ts';
export { checkRoundTrip } from './fuzz/round-trip.ts';
export { type RunOptions, type RunResult, runGroup } from './fuzz/run.ts';
export {
  SEGMENTS,
  /** @deprecated `SEGMENTS` */
  SEGMENTS as STRETCHES,
} from './fuzz/segments.ts';
export {
  emptyTally,
  MIN_CHANGED_SHARE,
  MIN_FIRED,
  type PassTally,
  printTally,
  shortfalls,
  type Tally,
} from './fuzz/tally.ts';
export type { Builder, Callee, Want } from './generate/builder.ts';
export type { DTypeClass } from './generate/dtypes.ts';
export { boundsSite } from './generate/facts.ts';
export { type Motif, motif } from './generate/motif.ts';
export type { NumericKind } from './generate/numeric-kind.ts';
export type { Choices, Weighted } from './generate/random.ts';
export type { TensorPart, TensorValue, TupleValue, Value } from './generate/value.ts';
export {
  checkGradient,
  type GradientCheck,
  type GradientCheckOptions,
} from './gradients/check.ts';
export { checkGradients, differentiableProgram, type GradientCount } from './gradients/programs.ts';
export { type BlockSite, blockProduct, randomBlockSite } from './kernels/block-products.ts';
export { doubleProduct, FLOAT_PRODUCTS } from './kernels/float-products.ts';
export { dynamicProduct, INTEGER_PRODUCTS, integerProduct } from './kernels/integer-products.ts';
export type { KernelProgram } from './kernels/program.ts';
export { KERNEL_PROGRAMS, kernelProgram } from './kernels/programs.ts';
export { withLateTypes } from './late-types/with-late-types.ts';
export { type PassLaw, type PassLawOptions, passLaws } from './laws.ts';
export type { Focus } from './motifs/by-focus.ts';
export { type Catch, hunt, MAX_REDUCED_CALLS } from './mutants/hunt.ts';
export type { Mutant } from './mutants/mutant.ts';
export { MUTANTS } from './mutants/mutants.ts';
export type { ProgramOptions } from './options.ts';
export { type Program, programOf } from './program.ts';
export { programs } from './programs.ts';
export { checkShippedRule } from './rules/fuzz.ts';
export { mutantsOf, type RuleMutant, ruleMutants } from './rules/mutants.ts';
export { type Replay, type ReplayOptions, replay } from './rules/replay.ts';
export { SHIPPED_RULES } from './rules/shipped.ts';
export { type RuleTrial, type RuleTrialOptions, testRule } from './rules/test-rule.ts';
export { type Sampler, samplerColumn } from './samplers/sampler.ts';
export { operatorsWithoutSampler } from './samplers/standard.ts';
export { smallerModules } from './shrink.ts';
export { type PassTrial, type PassTrialOptions, testPass } from './test-pass.ts';
