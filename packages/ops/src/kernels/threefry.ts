/**
 * Threefry: a block of random bits for each key and each counter, so that random numbers need no
 * state but the generator that is passed on. A generator is ten words: four of a key, two of a
 * path, two of a counter, and two that mark the next bit of the path. A split writes 0 or 1 there;
 * a full path becomes a new key.
 *
 * **Source** Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); Claessen and
 * Pałka, "Splittable pseudorandom number generators using cryptographic hashing" (2013); Relay
 * v0.14 random.threefry_generate, to which the bits are identical.
 */
import { heap, type Memory } from '@baton/tensor';

const WORDS = 4;

/** The rotations of both pairs of words in eight rounds, after which they repeat. */
const ROTATIONS = [
  [14n, 16n],
  [52n, 57n],
  [23n, 40n],
  [5n, 37n],
  [25n, 33n],
  [46n, 12n],
  [58n, 22n],
  [32n, 32n],
] as const;

const PARITY = 0x1bd11bdaa9fc1a22n;
const ROUNDS = 20;
const FULL = (1n << 64n) - 1n;
const FIRST_STEP = 1n << 63n;

/** As in the paper, or as in Relay, which differs in two points. */
export type ThreefryForm = 'paper' | 'relay';

/**
 * The random block of a counter. Relay's form omits the last addition of the key, and mixes a word
 * with the sum that replaced its partner: [ADR
 * 51](https://batonjs.github.io/baton/adr/0051-random-bits-are-those-of-tvm).
 */
export function threefry(
  key: BigUint64Array,
  counter: BigUint64Array,
  form: ThreefryForm = 'relay',
): BigUint64Array {
  const keys = wholeKey(key);
  const block = counter.slice(0, WORDS);
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 4 === 0) addKey(block, keys, round / 4);
    const [first, second] = ROTATIONS[round % ROTATIONS.length] as (typeof ROTATIONS)[number];
    mix(block, 0, first, form);
    mix(block, 2, second, form);
    const [, b, , d] = block as unknown as readonly [bigint, bigint, bigint, bigint];
    block[1] = d;
    block[3] = b;
  }
  if (form === 'paper') addKey(block, keys, ROUNDS / 4);
  return block;
}

// 64-bit storage wraps.
function addKey(block: BigUint64Array, keys: BigUint64Array, step: number): void {
  for (let i = 0; i < WORDS; i++) {
    block[i] = (block[i] as bigint) + (keys[(step + i) % keys.length] as bigint);
  }
  block[WORDS - 1] = (block[WORDS - 1] as bigint) + BigInt(step);
}

/** The key, and the parity of its words. */
function wholeKey(key: BigUint64Array): BigUint64Array {
  const words = BigUint64Array.from([...key.subarray(0, WORDS), 0n]);
  words[WORDS] = words.subarray(0, WORDS).reduce((parity, word) => parity ^ word, PARITY);
  return words;
}

function mix(block: BigUint64Array, at: number, rotation: bigint, form: ThreefryForm): void {
  const [a, b] = [block[at] as bigint, block[at + 1] as bigint];
  const sum = BigInt.asUintN(64, a + b);
  block[at] = sum;
  block[at + 1] = (form === 'paper' ? sum : sum + b) ^ ((b << rotation) | (b >> (64n - rotation)));
}

/** A generator from a seed of up to 256 bits. */
export function threefryKey(seed: bigint): BigUint64Array {
  const words = Array.from({ length: WORDS }, (_, i) => (seed >> BigInt(64 * i)) & FULL);
  return BigUint64Array.from([...words, 0n, 0n, 0n, 0n, FIRST_STEP, 0n]);
}

export interface Generated {
  readonly next: BigUint64Array;
  readonly words: BigUint64Array;
}

export function threefryGenerate(
  generator: BigUint64Array,
  count: number,
  memory: Memory = heap,
): Generated {
  const state = withRoom(generator, BigInt(count));
  const words = memory.take('uint64', count);
  const whole = count - (count % WORDS);
  const counter = state.slice(WORDS, 2 * WORDS);
  for (let start = 0; start < whole; start += WORDS) {
    words.set(threefry(state, counter), start);
    // Relay counts in all four words.
    for (let i = 0; i < WORDS; i++) counter[i] = (counter[i] as bigint) + 1n;
  }
  const next = state.slice();
  next[6] = 0n;
  next[7] = (state[7] as bigint) + BigInt(whole);
  if (whole < count) {
    const last = state.slice(WORDS, 2 * WORDS);
    last[3] = next[7];
    words.set(threefry(state, last).subarray(0, count - whole), whole);
    next[7] = (next[7] as bigint) + BigInt(WORDS);
  }
  return { next, words };
}

/**
 * The generator, or one whose counter does not overflow within `count` words: with a longer path,
 * or a new key.
 */
function withRoom(generator: BigUint64Array, count: bigint): BigUint64Array {
  if ((generator[7] as bigint) < FULL - count) return generator;
  if (!hasPath(generator)) {
    const used = new BigUint64Array(WORDS).fill(FULL);
    return freshPath(threefry(generator, used), 0n, FIRST_STEP);
  }
  const longer = branch(generator, true);
  longer.fill(0n, 6, 8);
  return longer;
}

export function threefrySplit(
  generator: BigUint64Array,
): readonly [left: BigUint64Array, right: BigUint64Array] {
  if (hasPath(generator)) return [branch(generator, false), branch(generator, true)];
  const key = threefry(generator, generator.subarray(WORDS));
  return [freshPath(key, 0n, FIRST_STEP >> 1n), freshPath(key, FIRST_STEP, FIRST_STEP >> 1n)];
}

const hasPath = (generator: BigUint64Array): boolean => generator[8] !== 0n || generator[9] !== 0n;

const freshPath = (key: BigUint64Array, path: bigint, step: bigint): BigUint64Array =>
  BigUint64Array.from([...key, path, 0n, 0n, 0n, step, 0n]);

function branch(generator: BigUint64Array, isRight: boolean): BigUint64Array {
  const next = generator.slice();
  const [high, low] = [generator[8] as bigint, generator[9] as bigint];
  if (isRight) {
    next[4] = (generator[4] as bigint) | high;
    next[5] = (generator[5] as bigint) | low;
  }
  next[8] = high >> 1n;
  next[9] = high === 1n ? FIRST_STEP : low >> 1n;
  return next;
}

/** Numbers in [0, 1), one for each random word: from its last 32 bits, or from all. */
export function uniformNumbers(
  words: BigUint64Array,
  dtype: 'float32' | 'float64',
  memory: Memory = heap,
): Float64Array {
  const numbers = memory.take('float64', words.length);
  words.forEach((word, i) => {
    // The leading bits, one for each bit of the float's fraction.
    numbers[i] =
      dtype === 'float32'
        ? Number((word & 0xffff_ffffn) >> 9n) / 2 ** 23
        : Number(word >> 12n) / 2 ** 52;
  });
  return numbers;
}
