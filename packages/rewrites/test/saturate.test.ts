import { postOrderExprs } from '@baton/ir';
import { callOp, isCallOf, isOpCall, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import {
  algebra,
  arithmetic,
  greedy,
  movement,
  type NodeCost,
  operatorCount,
  orThrow,
  parallels,
  rule,
  rulePhase,
  saturate,
} from '@baton/rewrites';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

const rules = [arithmetic, movement, algebra];
const cheapest = saturate(rules, { cost: operatorCount });

describe('equality saturation', () => {
  it.each([
    ['0f + (1f * %x)', '%x'],
    ['(2f + %x) + 3f', 'add(%x, 5f)'],
    ['transpose(transpose(%x))', '%x'],
    ['%x * %y + %x * %z', '%0 = add(%y, %z); multiply(%x, %0)'],
  ])('%s', (body, expected) => {
    expect(after(cheapest, program('%x %y %z', body))[0]).toBe(expected);
  });

  it('finds what an order of rules hides', () => {
    // Only after the sums are commuted are the products adjacent.
    const m = program('%x %y %z', '(%x * %y + exp(%z)) + %z * %x');
    const [made] = after(cheapest, m);
    expect(made.match(/multiply/g)).toHaveLength(1);
    expect(after(greedy(rules), m)[0].match(/multiply/g)).toHaveLength(2);
  });

  it('makes every scope cheaper by itself, and keeps what scopes share', () => {
    const m = program(
      '%x %c:bool',
      '%0 = exp(%x); if (%c) { (%0 * 1f) + 0f } else { %0 + %0 * 1f }',
    );
    expect(after(cheapest, m)[0]).toBe('%0 = exp(%x); if (%c) { %0 } else { multiply(%0, 2f) }');
  });

  it('keeps the order of what others notice', () => {
    const m = program(
      '%r:ref(float32) %x:float32',
      'let %a = ref_write(%r, 1f * %x); ref_read(%r) + 0f',
    );
    expect(after(cheapest, m)[0]).toBe(
      'let %a: () = ref_write(%r, %x); %0 = ref_read(%r); add(%0, 0f)',
    );
  });

  it('returns the same module if nothing is cheaper', () => {
    const m = orThrow(runPass(cheapest)(program('%x', 'sqrt(%x)'))).module;
    expect(orThrow(runPass(cheapest)(m)).module).toBe(m);
  });

  it.each([
    // Dead code: unused fields, bindings, branches and parameters.
    ['(%x, exp(%y)).0', '%x'],
    ['let %a = exp(%x); let %b = exp(%a); %a + 0f', 'exp(%x)'],
    ['if (True) { %x } else { exp(%y) }', '%x'],
    ['if (less(1f, 2f - 0f)) { exp(%x) } else { %y }', 'exp(%x)'],
    ['fn (%a: Tensor[(2, 3), float32], %b: float32) { sqrt(%a) }(%x, 1f)', 'sqrt(%x)'],
    ['@used(%x, exp(%y))', 'sqrt(%x)'],
    ['(@used(%x, %y), sqrt(%x) * 1f)', '%0 = sqrt(%x); (%0, %0)'],
    ['@again(%x) * 1f', '@again(%x)'],
  ])('%s', (body, expected) => {
    const type = 'Tensor[(2, 3), float32]';
    const m = program('%x %y', body, [
      `def @used(%p: ${type}, %q: ${type}) { let %unused = exp(%q); sqrt(%p) }`,
      `def @again(%p: ${type}) -> ${type} { if (less(1f, 2f)) { @again(%p) } else { %p } }`,
    ]);
    expect(after(cheapest, m)[0]).toBe(expected);
  });

  it.each([
    ['(ref_read(%r), %x).1', '%0 = ref_read(%r); %1 = (%0, %x); %1.1'],
    ['@second(ref_read(%r), %x)', 'let %a: float32 = ref_read(%r); %x'],
    ['if (True) { ref_read(%r) } else { 0f }', 'if (True) { ref_read(%r) } else { 0f }'],
  ])('leaves out no effect: %s', (body, expected) => {
    const m = program('%r:ref(float32) %x:float32', body, [
      'def @second(%a: float32, %b: float32) -> float32 { %b }',
    ]);
    expect(after(cheapest, m)[0]).toBe(expected);
  });

  it.each([
    '%made(%x), %made(%x)',
    '@made(%x), @made(%x)',
    '@both(%x).0, @both(%x).0',
    '@generic(%x), @generic(%x)',
    'fn (%p: float32) { ref(%p) }(%x), fn (%p: float32) { ref(%p) }(%x)',
    'fn (%p: float32, Primitive=1) { ref(%p) }(%x), fn (%p: float32, Primitive=1) { ref(%p) }(%x)',
  ])('makes a reference at each call: %s', (calls) => {
    const body = `%made = fn (%p: float32) { ref(%p) }; (${calls}, 0f + %x)`;
    const m = program('%x:float32', body.replaceAll('%made', '%0'), [
      'def @made(%p: float32) -> ref(float32) { ref(%p) }',
      'def @both(%p: float32) -> (ref(float32), float32) { (ref(%p), %p) }',
      'def @generic[A](%p: A) -> ref(A) { ref(%p) }',
    ]);
    expect(after(cheapest, m)[0]).toMatch(/\((%\d+), (?!\1)%\d+, %x\)$/);
  });

  it('leaves what an opaque function shares with its surroundings as it is', () => {
    const m = program(
      '%h:(fn(float32)->float32) %x:float32',
      '%0 = %h(%x); let %a = %h(2f); %1 = fn (%u: float32, SkipOptimization=1) { %0 }; (%0, 0f + %a, %1)',
    );
    expect(after(cheapest, m)[0]).toMatch(/%0 = %h\(%x\).*\(%0, %a, %1\)/);
  });

  it('goes round the blocks of what an outer block computes', () => {
    const m = program(
      '%x %y',
      '%0 = exp(%y); %1 = if (True) { %x } else { sqrt(%0) }; let %a = fn [A](%u: A) { negative(%1) }(test.effect(%1)); %0',
    );
    expect(after(cheapest, m)[0]).toMatch(/negative\(%x\).*exp\(%y\)/);
  });

  it('puts bodies in the places of calls in every branch', () => {
    const m = program('%c:bool %x %y', 'if (%c) { @used(%x) } else { @used(%y) }', [
      'def @used(%p: Tensor[(2, 3), float32]) { let %unused = exp(%p); sqrt(%p) }',
    ]);
    expect(after(cheapest, m)[0]).toBe('if (%c) { sqrt(%x) } else { sqrt(%y) }');
  });

  it.each([
    // A function inside would compute the argument at each of its calls.
    [
      '@later(exp(%x))',
      'let %p1: Tensor[(2, 3), float32] = exp(%x); fn (%u1: float32) -> Tensor[(2, 3), float32] { multiply(%p1, %u1) }',
    ],
    ['@later(%x)', 'fn (%u1: float32) -> Tensor[(2, 3), float32] { multiply(%x, %u1) }'],
  ])('computes an argument once before a function inside: %s', (body, expected) => {
    const m = program('%x', body, [
      'def @later(%p: Tensor[(2, 3), float32]) { fn (%u: float32) { %p * %u } }',
    ]);
    expect(after(cheapest, m)[0]).toBe(expected);
  });

  it('keeps a name that alone decides the type of its value', () => {
    const m = program(
      '%x',
      'let %l: List[float32] = Nil; match (%l) { Nil => { 1f * %x }, Cons(_, _) => { %x } }',
      ['type List[A] { Cons(A, List[A]), Nil }'],
    );
    expect(after(cheapest, m)[0]).toMatch(/^let %l: List\[float32\] = Nil; match \(%l\)/);
  });

  it('lets a type parameter check no sizes', () => {
    const m = program(
      '%c:bool %x:Tensor[(1,1),float32] %y:Tensor[(1,?),float32]',
      '%0 = fn [A](%c: bool, %x: A, %y: A) -> A { if (%c) { %x } else { %y } }; 0f + %0(%c, %x, %y)',
    );
    expect(after(cheapest, m)[0]).toMatch(/^%0 = fn \[A\].*%0\(%c, %x, %y\)$/);
  });

  it('copies a body for each call, with variables of its own, and few into each other', () => {
    const step = (i: number): string =>
      `def @f${i}(%p: float32) -> float32 { let %a = test.effect(%p); @f${i + 1}(%a) }`;
    const steps = Array.from({ length: 12 }, (_, i) => step(i));
    const m = program('%x:float32', '(@f10(%x), @f10(%x), @f0(%x))', [
      ...steps,
      'def @f12(%p: float32) -> float32 { %p }',
    ]);
    const [made] = after(cheapest, m);
    expect(made.match(/test\.effect/g)).toHaveLength(2 + 2 + 8);
    expect(made).toContain('@f8(');
    expect(made).not.toContain('@f10(');
  });

  it('tells rules for several operators apart', () => {
    const same = rule('op(x, x)', '?op(?x, ?x)', '?x', {
      operators: { op: (_, name) => name === 'maximum' || name === 'minimum' },
    });
    const [made, counts] = after(saturate(same), program('%x', 'maximum(%x, minimum(%x, %x))'));
    expect([made, counts['op(x, x)']]).toEqual(['%x', 2]);
  });

  it.each([
    // Once for each order of the two.
    [false, 2],
    [true, 1],
  ])('replaces several expressions together; symmetric: %s', (symmetric, uses) => {
    const merge = rule(
      'merge products',
      ['nn.dense(?x, ?a, attrs=?d)', 'nn.dense(?x, ?b, attrs=?d)'],
      [
        'split(nn.dense(?x, concatenate((?a, ?b))), indices_or_sections=?n, axis=-1).0',
        'split(nn.dense(?x, concatenate((?a, ?b))), indices_or_sections=?n, axis=-1).1',
      ],
      { let: { n: ({ a }) => [Number(a.dims?.[0])] }, orient: 'canonical', symmetric },
    );
    const products: NodeCost = (node) => (isCallOf(node, 'nn.dense') ? 1 : 0);
    const m = program(
      '%x %a:Tensor[(4,3),float32] %b:Tensor[(5,3),float32]',
      '(nn.dense(%x, %a), nn.dense(%x, %b))',
    );
    const [made, counts] = after(saturate(merge, { cost: products }), m);
    expect(made.match(/nn.dense/g)).toHaveLength(1);
    expect(counts['merge products']).toBe(uses);
  });

  it('runs the phases of its rules one after the other', () => {
    const prices: Readonly<Record<string, number>> = { exp: 3, sqrt: 2, log: 1 };
    const cost: NodeCost = (node) => (isOpCall(node) ? (prices[node.op.name] ?? 0) : 0);
    const phases = [
      rulePhase('roots', rule('exp to sqrt', 'exp(?x)', 'sqrt(?x)')),
      rulePhase('logarithms', rule('sqrt to log', 'sqrt(?x)', 'log(?x)')),
    ];
    const m = program('%x', 'exp(%x)');
    expect(after(saturate(phases, { cost }), m)[0]).toBe('log(%x)');
    expect(after(saturate(phases.toReversed(), { cost }), m)[0]).toBe('sqrt(%x)');
  });

  it.each([
    ['a product together with its sum', '%0 + %b', 'add'],
    ['a product that others use as a value', '(%0 + %b, exp(%0))', 'subtract'],
  ])('prices %s', (_title, body, expected) => {
    // A sum that sees its product costs less than a difference, and one that sees a value costs more.
    const cost: NodeCost = (node) => {
      if (isCallOf(node, 'add')) return node.args.some((e) => e._tag === 'Call') ? 1 : 5;
      return isCallOf(node, 'subtract') ? 3 : 10;
    };
    const turned = rule('sum as a difference', '?x + ?y', '?x - ?y', { orient: 'both' });
    const types = '%x %w %b:Tensor[(2),float32]';
    const m = program(types, `%0 = nn.dense(%x, %w); ${body}`);
    expect(after(saturate(turned, { cost }), m)[0]).toContain(expected);
  });

  it('makes kernels with a name', () => {
    const relu = rule('relu', 'maximum(?x, 0)', 'maximum(?x, 0)', {
      as: 'relu',
      orient: 'canonical',
    });
    const m = program('%x', 'maximum(%x + 1f, 0f)');
    const made =
      '%0 = add(%x, 1f); %1 = fn (%x1: Tensor[(2, 3), float32], Primitive=1, Composite="relu") ' +
      '{ maximum(%x1, 0f) }; %1(%0)';
    expect(after(greedy(relu), m)[0]).toBe(made);
    const [kept, counts] = after(cheapest, orThrow(runPass(greedy(relu))(m)).module);
    expect([kept, counts['kept: no block is cheaper']]).toEqual([made, 1]);
  });

  it('takes out the cheapest program where the search for it ends', () => {
    // Each sum is as cheap as its product form, but only products share %x * %y.
    const body = '(%x * %y + %x * %z, %x * %y + %w * %y, %x * %y)';
    const m = program('%x %y %z %w', body);
    const costs = (['greedy', 'exact'] as const).map((extract) => {
      const { module } = orThrow(runPass(saturate(rules, { cost: operatorCount, extract }))(m));
      return postOrderExprs([...module.functions.values()]).filter((e) => e._tag === 'Call').length;
    });
    expect(costs[1]).toBeLessThanOrEqual(costs[0] as number);
    expect(costs[1]).toBe(5);
    const wrong = runPass(saturate(rules, { extract: 'best' as 'exact' }))(m);
    expect(wrong).toMatchObject({ left: [{ code: 'OPTION_TYPE' }] });
  });

  it('uses a rule whose operators only another rule makes', () => {
    const chain = [
      rule('step 3', 'sigmoid(?x)', 'sqrt(?x)'),
      rule('step 2', 'tanh(?x)', 'sigmoid(?x)'),
      rule('step 1', 'exp(?x)', 'tanh(?x)'),
    ];
    const roots: NodeCost = (node) => (isCallOf(node, 'sqrt') ? 1 : 2);
    expect(after(saturate(chain, { cost: roots }), program('%x', 'exp(%x)'))[0]).toBe('sqrt(%x)');
  });

  it('uses a rule for what another one computes', () => {
    const ops = standardOps;
    const chain = [
      rule('step 1', 'exp(?x)', '?y', { let: { y: ({ x }) => callOp(ops, 'tanh', [x.expr]) } }),
      rule('step 2', 'tanh(?x)', 'sqrt(?x)'),
    ];
    const roots: NodeCost = (node) => (isCallOf(node, 'sqrt') ? 1 : 2);
    expect(after(saturate(chain, { cost: roots }), program('%x', 'exp(%x)'))[0]).toBe('sqrt(%x)');
  });

  it('copies no more bodies for a chain of functions that is twice as long', () => {
    const definition = (_: unknown, i: number): string =>
      `def @f${i}(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {
        if (greater(sum(%x), ${i}f)) { ${i === 0 ? 'exp(%x)' : `@f${i - 1}(%x * 2f)`} } else { %x + ${i}f }
      }`;
    const copied = (length: number): number | undefined => {
      const text = Array.from({ length }, definition).join('\n');
      const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
      return after(cheapest, m)[1]['body of a called function'];
    };
    const few = copied(25);
    expect(few).toBeGreaterThan(0);
    expect(copied(50)).toBe(few);
  });

  const long = Array.from('abcdefghij', (name) => `%${name}`);
  it.each([
    ['stopped: node limit', { schedule: 'simple', nodeLimit: 500 }],
    ['stopped: iteration limit', { schedule: 'simple', iterationLimit: 2 }],
    ['stopped: rules match too often', { schedule: { matchLimit: 50 } }],
    ['stopped: rules match too often', {}],
  ] as const)('says that it %s', (row, options) => {
    const m = program(long.join(' '), long.join(' + '));
    const [, counts] = after(saturate(rules, options), m);
    expect(counts[row]).toBe(1);
  });

  it('schedules alike each time, and refuses what is no schedule', () => {
    const m = program('%a %b %c %d', '(%a + %b + %c + %d) * 1f');
    const pass = saturate(rules, { schedule: { matchLimit: 10, banLength: 2 } });
    expect(after(pass, m)).toEqual(after(pass, m));
    const wrong = saturate(rules, { schedule: { matchLimit: 'few' } as unknown as 'simple' });
    expect(runPass(wrong)(m)).toMatchObject({ left: [{ code: 'OPTION_TYPE' }] });
  });

  it('computes calls of an operator that was a value, which have no attributes yet', () => {
    const text = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 1, 1, 1), float32]) {
  let %conv = nn.conv2d;
  let %k = fn (%y: Tensor[(3, 1, 1, 1), float32], %w: Tensor[(2, 1, 1, 1), float32]) {
    nn.conv2d(%y, %w)
  };
  let %c = meta[relay.Constant][0];
  let %d = meta[relay.Constant][1];
  (nn.conv2d(%c, %x), %k(%c, %d), %conv(%c, %d))
}
#[metadata]
{"relay.Constant": [
{"dtype":"float32","shape":[3,1,1,1],"data":[2,1,1]},
{"dtype":"float32","shape":[2,1,1,1],"data":[2,1]}
]}`;
    const m = orThrow(parseModule(text, { ops: standardOps }));
    expect(after(saturate(parallels), m)[0]).toContain('(%0, meta[relay.Constant]');
  });
});
