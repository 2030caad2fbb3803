/** Operators that draw random numbers from a generator, and return the next generator. */
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

export const GENERATOR = tensorType([10], 'uint64');

/** Example generators: a new one, and one near the end of its counter. */
export const someGenerator: Tensor = tensor(threefryKey(42n), [10], 'uint64');

/** The same generator yields the same numbers. */
export const draws: { readonly kind: 'other' } & Facts<'cost'> = {
  kind: 'other',
  // Twenty rounds for every four words.
  cost: (_args, result) => {
    const made = result._tag === 'TupleType' ? result.fields[1] : result;
    return 20 * (made === undefined ? 0 : elementCount(made));
  },
};

export const floatProps = {
  out_shape: list(naturalInt),
  out_dtype: oneOf('float32', 'float64'),
} as const;

export function isGenerator(args: ReadonlyArray<Type>, context: RelationContext): boolean {
  const key = tensorArg(args, 0, context);
  if (key === undefined || !hasShape(key, '`key`', [10], context)) return false;
  return sameDType('uint64', key.dtype, '`key`', context) !== undefined;
}

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

export function wordsOf(key: Tensor, count: number, memory: Memory): Generated {
  // Storage of unsigned 64-bit integers.
  return threefryGenerate(dense(key, memory).data as BigUint64Array, count, memory);
}

export function asGenerator(words: BigUint64Array, memory: Memory): Tensor {
  const data = memory.take('uint64', words.length);
  data.set(words);
  return tensor(data, [words.length], 'uint64');
}

/** Numbers from 0 to 1, and the next generator. */
export function drawn(
  key: Tensor,
  count: number,
  dtype: 'float32' | 'float64',
  memory: Memory,
): { readonly next: Tensor; readonly numbers: Float64Array } {
  const { next, words } = wordsOf(key, count, memory);
  return { next: asGenerator(next, memory), numbers: uniformNumbers(words, dtype, memory) };
}
