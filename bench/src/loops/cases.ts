/** The operators measured by `pnpm bench:kernels`: networks spend their time on them. */

import { type Attrs, constant, type Expr, tuple } from '@baton/ir';
import { callOp, evaluateCall, type OpValue } from '@baton/ops';
import { orThrow, standardOps, type Tensor, tensor } from 'batonjs';
import { uniformData } from '../subjects/inputs.ts';

/** One call of an operator, run many times. */
export interface KernelCase {
  readonly name: string;
  /** Elements of the result, by which the time is divided. */
  readonly elements: number;
  readonly run: () => OpValue;
}

const CHANNELS = 32;
const SIZE = 64;

const filled = (seed: string, shape: ReadonlyArray<number>): Tensor =>
  tensor(
    uniformData(
      seed,
      shape.reduce((n, d) => n * d, 1),
      0.1,
      1,
    ),
    shape,
    'float32',
  );

const image = filled('image', [1, CHANNELS, SIZE, SIZE]);
const other = filled('other', [1, CHANNELS, SIZE, SIZE]);
const channels = filled('channels', [CHANNELS, 1, 1]);
const vector = filled('vector', [CHANNELS]);
const number = filled('number', []);

const of = (
  name: string,
  args: ReadonlyArray<Tensor>,
  attrs: Attrs = {},
  title = name,
): KernelCase => {
  const call = callOp(
    standardOps,
    name,
    args.map((arg): Expr => constant(arg)),
    attrs,
  );
  const run = (): OpValue => orThrow(evaluateCall(standardOps, call, args));
  return { name: title, elements: image.data.length, run };
};

const joined: KernelCase = {
  name: 'concatenate',
  elements: 2 * image.data.length,
  run: () =>
    orThrow(
      evaluateCall(
        standardOps,
        callOp(standardOps, 'concatenate', [tuple([constant(image), constant(other)])], {
          axis: 1,
        }),
        [[image, other]],
      ),
    ),
};

/** The calls, each on 131,072 elements. */
export const KERNEL_CASES: ReadonlyArray<KernelCase> = [
  of('add', [image, other]),
  of('add', [image, channels], {}, 'add, by channel'),
  of('multiply', [image, number], {}, 'multiply, by a number'),
  of('multiply', [image, channels], {}, 'multiply, by channel'),
  of('subtract', [image, other]),
  of('divide', [image, other]),
  of('maximum', [image, other]),
  of('less', [image, other]),
  of('where', [image, image, other]),
  of('nn.relu', [image]),
  of('nn.leaky_relu', [image], { alpha: 0.1 }),
  of('clip', [image], { a_min: 0, a_max: 6 }),
  of('sqrt', [image]),
  of('exp', [image]),
  of('tanh', [image]),
  of('sigmoid', [image]),
  of('nn.batch_norm', [image, vector, vector, vector, vector]),
  of('nn.layer_norm', [image, filled('g', [SIZE]), filled('b', [SIZE])], { axis: -1 }),
  of('nn.softmax', [image], { axis: -1 }),
  of('mean', [image], { axis: [2, 3] }),
  of('max', [image], { axis: [1] }),
  of('nn.max_pool2d', [image], { pool_size: [2, 2], strides: [2, 2] }),
  of('nn.avg_pool2d', [image], { pool_size: [2, 2], strides: [2, 2] }),
  of('transpose', [image], { axes: [0, 2, 3, 1] }),
  joined,
];
