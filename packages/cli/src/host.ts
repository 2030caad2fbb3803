/** The world of a command: files, streams, time. A test gives its own. */
import type { Diagnostic, Result } from '@baton/base';
import type { ExternalLocation } from '@baton/onnx';
import type { PageAssets, Progress, Timing } from '@baton/report';
import type { Tensor } from '@baton/tensor';
import type { Rule } from 'batonjs';

/** A file to write, in pieces. */
export interface NewFile {
  /** `-` is standard output. */
  readonly path: string;
  readonly pieces: Iterable<Uint8Array | string>;
}

/** A file in memory, by its name without a folder. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A model as the path of a file, or as files to be written, the model last. */
export type ModelSource = string | ReadonlyArray<NewFile>;

/** Runs a model on inputs by name, and gives its outputs by name. */
export type RunModel = (
  model: ModelSource,
  inputs: ReadonlyMap<string, Tensor>,
) => Promise<Result<ReadonlyMap<string, Tensor>>>;

/** The playground on a server of its own. */
export interface Served {
  readonly url: string;
  /** Is fulfilled when the user ends the server. */
  readonly ended: Promise<void>;
}

/** A rule on random instances of its left side. */
export interface Trial {
  /** The instances on which the rule was used. */
  readonly instances: number;
  /** All programs with its left side. */
  readonly programs: number;
}

/** The part of `@baton/testing` that is used. */
export interface Testing {
  readonly testRule: (
    rule: Rule,
    options: { readonly count?: number; readonly seed?: number },
  ) => Result<Trial>;
}

/** What is known of a rule. */
export interface Proved {
  readonly state: 'proved' | 'proved up to a bound' | 'by definition' | 'tested' | 'refuted';
  /** How it is known, why no more is, or a counterexample. */
  readonly reason: string;
  /** Whether it keeps to the range of floats. */
  readonly range?: string;
}

/** `@baton/proofs` with a solver, whose threads live until it is closed. */
export interface Proofs {
  readonly prove: (rule: Rule) => Promise<Result<Proved>>;
  readonly close: () => Promise<void>;
}

export interface Host {
  /** The bytes of a file, which are the caller's to change; `-` is standard input. */
  readonly read: (path: string) => Promise<Result<Uint8Array>>;
  /** The names of the files in a folder. */
  readonly list: (folder: string) => Promise<Result<ReadonlyArray<string>>>;
  /** Reads parts of regular files in the folder of `path`, and below it; no link leads elsewhere. */
  readonly beside: (
    path: string,
  ) => (place: ExternalLocation) => Uint8Array | Diagnostic | undefined;
  /** Writes files. Each is complete, or as it was before; if one cannot be written, all are. */
  readonly write: (files: ReadonlyArray<NewFile>) => Promise<Result<void>>;
  /** The exports of an ES module. */
  readonly load: (path: string) => Promise<Result<Readonly<Record<string, unknown>>>>;
  /** The file of settings in the working folder, if there is one. */
  readonly config: () => Promise<Result<unknown>>;
  /** The script and the style of the report. */
  readonly pageAssets: () => Promise<Result<PageAssets>>;
  /** Times variants of the model that `baton bench` with these arguments names. */
  readonly timing: (argv: ReadonlyArray<string>) => Timing;
  /** onnxruntime, if the working folder has `onnxruntime-node`. */
  readonly onnxruntime: () => Promise<Result<RunModel>>;
  /** `@baton/testing`, if the working folder has it. */
  readonly testing: () => Promise<Result<Testing>>;
  /** Serves the playground with some files, on a port of this machine; 0 is any free one. */
  readonly playground: (files: ReadonlyArray<NamedBytes>, port: number) => Promise<Result<Served>>;
  /** `@baton/proofs`, if the working folder has it. */
  readonly proofs: () => Promise<Result<Proofs>>;
  /** A line of results. */
  readonly print: (line: string) => void;
  /** A line about the work, which is no result. */
  readonly tell: (line: string) => void;
  /** Shows the present stage, on a terminal. */
  readonly progress: Progress;
  /** Milliseconds from some start. */
  readonly now: () => number;
  /** The machine in words, for reports. */
  readonly machine: string;
}
