/** Random numbers. */

import { fnv1a32 } from '@baton/base';
import type { Expr } from '@baton/ir';
import { threefryKey } from '@baton/ops';
import { type DType, isFloat, tensor } from '@baton/tensor';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { ofType } from '../shared/element-types.ts';
import { namedType } from '../shared/quantization.ts';
import { type Chapter, reads, writes } from '../shared/rows.ts';
import { loneNumber } from '../shared/sequences.ts';
import { placesUpTo } from '../shared/sizes.ts';
import { cast } from '../shared/words.ts';

export const randomOperators: Chapter = [
  reads('Bernoulli', readBernoulli, { kernelSince: 15, isRandom: true }),
  reads('Dropout', readDropout, {
    since: 7,
    kernelSince: 12,
    kernelReads: [1, 2],
    kernelWhen: ({ isUsed, version }) => isUsed(1) && version >= 12,
  }),
  reads('Multinomial', readMultinomial, { kernelSince: 7, isRandom: true }),
  ...readsDraws('RandomNormal', 'random.normal', ['mean', 'scale']),
  ...readsDraws('RandomUniform', 'random.uniform', ['low', 'high']),
  // `nn.dropout`, which at inference is the data and a mask of ones.
  writes('nn.dropout', (context, [x]) => [x, context.call('ones_like', [x])]),
];

/** `Bernoulli`: 1 with the probability that each element states, else 0. */
function readBernoulli(context: NodeContext): Converted {
  const chances = context.input(0);
  const own = context.dtypeOf(chances);
  const dtype = namedType(context, 'dtype', own);
  if (dtype === undefined) return undefined;
  const unit = { name: 'random.uniform', bounds: [0, 1] } as const;
  const numbers = randomNumbers(context, unit, context.shapeOf(chances) ?? chances, own);
  if (numbers === undefined) return undefined;
  return context.formula('cast(?numbers < ?chances, dtype=?dtype)', { numbers, chances, dtype });
}

/** `Dropout` at inference, or with a ratio of 0: the data unchanged; the mask keeps everything. */
function readDropout(context: NodeContext): Converted {
  const ratio = context.optional(1);
  const value = ratio === undefined ? undefined : loneNumber(context, ratio);
  const rate = value ?? context.attributes.float('ratio');
  const training = context.optional(2);
  const mode = training === undefined ? undefined : loneNumber(context, training);
  if (training !== undefined && mode === undefined) {
    return context.unknown('expected a constant training mode as input 2');
  }
  const isTraining = mode !== undefined && mode !== 0;
  const isIdle = rate === 0 && (ratio === undefined || value !== undefined);
  if (isTraining && !isIdle) {
    return context.fail('ONNX_UNSUPPORTED', 'dropout in training is not imported');
  }
  const x = context.input(0);
  const result = context.field(context.call('nn.dropout', [x], { rate }), 0);
  if (!context.isUsed(1)) return result;
  return [result, context.formula('cast(ones_like(?x), dtype="bool")', { x })];
}

/** `Multinomial`: random classes, whose logarithms of probabilities are given up to a constant. */
function readMultinomial(context: NodeContext): Converted {
  const generator = generatorOf(context);
  const dtype = namedType(context, 'dtype', 'int32');
  if (dtype === undefined) return undefined;
  const chances = context.call('nn.softmax', [context.input(0)], { axis: -1 });
  const count = context.attributes.int('sample_size');
  if (count < 1) return context.fail('ONNX_ATTRIBUTE', 'expected a sample_size above 0');
  const made = context.call('random.multinomial', [generator, chances], { num_samples: count });
  return cast(context, context.field(made, 1), dtype);
}

/** The bits of the node's seed; without one, of the name of its result. */
function seedOf({ attributes, outputName, warn }: NodeContext): number {
  if (!attributes.has('seed')) {
    warn('ONNX_SEED', 'random numbers without a seed are the same in each run here');
    return fnv1a32(outputName(0));
  }
  const seed = new DataView(new ArrayBuffer(4));
  seed.setFloat32(0, attributes.float('seed', 0));
  return seed.getUint32(0);
}

