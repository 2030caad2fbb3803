/**
 * Nodes that draw random numbers: of the generator that their seed makes, so that each run gives the
 * same ([ADR 51](https://batonjs.github.io/baton/adr/0051-random-bits-are-those-of-tvm)).
 */
import type { Expr } from '@baton/ir';
import { threefryKey } from '@baton/ops';
import { type DType, isFloat, tensor } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { elementType, elementTypeName } from '../protobuf/element-type.ts';

/** The generator of the node's seed; `undefined` after a failure, as without a seed. */
export function generatorOf(context: NodeContext): Expr | undefined {
  if (!context.attributes.has('seed')) {
    const hint = 'write a seed into the node: each run of the program then draws the same numbers';
    return context.fail('ONNX_UNSUPPORTED', 'expected a seed of the random numbers', hint);
  }
  const seed = new DataView(new ArrayBuffer(4));
  seed.setFloat32(0, context.attributes.float('seed', 0));
  return context.constant(tensor(threefryKey(BigInt(seed.getUint32(0))), [10], 'uint64'));
}

/** The dtype that the attribute `dtype` names, or `usual` without it. */
export function statedDType(context: NodeContext, usual: DType): DType | undefined {
  const number = context.attributes.int('dtype', 0);
  if (number === 0) return usual;
  const found = elementType(number)?.dtype;
  if (found !== undefined) return found;
  const name = elementTypeName(number);
  return context.fail('ONNX_ELEMENT_TYPE', `expected a type of numbers or bool, found ${name}`);
}

/** Random numbers of the node's generator, by an operator of two numbers. */
export function randomNumbers(
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
  const numbers = context.field(made, 1);
  return own === dtype ? numbers : context.call('cast', [numbers], { dtype });
}

/** The particulars of a distribution: its operator, and its two attributes with their defaults. */
export interface Distribution {
  readonly opType: string;
  readonly op: 'random.uniform' | 'random.normal';
  readonly bounds: readonly [readonly [string, number], readonly [string, number]];
}

/** Numbers of a distribution in the shape that an attribute states, or in the shape of the input. */
export function drawing({ opType, op, bounds }: Distribution, isLike: boolean): OnnxImporter {
  const [first, second] = bounds;
  return {
    opType: isLike ? `${opType}Like` : opType,
    convert: (context) => {
      const { attributes } = context;
      const shape = isLike ? context.shapeOf(context.input(0)) : attributes.ints('shape');
      if (shape === undefined) return context.unknown('expected a known shape');
      const dtype = statedDType(context, isLike ? context.dtypeOf(context.input(0)) : 'float32');
      if (dtype === undefined) return undefined;
      const given = [attributes.float(...first), attributes.float(...second)] as const;
      return randomNumbers(context, op, given, shape, dtype);
    },
  };
}

/** All numbers between two are equally likely. */
export const UNIFORM: Distribution = {
  opType: 'RandomUniform',
  op: 'random.uniform',
  bounds: [
    ['low', 0],
    ['high', 1],
  ],
};

/** The normal distribution. */
export const NORMAL: Distribution = {
  opType: 'RandomNormal',
  op: 'random.normal',
  bounds: [
    ['mean', 0],
    ['scale', 1],
  ],
};
