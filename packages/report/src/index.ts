/** The public names of `@baton/report`. */

export { cut } from '@baton/drawing';
export { changesOf } from './changes.ts';
export { ms, scientific, si } from './figures.ts';
export { headline } from './headline.ts';
export { type MeasuredModel, type MeasureOptions, measureModel } from './measure-model.ts';

export type { PageData, PageModel } from './page/data.ts';
export { PAGE_SCHEMA, type PageAsset, type PageAssets, pageHtml } from './page-html.ts';
export { printReport } from './print.ts';
export { printSearches } from './print-searches.ts';
export { printStats } from './print-stats.ts';
export { type KernelRun, operatorTimes, watched } from './profile.ts';
export {
  type ModelReport,
  type Report,
  SCHEMA,
  type SearchFound,
  type SearchRow,
  type UnreadableModel,
  type VariantRow,
} from './schema.ts';
export type { Loaded, Progress, Subject } from './subject.ts';
export { isFaster, isSlower, type Timed, timedOf } from './timed.ts';
export { makeTracer, type TraceEvent, type Tracer } from './trace.ts';
export { executorFor, fusedFor, programOf } from './variant-programs.ts';
export {
  isVariantName,
  LEVELS,
  type Level,
  labelOf,
  levelOf,
  type OpTime,
  type RunTimes,
  type Timing,
  type Variant,
  type VariantName,
  type VariantTimes,
  variantAt,
} from './variants.ts';
