import { passStatistics, runPass } from '@baton/pass-manager';
import { arithmetic, casts, greedy, movement, orThrow, rule } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

const shipped = greedy([arithmetic, movement, casts]);

describe('the greedy engine', () => {
  it.each([
    ['0f + (1f * %x)', '%x'],
    ['(%x + 2f) + 3f', 'add(%x, 5f)'],
    ['(2f * %x) * 3f', 'multiply(%x, 6f)'],
    ['(%x + 2f) * 3f', '%0 = multiply(%x, 3f); add(%0, 6f)'],
    ['((%x * 2f) + 3f) * 4f', '%0 = multiply(%x, 8f); add(%0, 12f)'],
    ['%x / sqrt(%x)', '%0 = rsqrt(%x); multiply(%x, %0)'],
    ['transpose(transpose(%x))', '%x'],
    ['transpose(transpose(%x, axes=[1, 0]), axes=[-1, 0])', '%x'],
    ['reshape(reshape(%x, newshape=[6]), newshape=[3, -1])', 'reshape(%x, newshape=[3, 2])'],
    ['cast(%x, dtype="float32")', '%x'],
    ['cast(%x, dtype="int32")', 'cast(%x, dtype="int32")'],
  ])('%s', (body, expected) => {
    const [made] = after(shipped, program('%x', body));
    expect(made).toBe(expected);
  });

  it('takes unknown sizes for no equal ones', () => {
    const m = program('%x:Tensor[(?,?),float32]', 'reshape(%x, newshape=[-1, 2])');
    expect(after(shipped, m)[1]).toEqual({ 'reshape to the same: refused, condition': 1 });
  });

  it('refuses a step to another type, and says so', () => {
    const m = program('%x:Tensor[(3),float32]', 'add(%x, Constant(0, (2, 3), float32))');
    const { module } = orThrow(runPass(shipped)(m));
    expect(after(shipped, m)[1]).toEqual({ 'x + 0: refused, type': 1 });
    expect(module.functions.get('main')?.body).toBeDefined();
  });

  it('leaves what others use, if a step would compute it again', () => {
    const m = program('%x %y', '%0 = sqrt(%x); (%y / %0, %0)');
    const both = greedy(rule('n / sqrt(x)', '?n / sqrt(?x)', '?n * rsqrt(?x)'));
    expect(after(both, m)[1]).toEqual({ 'n / sqrt(x): refused, cost': 1 });
  });

  it('counts a call of constants as nothing, since it is computed before', () => {
    const m = program('%x', 'nn.dense(%x, Constant(1, (9000, 3), float32)) * 3f');
    const scaled = greedy(rule('scale of dense', 'nn.dense(?x, ?w) * 3', 'nn.dense(?x, ?w * 3)'));
    expect(after(scaled, m)[1]).toEqual({ 'scale of dense': 1 });
  });

  it('computes no constant that overflows', () => {
    const m = program('%x', '(%x * 1e30f) * 1e30f');
    expect(after(shipped, m)[1]).toEqual({ '(x * c) * c: refused, range': 1 });
  });

  it('tells how long its rules took, and how much of that constants', () => {
    let time = 0;
    const now = (): number => time++;
    const m = program('%x', '(%x + 2f) + 3f');
    const rowMs = orThrow(runPass(shipped, { now })(m)).report.tree.at(-1)?.rowMs ?? {};
    expect(rowMs.constants).toBeGreaterThan(0);
    expect(rowMs['(x + c) + c']).toBeGreaterThan(rowMs.constants ?? 0);
  });

  it('drops nothing that others notice', () => {
    const zero = greedy(rule('x - x', '?x - ?x', '0'));
    const values = program('%x:float32', 'let %a = exp(%x); %a - %a');
    expect(after(zero, values)[0]).toContain('0f');
    const stateful = program('%x:ref(float32)', '%0 = ref_read(%x); %0 - %0');
    expect(after(zero, stateful)[1]).toEqual({ 'x - x: refused, effect': 1 });
    const twice = program('%x:ref(float32)', 'ref_read(%x) + ref_read(%x)');
    const doubled = greedy(rule('x + x', '?x + ?x', '?x * 2', { orient: 'canonical' }));
    expect(after(doubled, twice)[1]).toEqual({ 'x + x: refused, effect': 1 });
  });

  it('keeps the order of what others notice', () => {
    const turned = greedy(rule('x - -y', '?x - negative(?y)', '?y + ?x', { orient: 'canonical' }));
    const one = program('%x:ref(float32) %y:float32', 'ref_read(%x) - negative(%y)');
    expect(after(turned, one)[0]).toBe('%0 = ref_read(%x); add(%y, %0)');
    const two = program('%x:ref(float32)', 'ref_read(%x) - negative(ref_read(%x))');
    expect(after(turned, two)[1]).toEqual({ 'x - -y: refused, effect': 1 });
  });

  it('makes one step for all projections of a field', () => {
    const spelled = greedy(
      rule('dropout', 'nn.dropout(?x, attrs=?a).0', 'exp(log(?x))', { orient: 'canonical' }),
      { cost: () => 0 },
    );
    const m = program('%x', '%0 = nn.dropout(%x, rate=0.5); (%0.0, %0.0)');
    expect(after(spelled, m)).toEqual(['%0 = log(%x); %1 = exp(%0); (%1, %1)', { dropout: 1 }]);
  });

  it('replaces only what is chosen, and leaves out rules about unknown operators', () => {
    const [made] = after(
      greedy(rule('x * 1', '?x * 1', '?x'), { where: () => () => false }),
      program('%x', '%x * 1f'),
    );
    expect(made).toBe('multiply(%x, 1f)');
    const unknown = greedy(rule('r', 'nosuch(?x)', '?x'), { skipUnknown: true });
    expect(after(unknown, program('%x', '%x'))[0]).toBe('%x');
  });

  it('takes a hole for any operator that is meant', () => {
    const inside = greedy(
      rule('op(-x, -y)', '?op(negative(?x), negative(?y))', 'negative(?op(?x, ?y))', {
        operators: { op: (_, name) => name === 'add' || name === 'subtract' },
        when: ({ op }) => op !== 'divide',
      }),
    );
    const m = program('%x %y', 'negative(%x) - negative(%y) + negative(%y)');
    expect(after(inside, m)[0]).toBe('%0 = subtract(%x, %y); %1 = add(%0, %y); negative(%1)');
  });

  it('ends though rules undo each other', () => {
    const undone = greedy([
      rule('there', '?x + ?y', '?y - negative(?x)', { orient: 'canonical' }),
      rule('back', '?x - negative(?y)', '?x + ?y', { orient: 'canonical' }),
    ]);
    expect(orThrow(runPass(undone)(program('%x %y', '%x + %y'))).report).toBeDefined();
  });

  it('returns the same module if nothing matches', () => {
    const m = orThrow(runPass(shipped)(program('%x', 'sqrt(%x)'))).module;
    expect(orThrow(runPass(shipped)(m)).module).toBe(m);
  });

  it('ends where rules undo each other at a node', () => {
    const there = rule('there', 'sin(?x)', 'cos(?x)', { orient: 'canonical' });
    const back = rule('back', 'cos(?x)', 'sin(?x)', { orient: 'canonical' });
    const { report } = orThrow(
      runPass(greedy([there, back], { roundLimit: 5 }))(program('%x', 'sin(%x)')),
    );
    expect(passStatistics(report).get('Greedy')).toMatchObject({ 'stopped: round limit': 1 });
  });
});
