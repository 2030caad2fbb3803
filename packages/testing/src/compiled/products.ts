/** Products and convolutions with constant weights that are views, and elementwise lines after them. */
import { type Shape, shapeSize } from '@baton/tensor';
import type { Draft, Known } from './draft.ts';
import { binary, bounded, converted, masked, unary } from './elementwise.ts';
import { columns, depth, dimension } from './sizes.ts';

/** **Units** multiplications. */
const MOST_WORK = 300_000;

/** A product of a value, or of a new input, with a weight; then elementwise lines on its sums. */
export function product(draft: Draft, given: Known): Known {
  const { random } = draft;
  const x = dataOf(draft, given);
  const made =
    x.shape.length === 4
      ? convolution(draft, x)
      : x.shape.length === 3
        ? batches(draft, x)
        : matrix(draft, x);
  if (made === undefined) return unary(draft, given);
  let result = made.result;
  if (made.weight.shape.join() === result.shape.join() && random.chance(0.9)) {
    // An operator after the product reads the weight again.
    const bound = result.bound + made.weight.bound;
    result = draft.call('add', [result, made.weight], { ...result, bound });
  }
  if (random.chance(0.4)) result = unary(draft, result);
  if (random.chance(0.4)) result = masked(draft, result);
  else if (random.chance(0.5)) result = binary(draft, result);
  return bounded(draft, result);
}

interface Made {
  readonly result: Known;
  readonly weight: Known;
}

/** The value as float32 with axes for a product, or a new input. */
function dataOf(draft: Draft, given: Known): Known {
  const { random } = draft;
  const k = random.chance(0.3) ? depth(random) : dimension(random);
  // Square, so that the weight has the shape of the result.
  const side = dimension(random);
  if (random.chance(0.15)) return draft.input([side, side], 'float32');
  if (random.chance(0.3)) return draft.input([dimension(random), k], 'float32');
  if (random.chance(0.2)) return draft.input([1, random.int(1, 20), 7, 6], 'float32');
  const x = bounded(draft, given.dtype === 'float32' ? given : converted(draft, given, 'float32'));
  if (x.shape.length >= 2 && x.shape.length <= 4) return x;
  const rows = x.shape.length < 2 ? 1 : (x.shape[0] as number);
  const shape = [rows, shapeSize(x.shape) / rows];
  return draft.call('reshape', [x], { ...x, shape }, `, newshape=[${shape}]`);
}

/** A weight: a constant, the same constant as before, or an input. */
function weightOf(draft: Draft, shape: Shape): Known {
  const { random, params } = draft;
  const known = params.filter(
    ({ value, constant }) =>
      constant && value.dtype === 'float32' && value.shape.join() === shape.join(),
  );
  if (known.length > 0 && random.chance(0.5)) return random.pick(known).value;
  return random.chance(0.8) ? draft.constant(shape, 'float32') : draft.input(shape, 'float32');
}

const boundOf = (x: Known, weight: Known, terms: number): number => x.bound * weight.bound * terms;

function matrix(draft: Draft, x: Known): Made | undefined {
  const { random } = draft;
  const [rows, k] = x.shape as [number, number];
  const n = random.chance(rows === k ? 0.8 : 0.2) ? k : columns(random);
  if (rows * k * n > MOST_WORK) return undefined;
  const isTurned = random.chance(0.5);
  const weight = weightOf(draft, isTurned ? [n, k] : [k, n]);
  const type = { ...x, shape: [rows, n], bound: boundOf(x, weight, k) };
  if (isTurned && random.chance(0.5)) {
    return { result: draft.call('nn.dense', [x, weight], type), weight };
  }
  const attrs = isTurned ? ', transpose_b=True' : '';
  return { result: draft.call('nn.matmul', [x, weight], type, attrs), weight };
}

function batches(draft: Draft, x: Known): Made | undefined {
  const { random } = draft;
  const [batch, rows, k] = x.shape as [number, number, number];
  const n = columns(random);
  if (batch * rows * k * n > MOST_WORK) return undefined;
  const weight = weightOf(draft, [random.chance(0.5) ? batch : 1, k, n]);
  const type = { ...x, shape: [batch, rows, n], bound: boundOf(x, weight, k) };
  return { result: draft.call('nn.batch_matmul', [x, weight], type), weight };
}

function convolution(draft: Draft, x: Known): Made | undefined {
  const { random } = draft;
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  const size = random.pick([1, 3]);
  const isByChannel = random.chance(0.3);
  const outputs = isByChannel ? channels : dimension(random);
  const inner = isByChannel ? 1 : channels;
  if (shapeSize(x.shape) * size * size * outputs > MOST_WORK) return undefined;
  const weight = weightOf(draft, [outputs, inner, size, size]);
  const pad = size === 3 ? ', padding=[1, 1]' : '';
  const attrs = `${pad}${isByChannel ? `, groups=${channels}` : ''}`;
  const bound = boundOf(x, weight, inner * size * size);
  const type = { ...x, shape: [batch, outputs, height, width], bound };
  return { result: draft.call('nn.conv2d', [x, weight], type, attrs), weight };
}
