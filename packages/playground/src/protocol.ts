/** The protocol between the page and its worker. All of it can be sent between threads. */
import type { CallGroup, Drawing, RowAt, Twins } from '@baton/drawing';
import type { Completions, Hover } from '@baton/editor';

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file from the user. A blob is sent by reference, whatever its size. */
export interface GivenFile {
  readonly name: string;
  readonly content: Blob;
}

/** The model among the given files: the others contain its weights. */
export const modelAmong = <A extends { readonly name: string }>(
  files: ReadonlyArray<A>,
): A | undefined => files.find(({ name }) => /\.(onnx|relay|json|txt)$/i.test(name)) ?? files[0];

/** A program to read: Relay text, or a file with its weights. */
export type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'files'; readonly files: ReadonlyArray<GivenFile> }
  | { readonly kind: 'model'; readonly name: ModelName };

/** The networks of the gallery, which code builds with generated weights. */
export const MODEL_NAMES = [
  'squeezenet',
  'mobilenet-v2',
  'resnet18',
  'transformer',
  'lstm',
] as const;

export type ModelName = (typeof MODEL_NAMES)[number];

/** A diagnostic, with offsets if it is in the text. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Figures of a program. **Units** bytes, floating-point operations, milliseconds. */
export interface Figures {
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  readonly bytesMoved: number;
  readonly paramBytes: number;
  /** The time by the cost model that rules minimize; known in a pipeline. */
  readonly estimatedMs?: number;
}

export interface Port {
  readonly name: string;
  readonly type: string;
}

export interface Picture {
  readonly drawing: Drawing;
  readonly texts: ReadonlyArray<string>;
}

export interface Program {
  readonly name: string;
  readonly form: 'onnx' | 'relay' | 'json' | 'model';
  readonly inputs: ReadonlyArray<Port>;
  readonly output: string;
  readonly figures: Figures;
  readonly picture: Picture;
  /** Relay text, cut if it is very long. */
  readonly text: string;
}

export type Answer<A> =
  | { readonly ok: true; readonly value: A; readonly warnings: ReadonlyArray<Finding> }
  | { readonly ok: false; readonly findings: ReadonlyArray<Finding> };

export type Slot = 'a' | 'b';

/** A step of a pipeline. The key names a pass of the catalogue. */
export interface Step {
  readonly key: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly isOn: boolean;
}

export interface PassInfo {
  readonly key: string;
  readonly group: 'pass' | 'rules' | 'search';
  readonly name: string;
  readonly doc: string;
  readonly options: ReadonlyArray<{ readonly name: string; readonly expected: string }>;
}

export interface Catalogue {
  readonly passes: ReadonlyArray<PassInfo>;
  readonly levels: ReadonlyArray<ReadonlyArray<Step>>;
  readonly rules: ReadonlyArray<string>;
}

/** The effect of a step. Times are those of one run. */
export interface StepResult {
  readonly name: string;
  readonly doc: string;
  readonly ms: number;
  readonly isChanged: boolean;
  readonly before: Figures;
  readonly after: Figures;
}

export interface Trail {
  readonly steps: ReadonlyArray<StepResult>;
  readonly findings: ReadonlyArray<Finding>;
}

/** A rule or a case of a pass that applied, or nearly did. */
export interface Fired {
  readonly row: string;
  readonly count: number;
  readonly equation: string | undefined;
  /** The rule's state, as in the table of rules. */
  readonly state: string | undefined;
}

/** Two programs drawn with common positions. */
export interface Aligned {
  readonly a: Picture;
  readonly b: Picture;
  readonly twins: Twins;
  /** The rows of operators that only the first has, or only the second. */
  readonly gone: ReadonlyArray<RowAt>;
  readonly come: ReadonlyArray<RowAt>;
  /** The twins with another operator, other attributes or another type. */
  readonly changed: Twins;
}

export interface StepView {
  readonly graphs: Aligned;
  readonly textBefore: string;
  readonly textAfter: string;
  readonly removed: ReadonlyArray<CallGroup>;
  readonly added: ReadonlyArray<CallGroup>;
  readonly rewritten: ReadonlyArray<CallGroup>;
  /** The texts that the groups name. */
  readonly texts: ReadonlyArray<string>;
  readonly fired: ReadonlyArray<Fired>;
}

/** An e-graph at one moment: its classes are the cards of the picture. */
export interface Moment {
  readonly title: string;
  readonly picture: Picture;
  readonly nodes: number;
  readonly classes: number;
  /** The class of each card. */
  readonly ids: ReadonlyArray<number>;
  /** For each card, the index of the row that the extraction selected. */
  readonly chosen: ReadonlyArray<number | undefined>;
  /** For each row of each card, the cost of the cheapest term with it as root; known at the end. */
  readonly costs: ReadonlyArray<ReadonlyArray<number>> | undefined;
  readonly rules: ReadonlyArray<{
    readonly name: string;
    readonly matches: number;
    readonly applied: number;
  }>;
}

export interface ProofLine {
  readonly term: string;
  readonly by: string;
  readonly direction: 'forward' | 'backward' | 'start';
}

