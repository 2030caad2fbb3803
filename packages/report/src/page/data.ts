/**
 * The data of the page, written by the report and read by the page's script. Times are
 * milliseconds; sizes bytes. Each model has one table of texts, which are named by index.
 */
import type { CallGroup, Drawing } from '@baton/drawing';

export type PageSchema = 'baton.page/4';

export interface PageData {
  readonly schema: PageSchema;
  readonly made: string;
  readonly machine: string;
  /** The speedup of the models in a sentence; `null` if they were not run. */
  readonly headline: string | null;
  readonly models: ReadonlyArray<PageModel>;
  readonly unreadable: ReadonlyArray<{
    readonly name: string;
    readonly lacks: ReadonlyArray<string>;
  }>;
  /** The searches of networks, next to those of Tensat and TASO. */
  readonly searches: ReadonlyArray<Search>;
}

/** The searches of a network by each cost. Gains are percent. */
export interface Search {
  readonly network: string;
  readonly costs: ReadonlyArray<{
    readonly cost: string;
    readonly seconds: number;
    readonly gain: number;
  }>;
  readonly tensat: { readonly seconds: number; readonly gain: number };
  readonly taso: { readonly seconds: number; readonly gain: number };
}

export interface Timed {
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

export interface Change {
  readonly measure: string;
  readonly before: number;
  readonly after: number;
}

/** The value for the original program and after the highest level; both fused if it matters. */
export interface Pair {
  readonly before: number;
  readonly after: number;
}

export type Verdict = 'equivalent' | 'different' | 'not run';

export interface PageModel {
  readonly name: string;
  readonly level: number;
  readonly nodes: Pair;
  readonly kernels: Pair;
  readonly flops: Pair;
  readonly bytesMoved: Pair;
  readonly paramBytes: Pair;
  readonly readMs: number;
  readonly inferMs: number;
  readonly optimize: Timed;
  /** The time of a run; `null` if it did not run. */
  readonly run: { readonly before: Timed; readonly after: Timed } | null;
  /** A time is listed only if no two samples overlap. */
  readonly worse: ReadonlyArray<Change>;
  readonly better: ReadonlyArray<Change>;
  readonly verdict: Verdict;
  readonly checks: ReadonlyArray<Check>;
  /** The original program, unfused and fused, then each level, then the engines. */
  readonly ablation: ReadonlyArray<AblationPoint>;
  readonly passes: ReadonlyArray<PassStep>;
  /** The time of the reference executor by operator, longest first. */
  readonly profile: ReadonlyArray<ProfileRow>;
  readonly before: Drawing;
  readonly after: Drawing;
  readonly texts: ReadonlyArray<string>;
}

export interface Check {
  readonly name: string;
  readonly doc: string;
  readonly verdict: Verdict;
  /** The measured errors, or the reason why it was not run. */
  readonly detail: string;
}

/** The program at one level of optimization. */
export interface AblationPoint {
  /** Whether the others are compared with this program: the original, fused. */
  readonly isBase: boolean;
  readonly label: string;
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  readonly bytesMoved: number;
  readonly run: Timed | null;
  /** The time of optimizing; `null` for the original program. */
  readonly optimize: Timed | null;
  readonly doc: string;
  readonly sameAs: string | null;
}

export interface PassStep {
  readonly name: string;
  readonly doc: string;
  readonly ms: number;
  readonly changed: boolean;
  readonly nodes: Pair;
  readonly kernels: Pair;
  readonly flops: Pair;
  readonly bytesMoved: Pair;
  /** The counters of the pass. */
  readonly counts: ReadonlyArray<readonly [row: string, count: number]>;
  readonly removed: ReadonlyArray<CallGroup>;
  readonly added: ReadonlyArray<CallGroup>;
  /** Calls that were merged with others of the same operator. */
  readonly rewritten: ReadonlyArray<CallGroup>;
}

export interface ProfileRow {
  readonly op: string;
  readonly kind: number;
  readonly ms: Pair;
  readonly calls: Pair;
}
