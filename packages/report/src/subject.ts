/** The subjects of the report: models with inputs and perhaps an expected output. */
import type { Tolerance } from '@baton/tensor';
import type { Arguments, IRModule, Result, Tensor } from 'batonjs';

export interface Loaded {
  readonly module: IRModule;
  readonly inputs: Arguments;
  /** The time of creating weights, which is not part of reading a model. */
  readonly weightsMs: number;
}

export interface Subject {
  readonly name: string;
  readonly load: () => Promise<Result<Loaded>>;
  readonly expected:
    | (() => Promise<{ readonly output: Tensor; readonly tolerance: Tolerance }>)
    | undefined;
}

export interface Progress {
  readonly step: (text: string) => void;
  readonly done: () => void;
}
