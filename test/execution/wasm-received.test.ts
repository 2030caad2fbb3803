/**
 * Faults of compiled code that its users received: forms that once gave wrong values in the default
 * setting, each with its sisters. Every program has more elements than the interpreter keeps for itself.
 */
import { describe, expect, it } from 'vitest';
import { disagreements } from './wasm-agreement.ts';

/** The programs that differ, with how. */
const wrong = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => disagreements(text).map((problem) => `${text} ${problem}`));

const NUMBERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'].concat([
  'float16',
  'float32',
  'float64',
  'bfloat16',
]);

const vectors = (names: string, dtype: string): string =>
  names
    .split(' ')
    .map((name) => `%${name}: Tensor[(100), ${dtype}]`)
    .join(', ');

describe('W1, W17: a call moves to the windows of a value only if it views the value', () => {
  it.each(NUMBERS)('casts of comparisons of %s', (dtype) => {
    const casts = ['less', 'greater_equal', 'equal', 'not_equal'].flatMap((name) =>
      NUMBERS.map((to) => `cast(${name}(%x, %y), dtype="${to}")`),
    );
    expect(wrong([`def @main(${vectors('x y', dtype)}) { (${casts.join(', ')}) }`])).toEqual([]);
  });

  it.each(NUMBERS)('casts from %s, there and back', (dtype) => {
    const there = NUMBERS.map((to) => `cast(%x, dtype="${to}")`);
    const back = there.flatMap((x) => [
      `cast(${x}, dtype="${dtype}")`,
      `cast(negative(${x}), dtype="${dtype}")`,
      `floor(cast(negative(${x}), dtype="float32"))`,
    ]);
    expect(wrong([`def @main(${vectors('x', dtype)}) { (${back.join(', ')}) }`])).toEqual([]);
  });

  it('other calls that return their argument for some types', () => {
    expect(
      wrong([
        'def @main(%x: float32, %y: float32) { full(not_equal(%x, %y), shape=[100], dtype="float32") }',
        `def @main(%c: Tensor[(100), bool], ${vectors('x y', 'int32')}) {
          reinterpret(where(%c, %x, %y), dtype="float32") }`,
        `def @main(${vectors('x y', 'float32')}) { reinterpret(add(%x, %y), dtype="int32") }`,
        `def @main(${vectors('x y', 'int32')}) {
          round(divide(cast(%x, dtype="float32"), cast(%y, dtype="float32"))) }`,
        `def @main(%c: Tensor[(10, 12), bool], %x: Tensor[(10, 12), float32]) {
          transpose(where(%c, %x, cast(%c, dtype="float32"))) }`,
      ]),
    ).toEqual([]);
  });
});
