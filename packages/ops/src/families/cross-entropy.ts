/** Losses between two matrices of probabilities. */
import { type OpInfo, tensorType } from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import type { BoundsRule } from '../bounds/bounds.ts';
import { lossOfProducts } from '../bounds/rules.ts';
import { timesInput } from '../cost.ts';
import { defineOp, type Facts, type Formless } from '../define-op.ts';
import type { Definition } from '../definition/column.ts';
import { f32, f64 } from '../example-types.ts';
import { finish, loadNumbers, numberBuffer } from '../kernels/values.ts';
import { hasRank, hasShape, inDomain, ofTwo, sameDType } from '../relation/known.ts';

export interface CrossEntropy extends Facts<'name' | 'doc' | 'domain'> {
  readonly logOf: (x: number) => number;
  readonly bounds: BoundsRule<unknown>;
  readonly definition: Definition<unknown, 'x' | 'y'>;
}

const loses: Formless<never> = { kind: 'other', numerics: 'smooth' };

/** Losses that are sums of products of moderate numbers. */
export const losesProducts = {
  ...loses,
  domain: [
    [-16, 16],
    [-16, 16],
  ],
  bounds: lossOfProducts,
} as const;

/** −Σ(y · log x) / N over a batch of N rows. */
export const crossEntropyLoss = ({ logOf, ...facts }: CrossEntropy): OpInfo =>
  defineOp({
    ...facts,
    signature: {
      source: 'operators §7',
      inputs: ['x', 'y'],
      relation: ofTwo((x, y, _attrs, context) => {
        if (!hasRank(x, '`x`', [2], context) || !inDomain(x.dtype, 'float', context)) {
          return undefined;
        }
        if (sameDType(x.dtype, y.dtype, '`y`', context) === undefined) return undefined;
        return hasShape(y, '`y`', x.shape, context, '`x`') ? tensorType([], x.dtype) : undefined;
      }),
      examples: [
        { args: [f32(2, 3), f32(2, 3)], result: f32() },
        { args: [f64(1, 4), f64(1, 4)], result: f64() },
      ],
    },
    kernel: (args, _attrs, out) => loss(args.tensor(0), args.tensor(1), logOf, out),
    cost: timesInput(3),
    ...loses,
  });

function loss(x: Tensor, y: Tensor, logOf: (x: number) => number, memory: Memory): Tensor {
  const [predicted, wanted] = [loadNumbers(x, memory), loadNumbers(y, memory)];
  let sum = 0;
  for (let i = 0; i < predicted.length; i++) {
    sum -= (wanted[i] as number) * logOf(predicted[i] as number);
  }
  const out = numberBuffer(x.dtype, 1, memory);
  out[0] = sum / (x.shape[0] as number);
  return finish(out, [], x.dtype, memory);
}
