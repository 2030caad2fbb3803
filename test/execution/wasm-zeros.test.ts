/** The zeros that compiled chains give have the signs of the reference. */
import { orThrow } from '@baton/base';
import { type Executor, interpreter, type Value } from '@baton/executor';
import { inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Tensor, tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { makeWasm, type SimdLevel, simdLevel } from '@baton/wasm';
import { describe, expect, it } from 'vitest';

/** Calls whose code depends on the zeros that they are given. */
const ENDS: ReadonlyArray<(x: string) => string> = [
  (x) => `nn.relu(${x})`,
  (x) => `maximum(${x}, 0f)`,
  (x) => `maximum(${x}, -0f)`,
  (x) => `minimum(${x}, 0f)`,
];

/** Calls that make, keep or drop the sign of a zero. */
const LINKS: typeof ENDS = [
  ...ENDS,
  (x) => `maximum(${x}, -1f)`,
  (x) => `minimum(${x}, 2f)`,
  (x) => `abs(${x})`,
  (x) => `negative(${x})`,
  (x) => `add(${x}, 0.25f)`,
  (x) => `add(${x}, 0f)`,
  (x) => `add(${x}, -0f)`,
  (x) => `subtract(${x}, 0.25f)`,
  (x) => `subtract(0f, ${x})`,
  (x) => `multiply(${x}, -2f)`,
  (x) => `exp(${x})`,
];

/** Products that give zeros; those that are rounded with a sum have other signs. */
const UNDERFLOWS: typeof LINKS = [(x) => `multiply(${x}, 0.5f)`, (x) => `multiply(${x}, -1e-30f)`];

const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
const SPECIAL = [0, 0.25, 0.5, 1, 2, 1e-45, 1e-20, 3e38, infinity, nan];
const NUMBERS = Float32Array.from(SPECIAL.flatMap((x) => [x, -x]));

const fieldsOf = (value: Value): ReadonlyArray<Tensor> =>
  value._tag === 'Tuple' ? value.fields.map((field) => field as { _tag: 'Tensor' } & Tensor) : [];

/** All chains of three calls that end in one, in one program. */
function chainsTo(last: (x: string) => string, links: typeof LINKS): string {
  const chains = links.flatMap((first) => links.map((second) => last(second(first('%x')))));
  return `#[version = "0.0.5"]
    def @main(%x: Tensor[(${NUMBERS.length}), float32]) { (${chains.join(', ')}) }`;
}

function runOn(executor: Executor, text: string): ReadonlyArray<Tensor> {
  const m = orThrow(inferTypes(orThrow(parseModule(text, { ops: standardOps }))));
  const x = tensor(NUMBERS, [NUMBERS.length], 'float32');
  return fieldsOf(orThrow(orThrow(executor.prepare(m)).run({ x })));
}

/** The elements of which one is a zero or no number, and the other is another one. */
function differences(found: Tensor, wanted: Tensor): ReadonlyArray<string> {
  return Array.from(NUMBERS).flatMap((x, i) => {
    const [a, b] = [Number(found.data[i]), Number(wanted.data[i])];
    const isAlike = (a === 0 && b === 0) || Number.isNaN(a) || Number.isNaN(b);
    return isAlike && !Object.is(a, b) ? [`${x}: ${a}, not ${b}`] : [];
  });
}

const LEVELS: ReadonlyArray<SimdLevel> = simdLevel() === 'relaxed' ? ['simd', 'relaxed'] : ['simd'];

describe.each(LEVELS)('compiled chains at level %s', (level) => {
  const links = level === 'simd' ? [...LINKS, ...UNDERFLOWS] : LINKS;
  it.each(ENDS.map((last) => [last('x'), last] as const))('that end in %s', (_, last) => {
    const text = chainsTo(last, links);
    const wanted = runOn(interpreter, text);
    const found = runOn(makeWasm({ level, leastElements: 0 }), text);
    expect(found).toHaveLength(links.length ** 2);
    const wrong = found.flatMap((t, i) =>
      differences(t, wanted[i] as Tensor).map((difference) => `chain ${i} of ${difference}`),
    );
    expect(wrong).toEqual([]);
  });
});
