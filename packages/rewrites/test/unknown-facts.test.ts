/**
 * Conditions of rules are asked of terms about which nothing is known: a shape of unknown rank, open
 * sizes, no element type. A condition that reads past a missing fact would end the pass with an error.
 */
import { mulberry32, orThrow } from '@baton/base';
import { type AttrValue, anyDim, type Dim, tensorType, variable } from '@baton/ir';
import { holesOf } from '@baton/ops';
import { type MatchedValue, type Rule, ruleSets } from '@baton/rewrites';
import { type DType, full, tensor } from '@baton/tensor';
import { describe, expect, it } from 'vitest';

const rules = ruleSets.flatMap((set) => orThrow(set).rules);

const SHAPES: ReadonlyArray<ReadonlyArray<Dim>> = [
  [],
  [1],
  [3],
  [2, 3],
  [3, 2],
  [2, 3, 4, 4],
  [1, 2, 3],
];
const TYPES: ReadonlyArray<DType> = ['float32', 'float16', 'int32', 'int8', 'bool', 'int64'];
const ATTRS: ReadonlyArray<AttrValue> = [
  ...[0, 1, -1, 2, 0.5, true, false, '', 'float32', 'NCHW', 'OIHW', 'constant'],
  ...[[], [0], [1], [-1], [0, 1], [1, 0], [2, 3], [1, 1], [0, 0], [0, 2, 3, 1]],
  [
    [0, 0],
    [1, 1],
  ],
];

type Draw = <A>(list: ReadonlyArray<A>) => A;

const drawFrom = (seed: number): Draw => {
  const random = mulberry32(seed);
  return (list) => list[Math.floor(random() * list.length)] as (typeof list)[number];
};

/** A term of known rank and type. */
function knownTerm(draw: Draw): MatchedValue {
  const [dims, dtype] = [draw(SHAPES), draw(TYPES)];
  const sizes = dims.map(Number);
  const count = sizes.reduce((product, size) => product * size, 1);
  const values = Array.from({ length: count }, (_, i) => (dtype === 'bool' ? i % 2 : i + 1));
  const constant = draw([
    undefined,
    full(sizes, dtype, 1),
    tensor(dtype === 'int64' ? values.map(BigInt) : values, sizes, dtype),
  ]);
  const type = tensorType(dims, dtype);
  const expr = variable('x', type);
  return { expr, type, dims, dtype, range: undefined, constant, isTotal: true };
}

/** The same term, with less known of it. */
function vagueTerm(term: MatchedValue, draw: Draw): MatchedValue {
  const vague = { ...term, constant: undefined };
  return draw<MatchedValue>([
    term,
    { ...vague, type: undefined, dims: undefined, dtype: undefined },
    { ...vague, dims: undefined },
    { ...vague, dims: term.dims?.map(() => anyDim) },
    { ...vague, dtype: undefined },
  ]);
}

type Holes = Parameters<Rule['when'][number]>[0];

/** Calls all that a rule asks of holes, and returns how many of them throw. */
function faultsOf(
  { when, profitable, within, computed }: Rule,
  holes: Holes,
): ReadonlyArray<string> {
  return [...when, ...profitable, ...within, ...computed.values()].flatMap((ask, i) => {
    try {
      ask(holes);
      return [];
    } catch (error) {
      return [`${i}: ${String(error)}`];
    }
  });
}

describe('what a rule asks of its holes', () => {
  it('is answered where facts are missing', () => {
    let asked = 0;
    for (const rule of rules) {
      const { terms, attrs } = holesOf(...rule.equations.map(({ left }) => left));
      const asks =
        rule.when.length + rule.profitable.length + rule.within.length + rule.computed.size;
      if (asks === 0) continue;
      for (let seed = 0; seed < 60; seed++) {
        const draw = drawFrom(seed);
        const given = new Map([...attrs].map((name) => [name, draw(ATTRS)]));
        const known = new Map([...terms].map((name) => [name, knownTerm(draw)]));
        const vague = new Map([...known].map(([name, term]) => [name, vagueTerm(term, draw)]));
        const holes = (of: ReadonlyMap<string, MatchedValue>) =>
          Object.fromEntries<AttrValue | MatchedValue>([...given, ...of]) as Holes;
        // An attribute of another type than the operator's may be refused by an error.
        if (faultsOf(rule, holes(known)).length > 0) continue;
        asked++;
        expect(faultsOf(rule, holes(vague)), rule.name).toEqual([]);
      }
    }
    expect(asked).toBeGreaterThan(1_000);
  });
});
