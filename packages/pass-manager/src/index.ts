/** The public names of `@baton/pass-manager`. */
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
  boolKey,
  type Config,
  type ConfigKey,
  type ConfigType,
  type ConfigValue,
  floatKey,
  fuseLinkParamsKey,
  fuseMaxDepthKey,
  immutableModuleKey,
  intKey,
  mixedPrecisionOutputKey,
  readConfig,
  standardConfigKeys,
  stringKey,
} from './config.ts';
export {
  type PassContext,
  type PassContextParts,
  passContext,
  passEnabled,
} from './context.ts';
export { countOperatorCalls } from './count.ts';
export { sumCounts } from './counts.ts';
export { notAPass } from './diagnostics.ts';
export { FAST_MATH, type FastMath } from './fast-math.ts';
export { inferType } from './functions/infer-type.ts';
export {
  isDecidedByCallers,
  type MustKeep,
  refined,
  refinedBy,
  withTypeOf,
} from './functions/keep-type.ts';
export { type LiveUses, liveUses } from './functions/live-uses.ts';
export { placesOfParams } from './functions/places.ts';
export { printIr } from './functions/print-ir.ts';
export { rewriteFunc, rewritingPass, withBody } from './functions/rewrite.ts';
export { isOpaque, isPrimitive, type Visible, visibleIn } from './functions/visible.ts';
export type { Instrument, PassInfo } from './instrument.ts';
export {
  type PrintedModule,
  type PrintingOptions,
  printAfter,
  printBefore,
} from './instruments/printing.ts';
export { type PassTiming, passTiming } from './instruments/timing.ts';
export { needsOf } from './needs.ts';
export {
  type Count,
  countersWith,
  /** @deprecated `countersWith` */
  countersWith as rowsWith,
  type FunctionPassParts,
  functionPass,
  isPass,
  isSkipped,
  type OperatorCounter,
  /** @deprecated `OperatorCounter` */
  type OperatorCounter as OperatorRow,
  operatorCounter,
  /** @deprecated `operatorCounter` */
  operatorCounter as operatorRow,
  type Pass,
  type PassParts,
  pass,
  type RunningContext,
  refusedPass,
  type SequentialOptions,
  sequential,
  type Timed,
  withContext,
} from './pass.ts';
export {
  type PassReport,
  type PassReportEntry,
  type PassResult,
  type PassRow,
  type PassStatistics,
  passesRun,
  passStatistics,
  type SkipReason,
} from './report.ts';
export { type RunPass, runPass, runPassWith } from './run.ts';
export { PASS_SUBJECTS, type PassSubject } from './subject.ts';
