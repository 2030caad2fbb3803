/** The values of cases. */
import type { Tensor } from '@baton/tensor';

export type Inputs = Readonly<Record<string, Tensor>>;

/** Inputs, and the outputs that are right for them. */
export interface Sample {
  readonly inputs: Inputs;
  /** In the order of the program; `undefined` where the file does not say. */
  readonly outputs: ReadonlyArray<Tensor | undefined>;
}

/** Instructions of a run: a case is small. */
export const FUEL = 20_000_000;
