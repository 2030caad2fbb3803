import { orThrow, type Result, type Rule, rule, why } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { program } from './support.ts';

const halves = rule('x / c', '?x / ?c', '?x * 0.5', {
  when: ({ c }) => c.constant?.data[0] === 2,
});
const square = rule('square', 'sqrt(?x * ?x)', 'abs(?x)');
const last = rule('last', 'nn.softmax(?x, axis=-1)', '?x');
const zero = rule('x + 0', '?x + 0', '?x');
const twice = rule('twice', 'transpose(?x, axes=?a)', 'transpose(?x, axes=?b)', {
  let: { b: () => undefined },
});
const scales = rule('(x * c) * c', '(?x * 1e30) * 1e30', '?x * (1e30 * 1e30)');
const roots = rule('n / sqrt(x)', '?n / sqrt(?x)', '?n * rsqrt(?x)');
const turned = rule('turned', '?x - ?y', 'negative(?y - ?x)', { orient: 'both' });
const products = rule(
  'products',
  ['nn.dense(?x, ?a)', 'nn.dense(?x, ?b)'],
  ['nn.dense(?x, ?a)', 'nn.dense(?x, ?b)'],
);

const dropped = rule('dropped', 'nn.dropout(negative(?x)).0', 'negative(?x)');
const pair = rule('pair', '(exp(?x), negative(?x))', '(?x, ?x)');

const textOf = (given: Result<Rule>, params: string, body: string): string =>
  orThrow(why(given, program(params, body))).text;

describe('why a rule is used or not', () => {
  it.each([
    [zero, '%x', '%x + 0f', 'x + 0, at a call of add, 3 of 3 parts fit: it is used'],
    [
      square,
      '%x %y',
      'sqrt(%x + %y)',
      'square, at a call of sqrt, 1 of 4 parts fit: expected a call of multiply, found a call of add',
    ],
    [
      square,
      '%x %y',
      'sqrt(%x * %y)',
      'square, at a call of sqrt, 3 of 4 parts fit: ?x stands for another expression already, ' +
        'found %y: Tensor[(2, 3), float32]',
    ],
    [
      dropped,
      '%x',
      'nn.dropout(exp(%x)).0',
      'dropped, at a TupleGetItem, 2 of 4 parts fit: expected a call of negative, found a call of exp',
    ],
    [
      dropped,
      '%x',
      '(%x, exp(%x)).0',
      'dropped, at a TupleGetItem, 1 of 4 parts fit: expected a call of nn.dropout, found a Tuple',
    ],
    [
      pair,
      '%x',
      '(exp(%x), exp(%x))',
      'pair, at a Tuple, 3 of 5 parts fit: expected a call of negative, found a call of exp',
    ],
    [
      last,
      '%x',
      'nn.softmax(%x, axis=0)',
      'last, at a call of nn.softmax, 0 of 2 parts fit: nn.softmax has axis=0, which does not fit',
    ],
    [
      zero,
      '%x',
      '%x + 1f',
      'x + 0, at a call of add, 2 of 3 parts fit: expected 0, found a constant float32()',
    ],
  ])('%#: the part that does not fit', (given, params, body, text) => {
    expect(textOf(given, params, body)).toBe(text);
  });

  it.each([
    [halves, '%x', '%x / 3f', 'condition 1: ({ c })'],
    [twice, '%x', 'transpose(%x)', '?b cannot be computed: () => undefined'],
    [scales, '%x', '(%x * 1e30f) * 1e30f', 'range: a constant'],
    [
      zero,
      '%x:Tensor[(3),float32]',
      'add(%x, Constant(0, (2, 3), float32))',
      'type: Tensor[(3), float32] in place of Tensor[(2, 3), float32]',
    ],
    [zero, '%x:ref(float32)', 'ref_read(%x) + 0f', 'it is used'],
    [roots, '%x %y', '%0 = sqrt(%x); (%y / %0, %0)', 'cost: it makes 2 and frees 1'],
    [turned, '%x %y', '%x - %y', 'it applies; only saturate uses it'],
    [products, '%x %y', 'nn.dense(%x, %y)', 'each left side matches by itself'],
  ])('%#: the guard that refuses', (given, params, body, text) => {
    expect(textOf(given, params, body)).toContain(text);
  });

  it('looks for the place where the rule comes furthest, or at the one that is asked about', () => {
    const m = program('%x', 'sqrt(sqrt(%x * %x))');
    expect(orThrow(why(square, m)).isUsed).toBe(true);
    const body = m.functions.get('main')?.body;
    const outer = orThrow(why(square, m, body === undefined ? {} : { at: body }));
    expect(outer).toMatchObject({ isUsed: false, fits: 1, parts: 4, root: body });
    expect(outer.stopped).not.toBe(body);
  });

  it('tells the errors of the rule, and of its operators', () => {
    const m = program('%x', '%x');
    for (const wrong of [rule('r', '?x', '?x'), rule('r', 'nosuch(?x)', '?x')]) {
      expect(why(wrong, m)._tag).toBe('Left');
    }
  });
});
