import { orThrow } from '@baton/base';
import { type IRModule, postOrderExprs } from '@baton/ir';
import { inferType, runPass } from '@baton/pass-manager';
import {
  algebra,
  arithmetic,
  type CallTimes,
  measured,
  type NodeCost,
  parallels,
  readCallTimes,
  roofline,
  saturate,
  timeCalls,
} from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { bodyOf, program } from './support.ts';

const typed = (m: IRModule): IRModule => orThrow(runPass(inferType)(m)).module;

const costOf = (m: IRModule, cost: NodeCost): number =>
  postOrderExprs([...m.functions.values()].map(({ body }) => body)).reduce(
    (sum, node) => sum + cost(node, m),
    0,
  );

/** A clock on which each reading is a millisecond later. */
const counting = () => {
  let time = 0;
  return () => time++;
};

const sums = typed(program('%x %y %z', '(%x * %y + exp(%z)) + exp(%x + 0f)'));
const times = timeCalls(sums, { now: counting() });

describe('measured costs', () => {
  it('are those of the times, of each call once', () => {
    // A run is a millisecond by this clock: two products or exponentials of one type are one call.
    expect(Object.values(times).map(({ microseconds }) => microseconds)).toEqual([
      1_000, 1_000, 1_000, 1_000,
    ]);
    expect(costOf(sums, measured(times))).toBe(6 * 1_000);
  });

  it('keep what is known', () => {
    const known = Object.fromEntries(
      Object.entries(times).map(([key, time]) => [key, { ...time, microseconds: 7 }]),
    );
    expect(timeCalls(sums, { now: counting(), known })).toEqual(known);
    const others = typed(program('%x', 'tanh(%x)'));
    const more = timeCalls(others, { now: counting(), known });
    expect(Object.keys(more)).toHaveLength(Object.keys(known).length + 1);
    expect(costOf(sums, measured(more))).toBe(6 * 7);
  });

  it('scale the roofline for calls that were not timed', () => {
    const estimate = roofline();
    const others = typed(program('%a:Tensor[(64,64),float32]', 'exp(sqrt(%a))'));
    const [root, exponential] = postOrderExprs(
      [...others.functions.values()].map(({ body }) => body),
    ).filter(({ _tag }) => _tag === 'Call');
    if (root === undefined || exponential === undefined) throw new Error('two calls');
    const cost = measured(times);
    const own = Object.entries(times).filter(([key]) => key.startsWith('exp '));
    const took = own.reduce((sum, [, { microseconds }]) => sum + microseconds, 0);
    const alike = postOrderExprs([...sums.functions.values()].map(({ body }) => body)).find(
      (node) => node._tag === 'Call' && node.op._tag === 'Op' && node.op.name === 'exp',
    );
    if (alike === undefined) throw new Error('an exponential');
    const scale = took / own.length / estimate(alike, sums);
    expect(cost(exponential, others)).toBeCloseTo(scale * estimate(exponential, others), 6);
    expect(cost(root, others)).toBeGreaterThan(0);
    // Without any times it is the roofline.
    expect(costOf(others, measured({}))).toBe(costOf(others, estimate));
  });

  it('price a kernel by its calls', () => {
    const kernel = typed(
      program('%x %y', 'fn (%a: Tensor[(2, 3), float32], Primitive=1) { exp(%a * %a) }(%x)'),
    );
    const calls = timeCalls(kernel, { now: counting() });
    expect(Object.keys(calls)).toHaveLength(2);
    const [root] = [...kernel.functions.values()].map(({ body }) => body);
    expect(root && measured(calls)(root, kernel)).toBe(2_000);
  });

  it('leave out calls whose sizes are open', () => {
    const open = typed(program('%x:Tensor[(?),float32]', 'exp(%x)'));
    expect(timeCalls(open, { now: counting() })).toEqual({});
  });
});

describe('times of calls', () => {
  it('are plain data', () => {
    expect(orThrow(readCallTimes(JSON.parse(JSON.stringify(times))))).toEqual(times);
  });

  it.each([
    [undefined],
    [[1]],
    [{ exp: 1 }],
    [{ exp: { microseconds: -1, flops: 0, bytes: 0 } }],
    [{ exp: { microseconds: Number.NaN, flops: 0, bytes: 0 } }],
  ])('refuse %j', (value) => {
    expect(readCallTimes(value)).toMatchObject({ left: [{ code: 'COST_TIMES' }] });
  });
});

describe('a search by measured cost', () => {
  const WEIGHT = 'Constant(2, (4, 3), float32)';
  const programs = [
    sums,
    typed(program('%x', `(nn.dense(%x, ${WEIGHT}), nn.dense(%x, ${WEIGHT} + ${WEIGHT}))`)),
  ];
  const known: CallTimes = programs.reduce<CallTimes>(
    (before, m) => timeCalls(m, { now: counting(), known: before }),
    {},
  );

  it.each(programs.map((m) => [bodyOf(m), m] as const))(
    'is never worse, and the same each time: %s',
    (_, m) => {
      const cost = measured(known);
      const pass = saturate([arithmetic, algebra, parallels], { cost });
      const found = orThrow(runPass(pass)(m)).module;
      expect(costOf(found, cost)).toBeLessThanOrEqual(costOf(m, cost));
      const again = saturate([arithmetic, algebra, parallels], { cost: measured({ ...known }) });
      expect(bodyOf(orThrow(runPass(again)(m)).module)).toBe(bodyOf(found));
    },
  );
});
