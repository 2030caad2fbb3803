/** Which functions a host computes in place of the interpreter. */
import { orThrow } from '@baton/base';
import { interpreterWith, noHost, tupleValue, type Value } from '@baton/executor';
import { expect, it } from 'vitest';
import { parse } from './support.ts';

/** Whether a host that gives an empty tuple is asked for the value of `main`. */
function isHosted(text: string): boolean {
  const m = parse(text);
  const empty: Value = tupleValue([]);
  const hosting = interpreterWith('hosting', ({ functions }) => ({
    ...noHost,
    functionRoutine: (func) => (func === functions.get('main') ? { call: () => empty } : undefined),
  }));
  return orThrow(orThrow(hosting.prepare(m)).run([[1, 2]])) === empty;
}

it('a function is left to its host, with the closed functions inside it', () => {
  expect(isHosted('def @main(%x: Tensor[(2), float32]) { %0 = exp(%x); add(%0, %0) }')).toBe(true);
  expect(
    isHosted(`def @main(%x: Tensor[(2), float32]) {
      %0 = fn (%p: Tensor[(2), float32], Primitive=1) { %1 = exp(%p); add(%1, %1) };
      %2 = %0(%x);
      add(%2, %2)
    }`),
  ).toBe(true);
});

it('a function whose nodes others demand stays with the interpreter', () => {
  expect(
    isHosted(`def @main(%x: Tensor[(2), float32]) {
      %0 = exp(%x);
      let %f = fn () { add(%0, %0) };
      %1 = %f();
      add(%0, %1)
    }`),
  ).toBe(false);
});

it.each([1_000, 4_000])(
  'a host is asked a few times for each of %i nodes, and once for a segment that it refuses',
  (length) => {
    let asked = 0;
    let offered = 0;
    const lines = Array.from(
      { length },
      (_, i) => `let %x${i + 1} = ${i % 3 === 0 ? 'negative' : 'exp'}(%x${i});`,
    );
    const m = parse(
      `def @main(%x0: Tensor[(2), float32]) { ${lines.join(' ')} (%x${length}, %x0) }`,
    );
    const refusing = interpreterWith('refusing', () => ({
      ...noHost,
      takes: (node) => {
        asked += 1;
        return node._tag === 'Call';
      },
      segmentRoutine: () => {
        offered += 1;
        return undefined;
      },
    }));
    orThrow(orThrow(refusing.prepare(m)).run([[1, 2]]));
    expect(offered).toBe(1);
    expect(asked).toBeGreaterThanOrEqual(length);
    expect(asked).toBeLessThanOrEqual(4 * length);
  },
);
