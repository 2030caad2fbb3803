/** What `bench/peers/field/measure.py` says of a model: a line of JSON. */

/** A file in one form: as it came, or as a tool wrote it. */
export interface Outcome {
  /** Whether the tool wrote a file that ONNX's checker and onnxruntime accept. */
  readonly isDone: boolean;
  /** The first line of what the tool says where it does not. */
  readonly message?: string;
  /** How long the tool took. */
  readonly seconds?: number;
  /** The most memory that the tool had. */
  readonly bytes?: number;
  readonly nodes?: number;
  /** The bytes of the file and of its external data. */
  readonly fileBytes?: number;
  /**
   * The largest difference from the results of the file as it came, as a part of the largest element;
   * `null` if shapes or types differ.
   */
  readonly difference?: number | null;
  /** The least time of a run in onnxruntime. */
  readonly runSeconds?: number;
  /** The nodes that onnxruntime fuses at its extended level, by operator. */
  readonly fused?: Readonly<Record<string, number>>;
}

/** A model and what each tool made of it; `original` is the file as it came. */
export interface Answer {
  readonly model: string;
  readonly tools: Readonly<Record<string, Outcome>>;
}

/** A model on which the script itself failed. */
export interface Failure {
  readonly model: string;
  readonly failure: string;
}

/** A tool by its key in the answers, and its name. */
export const TOOLS = {
  baton: 'Baton',
  onnxsim: 'onnxsim (pip)',
  onnxsimNpm: 'onnxsim (npm)',
  onnxslim: 'OnnxSlim',
  basic: 'onnxruntime, basic',
  extended: 'onnxruntime, extended',
} as const;

export type ToolName = keyof typeof TOOLS;

/** The tools that write plain ONNX, with which Baton is compared on each file. */
export const RIVALS: ReadonlyArray<ToolName> = ['onnxsim', 'onnxsimNpm', 'onnxslim'];

/** A tool takes a model if it writes a file that computes the same. */
export const isTaken = ({ isDone, difference }: Outcome): boolean =>
  isDone && typeof difference === 'number' && difference <= TOLERANCE;

/** Rounding in another order, on models of many layers. */
const TOLERANCE = 1e-2;
