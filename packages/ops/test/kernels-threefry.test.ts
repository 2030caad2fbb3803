/** Random bits: the known answers of the authors, and the properties of a generator. */
import { describe, expect, it, test } from 'vitest';
import {
  threefry,
  threefryGenerate,
  threefryKey,
  threefrySplit,
  uniformNumbers,
} from '../src/kernels/threefry.ts';

const ONES = (1n << 64n) - 1n;
const PI = [0x243f6a8885a308d3n, 0x13198a2e03707344n, 0xa4093822299f31d0n, 0x082efa98ec4e6c89n];
const PI_KEY = [0x452821e638d01377n, 0xbe5466cf34e90c6cn, 0xbe5466cf34e90c6cn, 0xc0ac29b7c97c50ddn];

/** Random123 1.14, kat_vectors: threefry4x64 of 20 rounds. */
const KNOWN: ReadonlyArray<readonly [string, bigint[], bigint[], string]> = [
  [
    'zeros',
    [0n, 0n, 0n, 0n],
    [0n, 0n, 0n, 0n],
    '09218ebde6c85537 55941f5266d86105 4bd25e16282434dc ee29ec846bd2e40b',
  ],
  [
    'ones',
    [ONES, ONES, ONES, ONES],
    [ONES, ONES, ONES, ONES],
    '29c24097942bba1b 0371bbfb0f6f4e11 3c231ffa33f83a1c cd29113fde32d168',
  ],
  [
    'digits of π',
    PI,
    PI_KEY,
    'a7e8fde591651bd9 baafd0c30138319b 84a5c1a729e685b9 901d406ccebc1ba4',
  ],
];

test.each(KNOWN)('the block of a counter and a key: %s', (_, counter, key, answer) => {
  const block = threefry(BigUint64Array.from(key), BigUint64Array.from(counter), 'paper');
  expect([...block].map((word) => word.toString(16).padStart(16, '0')).join(' ')).toBe(answer);
});

describe('a generator', () => {
  it('gives other words each time, and the same from the same state', () => {
    const start = threefryKey(1n);
    const first = threefryGenerate(start, 8);
    const second = threefryGenerate(first.next, 8);
    expect(threefryGenerate(start, 8).words).toEqual(first.words);
    expect(new Set([...first.words, ...second.words]).size).toBe(16);
  });

  it('splits as often as asked, into generators of other words', () => {
    let state = threefryKey(7n);
    const seen = new Set<bigint>();
    for (let i = 0; i < 300; i++) {
      const [left, right] = threefrySplit(state);
      for (const word of threefryGenerate(left, 4).words) seen.add(word);
      state = right;
    }
    expect(seen.size).toBe(1200);
  });

  it('goes on when its counter, and then its path, has no room', () => {
    const state = threefryKey(7n);
    state[7] = ONES - 2n;
    const longer = threefryGenerate(state, 4);
    expect([...longer.next.subarray(4)]).toEqual([1n << 63n, 0n, 0n, 4n, 1n << 62n, 0n]);
    state[8] = 0n;
    const other = threefryGenerate(state, 4);
    expect([...other.next.subarray(4)]).toEqual([0n, 0n, 0n, 4n, 1n << 63n, 0n]);
    expect(other.next.subarray(0, 4)).not.toEqual(state.subarray(0, 4));
  });

  it.each(['float32', 'float64'] as const)('makes %s from 0 to 1, evenly', (dtype) => {
    const numbers = uniformNumbers(threefryGenerate(threefryKey(3n), 4000).words, dtype);
    const tenths = new Array<number>(10).fill(0);
    for (const x of numbers) tenths[Math.floor(10 * x)] = (tenths[Math.floor(10 * x)] ?? 0) + 1;
    const distance = tenths.reduce((sum, count) => sum + (count - 400) ** 2 / 400, 0);
    // With 9 degrees of freedom, one generator in a thousand exceeds this.
    expect(distance).toBeLessThan(27.9);
  });
});