export interface Search {
  readonly moments: ReadonlyArray<Moment>;
  readonly stopped: string;
  readonly best: string;
  readonly cost: number;
  readonly unit: 'nodes' | 'ms';
  /** From the given term to the best one. */
  readonly proof: ReadonlyArray<ProofLine>;
}

export interface RuleVerdict {
  readonly name: string;
  readonly equation: string;
  readonly verdict: 'fires' | 'does not fire' | 'refuted' | 'not tested';
  /** How it was determined: uses, the point at which it stops, or a counterexample. */
  readonly detail: string;
}

export interface RegimeResult {
  readonly name: string;
  readonly verdict: string;
}

/** How far a rule gets in a program. */
export interface WhyNot {
  readonly name: string;
  readonly equation: string;
  readonly isUsed: boolean;
  readonly text: string;
}

/** A pipeline's fault, and the smallest program that shows it, or else the given program. */
export interface BugReport {
  readonly version: string;
  readonly program: string;
  readonly fault: string | undefined;
  readonly detail: string;
  readonly tried: number;
}

export interface Comparison {
  readonly verdict: 'equal' | 'different' | 'unknown';
  readonly regimes: ReadonlyArray<RegimeResult>;
  /** The first node of the second program whose value does not occur in the first. */
  readonly first:
    | {
        readonly node: string;
        readonly closest: string | undefined;
        readonly error: number | undefined;
        readonly at: RowAt | undefined;
      }
    | undefined;
  readonly counterexample: string | undefined;
  /** The error of each node of the second program with a counterpart, in program order. */
  readonly errors: ReadonlyArray<NodeErrorRow>;
  readonly graphs: Aligned;
}

/** A node of the second program, its counterpart, and the largest error of its value. */
export interface NodeErrorRow {
  readonly first: string;
  readonly second: string;
  readonly absolute: number;
  readonly relative: number;
  readonly isDifferent: boolean;
  /** The rows of both in the drawings. */
  readonly firstAt: RowAt | undefined;
  readonly secondAt: RowAt | undefined;
}

export interface ShownValue {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export interface KernelRow {
  readonly name: string;
  readonly place: string;
  readonly ms: number;
  /** The rows of the picture that it computes: pairs of card and row. */
  readonly rows: ReadonlyArray<readonly [card: number, row: number]>;
}

export interface Execution {
  readonly outputs: ReadonlyArray<ShownValue>;
  /** The median, the least and the greatest time of the runs, and their number. */
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly runs: number;
  readonly prepareMs: number;
  readonly kernels: ReadonlyArray<KernelRow>;
  /** The memory of compiled code, if the entire program is compiled. */
  readonly memory: MemoryPicture | undefined;
  readonly picture: Picture;
}

/** Where compiled code stores intermediate values. **Units** bytes. */
export interface MemoryPicture {
  readonly bytes: number;
  /** The most bytes that are live at one time. */
  readonly leastBytes: number;
  readonly kernels: ReadonlyArray<string>;
  /** Blocks, each live from one kernel to another: -1 is before the first. */
  readonly blocks: ReadonlyArray<{
    readonly offset: number;
    readonly bytes: number;
    readonly from: number;
    readonly to: number;
  }>;
}

/** An input from the user: JSON, or the bytes of a `.npy` file. */
export type GivenInput = string | Uint8Array;

export interface Exported {
  readonly files: ReadonlyArray<NamedFile>;
  readonly type: string;
}

/** The program to run: an original one, or the result of the pipeline. */
export type Subject = 'a' | 'b' | 'optimized';

export type ExportForm = 'onnx' | 'relay' | 'json' | 'module';

/** The requests. Those that load code on first use answer asynchronously. */
export interface Engine {
  readonly open: (slot: Slot, source: Source) => Promise<Answer<Program>>;
  readonly hover: (text: string, offset: number) => Promise<Hover | undefined>;
  readonly complete: (text: string, offset: number) => Promise<Completions>;
  readonly catalogue: () => Promise<Catalogue>;
  readonly optimize: (steps: ReadonlyArray<Step>) => Promise<Answer<Trail>>;
  readonly step: (index: number) => Promise<Answer<StepView>>;
  readonly searchTerm: (term: string, rules: string) => Promise<Answer<Search>>;
  readonly searchProgram: (rules: string) => Promise<Answer<Search>>;
  readonly tryRules: (rules: string) => Promise<Answer<ReadonlyArray<RuleVerdict>>>;
  /** Why a rule is not used in the program before a step. */
  readonly whyNot: (index: number, rule: string) => Promise<Answer<WhyNot>>;
  readonly bugReport: (steps: ReadonlyArray<Step>) => Promise<Answer<BugReport>>;
  readonly compare: () => Promise<Answer<Comparison>>;
  readonly run: (
    subject: Subject,
    executor: 'reference' | 'wasm',
    inputs: Readonly<Record<string, GivenInput>>,
  ) => Promise<Answer<Execution>>;
  readonly exported: (subject: Subject, form: ExportForm) => Promise<Answer<Exported>>;
}

export interface Request {
  readonly id: number;
  readonly method: keyof Engine;
  readonly args: ReadonlyArray<unknown>;
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly broken: string }
  | { readonly id: number; readonly progress: string };
