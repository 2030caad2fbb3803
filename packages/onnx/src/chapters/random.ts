/** Random numbers. */

import type { Expr } from '@baton/ir';
import { threefryKey } from '@baton/ops';
import { type DType, isFloat, tensor } from '@baton/tensor';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { ofType } from '../shared/element-types.ts';
import { namedType } from '../shared/quantization.ts';
import { type Chapter, reads, writes } from '../shared/rows.ts';
import { loneNumber } from '../shared/sequences.ts';
import { cast } from '../shared/words.ts';

export const randomOperators: Chapter = [
  reads('Bernoulli', readBernoulli),
  reads('Dropout', readDropout, { since: 7 }),
  reads('Multinomial', readMultinomial),
  ...readsDraws('RandomNormal', 'random.normal', ['mean', 'scale']),
  ...readsDraws('RandomUniform', 'random.uniform', ['low', 'high']),
  // `nn.dropout`, which at inference is the data and a mask of ones.
  writes('nn.dropout', (context, x) => [x, context.call('ones_like', [x])]),
];

function readBernoulli(context: NodeContext): Converted {
  const chances = context.input(0);
  const own = context.dtypeOf(chances);
  const shape = context.shapeOf(chances);
  if (shape === undefined) return context.unknown('expected a known shape');
  const dtype = namedType(context, 'dtype', own);
  if (dtype === undefined) return undefined;
  const numbers = randomNumbers(context, 'random.uniform', [0, 1], shape, own);
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

function readMultinomial(context: NodeContext): Converted {
  const generator = generatorOf(context);
  const dtype = namedType(context, 'dtype', 'int32');
  if (generator === undefined || dtype === undefined) return undefined;
  const chances = context.call('nn.softmax', [context.input(0)], { axis: -1 });
  const count = context.attributes.int('sample_size');
  if (count < 1) return context.fail('ONNX_ATTRIBUTE', 'expected a sample_size above 0');
  const made = context.call('random.multinomial', [generator, chances], { num_samples: count });
  return cast(context, context.field(made, 1), dtype);
}

/** The generator of the node's seed; `undefined` after a failure, as without a seed. */
function generatorOf(context: NodeContext): Expr | undefined {
  if (!context.attributes.has('seed')) {
    const hint = 'write a seed into the node: each run of the program then draws the same numbers';
    return context.fail('ONNX_UNSUPPORTED', 'expected a seed of the random numbers', hint);
  }
  const seed = new DataView(new ArrayBuffer(4));
  seed.setFloat32(0, context.attributes.float('seed', 0));
  return context.constant(tensor(threefryKey(BigInt(seed.getUint32(0))), [10], 'uint64'));
}

/** Random numbers of the node's generator, by an operator of two numbers. */
function randomNumbers(
  context: NodeContext,
  name: 'random.uniform' | 'random.normal',
  bounds: readonly [number, number],
  shape: ReadonlyArray<number>,
  dtype: DType,
): Expr | undefined {
  if (!isFloat(dtype)) {
    return context.fail('ONNX_ELEMENT_TYPE', `expected a type of floats, found ${dtype}`);
  }
  const generator = generatorOf(context);
  if (generator === undefined) return undefined;
  const own = dtype === 'float64' ? dtype : 'float32';
  const args = [generator, ...bounds.map((bound) => context.scalar(bound, own))];
  const made = context.call(name, args, { out_shape: [...shape], out_dtype: own });
  return ofType(context, context.field(made, 1), dtype);
}

/**
 * Numbers of a distribution, whose two attributes these are: in the shape that an attribute states, or
 * in the shape of the input.
 */
function readsDraws(
  opType: string,
  op: 'random.uniform' | 'random.normal',
  [first, second]: readonly [string, string],
): Chapter {
  const row = (isLike: boolean): OnnxImporter =>
    reads(isLike ? `${opType}Like` : opType, (context) => {
      const { attributes } = context;
      const like = isLike ? context.input(0) : undefined;
      const shape = like ? context.shapeOf(like) : attributes.ints('shape');
      if (shape === undefined) return context.unknown('expected a known shape');
      const dtype = namedType(context, 'dtype', like ? context.dtypeOf(like) : 'float32');
      if (dtype === undefined) return undefined;
      const given = [attributes.float(first), attributes.float(second)] as const;
      return randomNumbers(context, op, given, shape, dtype);
    });
  return [row(false), row(true)];
}
