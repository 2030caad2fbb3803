/** Which functions a host computes in place of the interpreter. */
import { orThrow } from '@baton/base';
import { interpreterWith, tupleValue, type Value } from '@baton/executor';
import { expect, it } from 'vitest';
import { parse } from './support.ts';

/** Whether a host that gives an empty tuple is asked for the value of `main`. */
function isHosted(text: string): boolean {
  const m = parse(text);
  const empty: Value = tupleValue([]);
  const hosting = interpreterWith(
    'hosting',
    ({ functions }) =>
      (func) =>
        func === functions.get('main') ? { call: () => empty } : undefined,
  );
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
