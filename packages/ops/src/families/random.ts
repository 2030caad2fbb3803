/** Operators that make random numbers from a generator, and give the next one. */
import { type Dim, type RelationContext, type Type, tensorType, tupleType } from '@baton/ir';
import { type DType, dense, type Memory, type Tensor, tensor } from '@baton/tensor';
import { list, naturalInt, oneOf } from '../attrs/codecs.ts';
import { elementCount } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import {
  type Generated,
  threefryGenerate,
  threefryKey,
  uniformNumbers,
} from '../kernels/threefry.ts';
import { hasRank, hasShape, inDomain, sameDType, tensorArg } from '../relation/known.ts';
import { standsAlone } from './alone.ts';

/** The type of a generator. */
export const GENERATOR = tensorType([10], 'uint64');

/** Generators for examples: at its beginning, and near the end of its counter. */
export const someGenerator: Tensor = tensor(threefryKey(42n), [10], 'uint64');

/** The common facts of such operators: the same generator gives the same numbers. */
export const draws: Facts<'fusion' | 'kind' | 'domain' | 'scaleAxis' | 'cost'> = {
  ...standsAlone,
  // Twenty rounds for four words.
  cost: (_args, result) => {
    const made = result._tag === 'TupleType' ? result.fields[1] : result;
    return 20 * (made === undefined ? 0 : elementCount(made));
  },
};

/** The attributes of an operator that makes floats. */
export const floatProps = {
  out_shape: list(naturalInt),
  out_dtype: oneOf('float32', 'float64'),
} as const;

/** Whether the first argument is a generator; reports if not. */
export function isGenerator(args: ReadonlyArray<Type>, context: RelationContext): boolean {
  const key = tensorArg(args, 0, context);
  if (key === undefined || !hasShape(key, '`key`', [10], context)) return false;
  return sameDType('uint64', key.dtype, '`key`', context) !== undefined;
}

/** The type of random numbers between two, or about one: both are single numbers of their dtype. */
export function randomFloats(
  args: ReadonlyArray<Type>,
  names: readonly [string, string],
  shape: ReadonlyArray<Dim>,
  dtype: DType,
  context: RelationContext,
): Type | undefined {
  if (!isGenerator(args, context)) return undefined;
  for (const [i, name] of names.entries()) {
    const bound = tensorArg(args, i + 1, context);
    if (bound === undefined || !hasRank(bound, `\`${name}\``, [0], context)) return undefined;
    if (sameDType(dtype, bound.dtype, `\`${name}\``, context) === undefined) return undefined;
    if (!inDomain(bound.dtype, 'float', context)) return undefined;
  }
  return tupleType([GENERATOR, tensorType(shape, dtype)]);
}

/** So many words of the generator that a tensor holds. */
export function wordsOf(key: Tensor, count: number, memory: Memory): Generated {
  // The storage of 64-bit integers without sign.
  return threefryGenerate(dense(key, memory).data as BigUint64Array, count, memory);
}

/** The generator as a tensor. */
export function asGenerator(words: BigUint64Array, memory: Memory): Tensor {
  const data = memory.take('uint64', words.length);
  data.set(words);
  return tensor(data, [words.length], 'uint64');
}

/** Numbers from 0 to 1, and the generator to go on with. */
export function drawn(
  key: Tensor,
  count: number,
  dtype: 'float32' | 'float64',
  memory: Memory,
): { readonly next: Tensor; readonly numbers: Float64Array } {
  const { next, words } = wordsOf(key, count, memory);
  return { next: asGenerator(next, memory), numbers: uniformNumbers(words, dtype, memory) };
}
