/** What the report is about: models to build or read, with inputs, perhaps an expected output. */
import type { Tolerance } from '@baton/tensor';
import type { IRModule, Result, Tensor } from 'batonjs';

/** A module with the inputs that it is run on. */
export interface Loaded {
  readonly module: IRModule;
  readonly inputs: Readonly<Record<string, Tensor>>;
  /** Time spent on making weights, which is no part of reading a model. */
  readonly weightsMs: number;
}

/** A model of the report. */
export interface Subject {
  readonly name: string;
  readonly load: () => Promise<Result<Loaded>>;
  readonly expected:
    | (() => Promise<{ readonly output: Tensor; readonly tolerance: Tolerance }>)
    | undefined;
}

/** Shows what is going on. */
export interface Progress {
  readonly step: (text: string) => void;
  readonly done: () => void;
}
