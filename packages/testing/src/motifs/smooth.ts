/** Functions of floats that have a faster form: FastMath. */

import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';

/** A function of each element, where it is finite. */
const pointwise =
  (name: string) =>
  (b: Builder): TensorValue =>
    b.tensor(name, [b.within(b.operand({ kind: 'float' }), [-4, 4])]);

const shares = (b: Builder): TensorValue => {
  const x = b.operand({ kind: 'float', rank: [1, 4] });
  return b.tensor('nn.softmax', [x], { axis: b.random.int(-x.shape.length, x.shape.length - 1) });
};

/** The functions that FastMath replaces. */
export const smooth: ReadonlyArray<Motif> = [
  motif(1, 'exp', pointwise('exp')),
  motif(1, 'erf', pointwise('erf')),
  motif(1, 'tanh', pointwise('tanh')),
  motif(1, 'nn.softmax', shares),
];
