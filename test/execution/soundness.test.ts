import { mulberry32, orThrow, type Random } from '@baton/base';
import { evaluate, hasType, tupleValue, type Value } from '@baton/executor';
import { inferTypes, type Type } from '@baton/ir';
import { type DType, shapeSize, tensor } from '@baton/tensor';
import { programs } from '@baton/testing';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';

/** Small numbers of the types of parameters. */
function inputOf(type: Type, random: Random): Value {
  if (type._tag === 'TupleType') return tupleValue(type.fields.map((f) => inputOf(f, random)));
  if (type._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a tensor is expected');
  const shape = type.shape.map((dim) => (typeof dim === 'number' ? dim : 3));
  const numbers = Array.from({ length: shapeSize(shape) }, () => random() * 8 - 4);
  return tensor(numbers, shape, type.dtype as DType);
}

describe('programs that type-check', () => {
  it('evaluate to a value of their type', () => {
    fc.assert(
      fc.property(programs(), ({ module, seed }) => {
        const typed = orThrow(inferTypes(module));
        const main = typed.functions.get('main');
        if (main?.retType === undefined) throw new Error('inference annotates results');
        const random = mulberry32(seed);
        const inputs = main.params.map((p) => inputOf(p.typeAnnotation as Type, random));
        const value = evaluate(typed, inputs);
        if (isLeft(value)) throw new Error(value.left.map((d) => d.message).join('\n'));
        expect(hasType(typed, value.right, main.retType)).toBe(true);
      }),
      { seed: 40_117, numRuns: 200 },
    );
  });
});
