/** The public names of `@baton/base`. */

export { type Analysis, analysis } from './analysis.ts';
export { byteCount, joinedBytes } from './bytes.ts';
export { type AnyFunction, callerOf, callerPlace, reasonOf, stackOf, throwAt } from './caller.ts';
export { type Children, foldDag, memoFold, postOrder, rebuildDag } from './dag.ts';
export {
  andThen,
  type Diagnostic,
  type DiagnosticParts,
  type Diagnostics,
  diagnostic,
  fail,
  failure,
  ok,
  type RelatedNote,
  type Result,
  type Severity,
} from './diagnostic.ts';
export { didYouMean } from './did-you-mean.ts';
export { type Either, isLeft, isRight, type Left, left, type Right, right } from './either.ts';
export { hashNumber, hashText, mixHash } from './hash.ts';
export { absurd, InvariantError, invariant, isErrorNamed, present } from './invariant.ts';
export { largeWeakMap, type WeakMemory } from './large-weak-map.ts';
export {
  type Budget,
  budgetWithin,
  isLackOfMemory,
  LIMIT_TYPES,
  type Limits,
  limitExceeded,
  type Quantity,
  someLimits,
  stoppedByHost,
} from './limits.ts';
export { numberIn, once, remember, sharedTable } from './memo.ts';
export {
  aBoolean,
  aFunction,
  aLimit,
  anything,
  aRecord,
  aText,
  atCaller,
  checkOptions,
  listOf,
  type OptionType,
  type OptionTypes,
  oneOfThese,
  showOption,
  someOf,
  suggestion,
  wholeNumber,
} from './options.ts';
export { DiagnosticsError, orThrow } from './or-throw.ts';
export { fnv1a32, mulberry32, type Random } from './prng.ts';
export {
  columnText,
  dotText,
  markupText,
  scriptText,
  terminalText,
} from './quote.ts';
export { renderDiagnostic, renderDiagnostics } from './render.ts';
export {
  type BuilderSpan,
  builderSpan,
  type MergedSpan,
  mergeSpans,
  type NodeSpan,
  nodeSpan,
  printSpan,
  type SourceText,
  type Span,
  type SpanLeaf,
  spanLeaves,
  type TextSpan,
  textSpan,
} from './span.ts';
export { run, runSteps, type Steps } from './steps.ts';
export { table } from './table.ts';
export { VERSION } from './version.ts';
