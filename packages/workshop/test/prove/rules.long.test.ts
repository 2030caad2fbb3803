/** Proofs of a few shipped rules, and counterexamples to wrong ones. */
import { readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import { standardOps } from '@baton/ops';
import { makeProver, type Prover, type Solver, type State } from '@baton/proofs';
import { openSolver } from '@baton/proofs/z3';
import {
  algebra,
  arithmetic,
  attention,
  casts,
  likes,
  movement,
  quantized,
  type Rule,
  type RuleSet,
  rule,
  spellings,
  type Term,
} from '@baton/rewrites';
import { cast, scalar } from '@baton/tensor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overstated, pageOf, verdictsIn, xlaPageOf } from '../../src/prove/page.ts';
import { shippedSets } from '../../src/prove/shipped.ts';
import { XLA, xlaSet } from '../../src/prove/xla.ts';

let solver: Solver;
let prover: Prover;
beforeAll(async () => {
  solver = await openSolver();
  prover = makeProver(solver, standardOps);
});
afterAll(() => solver.close());

const shipped = (set: typeof arithmetic, name: string): Rule =>
  orThrow(set).rules.find((r) => r.name === name) as Rule;

const LAW = { needs: ['nsz', 'nnan', 'ninf', 'reassoc'] } as const;

const STATES: ReadonlyArray<readonly [Rule, State]> = [
  [shipped(arithmetic, 'x + 0'), 'proved'],
  [shipped(arithmetic, 'x - 0'), 'proved'],
  [shipped(arithmetic, 'n / sqrt(x)'), 'proved'],
  [shipped(algebra, 'distributive'), 'proved'],
  [shipped(movement, 'transpose of nothing'), 'proved up to a bound'],
  [shipped(casts, 'cast to the same'), 'proved'],
  // Without its condition the rule is wrong in types of which no theory knows the casts.
  [shipped(casts, 'cast of widening'), 'proved'],
  [shipped(attention, 'attention'), 'proved'],
  [shipped(likes, 'reshape_like'), 'proved up to a bound'],
  [shipped(spellings, 'x / n'), 'proved up to a bound'],
  [orThrow(rule('no meaning', 'argsort(argsort(?x))', 'argsort(?x)')), 'tested'],
  [orThrow(rule('mean', 'mean(?x, axis=[0])', 'mean(?x, axis=[-1])', LAW)), 'refuted'],
];

describe('the state of a rule', () => {
  test.each(STATES)('$0.name', async (given, state) => {
    expect((await prover.prove(given)).state).toBe(state);
  });
});

/** Rules with one mistake each, and what their counterexample names. */
const WRONG: ReadonlyArray<readonly [string, ReturnType<typeof rule>, RegExp]> = [
  ['a sign is lost', rule('sign', '?x - ?y', '?y - ?x', LAW), /x = .*, y = /],
  ['a zero has a sign', rule('zero', '?x + 0', '?x'), /x = -0: 0 and -0/],
  [
    'a sum is rounded',
    rule('rounded', '(?x + ?y) - ?y', '?x', { needs: ['nsz', 'nnan', 'ninf'] }),
    /x = /,
  ],
  ['infinity times 0', rule('times 0', '?x * 0', '0', { needs: ['reassoc', 'nsz'] }), /NaN/],
  ['a negative root', rule('root', 'sqrt(?x) * sqrt(?x)', '?x', { needs: ['afn'] }), /x = -/],
  ['a guard is removed', rule('guard', 'transpose(?x, axes=?a)', '?x'), /a = .*x\[/],
  [
    'axes are composed the wrong way round',
    rule('axes', 'transpose(transpose(?x, axes=?a), axes=?b)', 'transpose(?x, axes=?c)', {
      let: {
        c: ({ a, b }) =>
          Array.isArray(a) && Array.isArray(b)
            ? a.map((axis) => b.at(Number(axis)) ?? 0)
            : undefined,
      },
    }),
    /element/,
  ],
  [
    'operands of a product change places',
    rule('product', 'nn.matmul(?x, ?y)', 'nn.matmul(?y, ?x)', LAW),
    /x\[0, 0\]/,
  ],
  [
    'integers have no inverse',
    rule('inverse', '?x / 2', '?x * ?c', {
      let: {
        c: ({ x }) => (x.dtype === undefined ? undefined : cast(scalar(0.5, 'float64'), x.dtype)),
      },
      needs: ['arcp'],
    }),
    /int/,
  ],
  [
    'a constant is taken for another',
    rule('constant', '?x * ?c', '?x', {
      when: ({ c }) => c.constant !== undefined && c.constant.data[0] !== 0,
      ...LAW,
    }),
    /a constant/,
  ],
];

describe('a wrong rule has a counterexample', () => {
  test.each(WRONG)('%s', async (_, given, names) => {
    const { state, reason } = await prover.prove(orThrow(given));
    expect(state).toBe('refuted');
    expect(reason).toMatch(names);
  });
});

/** The product in fixed point as `qnn.requantize` shifts it, with `half` added before. */
const requantized = (rounding: string, half: string): Rule => {
  const shipped = orThrow(quantized).rules.find((r) => r.name === 'qnn.requantize upward') as Rule;
  const stated = rule(
    rounding,
    `qnn.requantize(?x, ?s, ?z, ?t, ?w, axis=?a, rounding="${rounding}", out_dtype=?d)`,
    `%0 = ?m * cast(cast(?x, dtype="int32") - ?z, dtype="int64");
     %1 = right_shift(%0 + ${half}, ?k) + cast(?w, dtype="int64");
     cast(clip(%1, a_min=?l, a_max=?h), dtype=?d)`,
    { orient: 'canonical', let: Object.fromEntries(shipped.computed) },
  );
  return { ...orThrow(stated), when: shipped.when };
};

describe('rules of quantized integers are evaluated at every value', () => {
  const PROVED = ['qnn.requantize to nearest', 'qnn.abs', 'qnn.concatenate of 2', 'qnn.add'];
  test.each(PROVED)('%s', async (name) => {
    const { state, reason } = await prover.prove(shipped(quantized, name));
    expect(state).toBe('proved up to a bound');
    expect(reason).toMatch(/^evaluated at every (value|pair of values) of int8 and uint8; \d+ /);
  });

  test('a half is rounded up, and not away from 0', async () => {
    expect((await prover.prove(requantized('UPWARD', '?r'))).state).toBe('proved up to a bound');
    const { state, reason } = await prover.prove(requantized('TONEAREST', '?r'));
    expect(state).toBe('refuted');
    expect(reason).toMatch(/s = float32\(\).*element \d+ of x: u?int8\(256\): -?\d+ and -?\d+$/);
  });

  const WRONG_ON_INTEGERS: ReadonlyArray<readonly [string, ReturnType<typeof rule>]> = [
    [
      'zero points change places',
      rule('points', 'qnn.abs(?x, ?s, ?p, ?t, ?q)', 'qnn.abs(?x, ?s, ?q, ?t, ?p)'),
    ],
    [
      'the operands of a difference change places',
      rule(
        'difference',
        'qnn.subtract(?x, ?y, ?s, ?p, ?t, ?q, ?u, ?o)',
        'qnn.subtract(?y, ?x, ?t, ?q, ?s, ?p, ?u, ?o)',
      ),
    ],
    [
      'fields change places',
      rule(
        'fields',
        'qnn.concatenate((?x, ?y), (?s, ?t), (?p, ?q), ?u, ?o, axis=?a)',
        'qnn.concatenate((?y, ?x), (?t, ?s), (?q, ?p), ?u, ?o, axis=?a)',
      ),
    ],
  ];
  test.each(WRONG_ON_INTEGERS)('%s', async (_, given) => {
    const { state, reason } = await prover.prove(orThrow(given));
    expect([state, reason]).toEqual([
      'refuted',
      expect.stringMatching(/element .*: -?\d+ and -?\d+$/),
    ]);
  });
});

describe('products of quantized integers are polynomials', () => {
  const product = (right: string): Rule =>
    orThrow(rule('product', 'qnn.dense(?x, ?w, ?p, ?q, ?s, ?t, units=?u)', right, CENTRED));
  const CENTRED = {
    orient: 'canonical',
    when: ({ p, q }: { readonly p: Term; readonly q: Term }) =>
      p.dims?.length === 0 && q.dims?.length === 0,
  } as const;
  const sums = (x: string, w: string): string =>
    `nn.dense(cast(?x, dtype="int32") - ${x}, cast(?w, dtype="int32") - ${w}, units=?u, out_dtype="int32")`;

  test('a product of what lies about zero points', async () => {
    const { state, reason } = await prover.prove(product(sums('?p', '?q')));
    expect([state, reason]).toEqual(['proved up to a bound', expect.stringMatching(/u?int8/)]);
  });

  test.each([
    ['?q', '?p'],
    ['?p', '0i32'],
  ])('zero points %s and %s are wrong', async (x, w) => {
    expect((await prover.prove(product(sums(x, w)))).state).toBe('refuted');
  });
});

test('the page of rules lists the shipped rules as they are', () => {
  const page = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8');
  expect(page).toBe(pageOf(shippedSets(), verdictsIn(page)));
});

test('the page of XLA lists its rules as they are stated', () => {
  const page = readFileSync(new URL('../../../../docs/xla-rules.md', import.meta.url), 'utf8');
  expect(page).toBe(xlaPageOf(XLA, xlaSet, verdictsIn(page)));
});

test('a condition that throws is a mistake of the rule', async () => {
  const throws = rule('throws', 'transpose(?x)', '?x', {
    when: ({ x }) => {
      if (x.dims?.length === 0) throw new Error('no axes');
      return x.dims?.length === 1;
    },
  });
  const { state, reason } = await prover.prove(orThrow(throws));
  expect(state).toBe('refuted');
  expect(reason).toMatch(/no axes/);
});

test('a page says the verdicts that it was made of', () => {
  const sets: ReadonlyArray<RuleSet> = [orThrow(arithmetic)];
  const verdicts = new Map([['arithmetic: x + 0', { state: 'proved' as const, reason: 'a | b' }]]);
  expect(verdictsIn(pageOf(sets, verdicts))).toEqual(verdicts);
});

test('a page that says more than is proved is told', () => {
  const sets: ReadonlyArray<RuleSet> = [orThrow(arithmetic)];
  const verdicts = (state: State) => new Map([['arithmetic: x + 0', { state, reason: '' }]]);
  const page = pageOf(sets, verdicts('proved up to a bound'));
  const told = (state: State): number => overstated(page, verdicts(state)).length;
  expect([told('proved'), told('proved up to a bound'), told('tested')]).toEqual([0, 0, 1]);
});
