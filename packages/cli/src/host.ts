/** The world of a command: files, streams, time. Tests pass their own. */
import type { Diagnostic, Result } from '@baton/base';
import type { ExternalLocation } from '@baton/onnx';
import type { PageAssets, Progress, Timing } from '@baton/report';
import type { Tensor } from '@baton/tensor';
import type { Rule } from 'batonjs';

export interface NewFile {
  /** `-` is standard output. */
  readonly path: string;
  readonly pieces: Iterable<Uint8Array | string>;
}

/** A file in memory, by its name without folder. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type ModelSource = string | ReadonlyArray<NewFile>;

export type RunModel = (
  model: ModelSource,
  inputs: ReadonlyMap<string, Tensor>,
) => Promise<Result<ReadonlyMap<string, Tensor>>>;

export interface Served {
  readonly url: string;
  /** Resolved when the user ends the server. */
  readonly ended: Promise<void>;
}

/** The outcome of a rule on random instances of its left side. */
export interface Trial {
  /** The instances on which the rule was used. */
  readonly instances: number;
  readonly programs: number;
}

export interface Testing {
  readonly testRule: (
    rule: Rule,
    options: { readonly count?: number; readonly seed?: number },
  ) => Result<Trial>;
}

export interface Proved {
  readonly state: 'proved' | 'proved up to a bound' | 'by definition' | 'tested' | 'refuted';
  /** How it was proved, why not, or a counterexample. */
  readonly reason: string;
  /** Whether it keeps within the range of floats. */
  readonly range?: string;
}

/** `@baton/proofs` with a solver, whose threads live until it is closed. */
export interface Proofs {
  readonly prove: (rule: Rule) => Promise<Result<Proved>>;
  readonly close: () => Promise<void>;
}

export interface Host {
  /** The bytes of a file, which the caller may change; `-` is standard input. */
  readonly read: (path: string) => Promise<Result<Uint8Array>>;
  readonly list: (folder: string) => Promise<Result<ReadonlyArray<string>>>;
  /** Reads parts of regular files below the folder of `path`; links out of it are refused. */
  readonly beside: (
    path: string,
  ) => (place: ExternalLocation) => Uint8Array | Diagnostic | undefined;
  /** Writes files atomically; if one cannot be written, all stay as they were. */
  readonly write: (files: ReadonlyArray<NewFile>) => Promise<Result<void>>;
  readonly load: (path: string) => Promise<Result<Readonly<Record<string, unknown>>>>;
  readonly config: () => Promise<Result<unknown>>;
  readonly pageAssets: () => Promise<Result<PageAssets>>;
  /** Times variants of the model that `baton bench` with these arguments names. */
  readonly timing: (argv: ReadonlyArray<string>) => Timing;
  /** onnxruntime, if the working folder has `onnxruntime-node`. */
  readonly onnxruntime: () => Promise<Result<RunModel>>;
  readonly testing: () => Promise<Result<Testing>>;
  /** Serves the playground with some files, on a local port; 0 is any free one. */
  readonly playground: (files: ReadonlyArray<NamedBytes>, port: number) => Promise<Result<Served>>;
  readonly proofs: () => Promise<Result<Proofs>>;
  readonly print: (line: string) => void;
  /** Prints a line about the work, which is no result. */
  readonly tell: (line: string) => void;
  readonly progress: Progress;
  readonly now: () => number;
  readonly machine: string;
}
