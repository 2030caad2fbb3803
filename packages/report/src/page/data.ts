/**
 * The data of the page: what the bench writes into it and the page's script reads. Times are
 * milliseconds; sizes bytes. Texts stand in one table a model and are named by position.
 */

/** The version of the data. */
export type PageSchema = 'baton.page/2';

/** What the page shows. */
export interface PageData {
  readonly schema: PageSchema;
  /** When, in ISO form. */
  readonly made: string;
  /** On what. */
  readonly machine: string;
  readonly models: ReadonlyArray<PageModel>;
  readonly unreadable: ReadonlyArray<{
    readonly name: string;
    readonly lacks: ReadonlyArray<string>;
  }>;
}

/** A time: the median of some samples, the least and the greatest of them. */
export interface Timed {
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

/** How a measure changed. */
export interface Change {
  readonly measure: string;
  readonly before: number;
  readonly after: number;
}

/** The program as it came, and after the highest level; both fused where fusion matters. */
export interface Pair {
  readonly before: number;
  readonly after: number;
}

/** What a check found. */
export type Verdict = 'equivalent' | 'different' | 'not run';

/** One model. */
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
  /** Of the reference executor; `null` where it was left out. */
  readonly run: { readonly before: Timed; readonly after: Timed } | null;
  /** A time is among these only where no two samples overlap. */
  readonly worse: ReadonlyArray<Change>;
  readonly better: ReadonlyArray<Change>;
  readonly verdict: Verdict;
  readonly checks: ReadonlyArray<Check>;
  /** The program as it is, then each level. */
  readonly ablation: ReadonlyArray<AblationPoint>;
  /** In the order in which they ran. */
  readonly passes: ReadonlyArray<PassStep>;
  /** The time of the reference executor by operator, longest first. */
  readonly profile: ReadonlyArray<ProfileRow>;
  readonly before: Drawing;
  readonly after: Drawing;
  /** What the numbers called texts name. */
  readonly texts: ReadonlyArray<string>;
}

/** One way in which the programs were compared. */
export interface Check {
  readonly name: string;
  /** How it compares. */
  readonly doc: string;
  readonly verdict: Verdict;
  /** What was measured, or why it was not run. */
  readonly detail: string;
}

/** The program at one level of optimization. */
export interface AblationPoint {
  /** `as it is`, or the level. */
  readonly label: string;
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  readonly bytesMoved: number;
  readonly run: Timed | null;
  /** Optimizing alone; `null` for the program as it is. */
  readonly optimize: Timed | null;
  /** What the level does. */
  readonly doc: string;
  /** The earlier variant with the same program. */
  readonly sameAs: string | null;
}

/** What one run of a pass did. */
export interface PassStep {
  readonly name: string;
  readonly doc: string;
  readonly ms: number;
  readonly changed: boolean;
  readonly nodes: Pair;
  readonly kernels: Pair;
  readonly flops: Pair;
  readonly bytesMoved: Pair;
  /** Rows of the pass's case table, with how often each fired. */
  readonly counts: ReadonlyArray<readonly [row: string, count: number]>;
  readonly removed: ReadonlyArray<CallGroup>;
  readonly added: ReadonlyArray<CallGroup>;
  /** Calls of the same operator that took in others. */
  readonly rewritten: ReadonlyArray<CallGroup>;
}

/** Calls of one operator that met the same fate. */
export interface CallGroup {
  readonly op: string;
  /** Of removed calls: the operators that stand in their place, `a constant`, or nothing. */
  readonly into: string;
  readonly count: number;
  /** The places that each call comes from, as texts; not of all calls where they are many. */
  readonly places: ReadonlyArray<ReadonlyArray<number>>;
}

/** The time that the executor spent on one operator. */
export interface ProfileRow {
  readonly op: string;
  /** Position in the table of kinds. */
  readonly kind: number;
  readonly ms: Pair;
  readonly calls: Pair;
}

/** A graph with positions. */
export interface Drawing {
  /** Why it was not drawn. */
  readonly omitted?: string;
  /** Operator calls. */
  readonly calls: number;
  readonly width: number;
  readonly height: number;
  readonly cards: ReadonlyArray<Card>;
  readonly edges: ReadonlyArray<Edge>;
}

/** A box: an operator call, or all calls of a kernel, one a row. Centre and size. */
export interface Card {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly rows: ReadonlyArray<Row>;
}

/** One operator call, input or output. The last five are texts. */
export interface Row {
  /** Position in the table of kinds. */
  readonly kind: number;
  /** Whether it stands for a call of an operator. */
  readonly call: boolean;
  readonly places: ReadonlyArray<number>;
  readonly op: number;
  /** Beside the name: a window's size, say. */
  readonly note: number;
  /** The type of the result. */
  readonly type: number;
  /** The types of the arguments. */
  readonly inputs: number;
  readonly attrs: number;
}

/** An edge between cards, which it names by position; x and y of each point in turn. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly points: ReadonlyArray<number>;
}
