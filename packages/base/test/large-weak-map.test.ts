import { largeWeakMap } from '@baton/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('a large weak map', () => {
  it('agrees with a map, whatever its parts have had their turns', () => {
    const keys = Array.from({ length: 40 }, (_, at) => ({ at }));
    const writes = fc.array(fc.tuple(fc.nat(keys.length - 1), fc.nat(9)), { maxLength: 200 });
    fc.assert(
      fc.property(writes, fc.integer({ min: 1, max: 4 }), (entered, turn) => {
        const large = largeWeakMap<object, number>(turn);
        const plain = new Map<object, number>();
        for (const [at, value] of entered) {
          const key = keys[at] as object;
          large.set(key, value);
          plain.set(key, value);
          expect(keys.map((k) => large.get(k))).toEqual(keys.map((k) => plain.get(k)));
        }
      }),
      { seed: 34, numRuns: 100 },
    );
  });
});