function generatorOf(context: NodeContext): Expr {
  return context.constant(tensor(threefryKey(BigInt(seedOf(context))), [10], 'uint64'));
}

type Draw = 'random.uniform' | 'random.normal';

/** A distribution, and the two numbers that it has: the bounds, or the mean and the deviation. */
interface Distribution {
  readonly name: Draw;
  readonly bounds: readonly [number, number];
}

/** Random numbers of the node's generator in a shape, or in the shape of a tensor. */
function randomNumbers(
  context: NodeContext,
  { name, bounds }: Distribution,
  shape: ReadonlyArray<number> | Expr,
  dtype: DType,
): Expr | undefined {
  if (!isFloat(dtype)) {
    return context.fail('ONNX_ELEMENT_TYPE', `expected a type of floats, found ${dtype}`);
  }
  const own = dtype === 'float64' ? dtype : 'float32';
  const typed = (numbers: Expr): Expr => ofType(context, numbers, dtype);
  if ('_tag' in shape) return typed(numbersLike(context, { name, bounds }, shape, own));
  const args = [generatorOf(context), ...bounds.map((bound) => context.scalar(bound, own))];
  const made = context.call(name, args, { out_shape: [...shape], out_dtype: own });
  return typed(context.field(made, 1));
}

/**
 * Numbers in the shape of a tensor of open sizes: each is a hash of its index.
 *
 * **Source** Wellons, the integer hash `lowbias32`; Box and Muller for normal numbers.
 */
function numbersLike(
  context: NodeContext,
  { name, bounds: [first, second] }: Distribution,
  like: Expr,
  dtype: DType,
): Expr {
  const { formula, scalar } = context;
  const count = formula('prod(shape_of(?like, dtype="int64"))', { like });
  const places = placesUpTo(context, count);
  const seed = seedOf(context);
  const share = (stream: 0 | 1): Expr => {
    const text =
      '%0 = cast(?places, dtype="uint32") * 2 + ?start; %1 = bitwise_xor(%0, right_shift(%0, 16)) * ?a; %2 = bitwise_xor(%1, right_shift(%1, 15)) * ?b; (cast(right_shift(bitwise_xor(%2, right_shift(%2, 16)), 8), dtype=?dtype) + 0.5) * ?unit';
    const [start, a, b] = [(seed + stream) >>> 0, 0x7feb352d, 0x846ca68b].map((value) =>
      scalar(value, 'uint32'),
    ) as [Expr, Expr, Expr];
    return formula(text, { places, start, a, b, dtype, unit: 2 ** -24 });
  };
  const numbers =
    name === 'random.uniform'
      ? formula('?share * ?width + ?first', { share: share(0), width: second - first, first })
      : formula('sqrt(log(?radius) * -2) * cos(?turn * ?circle) * ?second + ?first', {
          radius: share(0),
          turn: share(1),
          circle: 2 * Math.PI,
          second,
          first,
        });
  return formula('reshape_like(?numbers, ?like)', { numbers, like });
}

/**
 * Numbers of a distribution, whose two attributes these are: in the shape that an attribute states, or
 * in the shape of the input.
 */
function readsDraws(opType: string, name: Draw, attributes: readonly [string, string]): Chapter {
  const row = (isLike: boolean): OnnxImporter =>
    reads(
      isLike ? `${opType}Like` : opType,
      (context) => {
        const x = isLike ? context.input(0) : undefined;
        const shape = x ? (context.shapeOf(x) ?? x) : context.attributes.ints('shape');
        if (shape === undefined) return context.fail('ONNX_ATTRIBUTE', 'expected a shape');
        const dtype = namedType(context, 'dtype', x ? context.dtypeOf(x) : 'float32');
        if (dtype === undefined) return undefined;
        const [first, second] = attributes.map((key) => context.attributes.float(key));
        const bounds = [first ?? 0, second ?? 1] as const;
        return randomNumbers(context, { name, bounds }, shape, dtype);
      },
      { kernelSince: 1, isRandom: true },
    );
  return [row(false), row(true)];
}
