/** Fractions of polynomials decide equations of real numbers. */
import { expect, test } from 'vitest';
import { isSameFraction } from '../src/rational.ts';
import { makeTerms, type Term } from '../src/terms.ts';

const terms = makeTerms();
const x = terms.symbol('x', 'float32');
const y = terms.symbol('y', 'float32');
const one = terms.number(1, 'float32');
const of = (kind: 'add' | 'div' | 'mul' | 'sqrt' | 'sub', ...args: ReadonlyArray<Term>): Term =>
  terms.node(kind, 'float32', args);

const CASES: ReadonlyArray<readonly [string, Term, Term, boolean]> = [
  [
    'products of sums',
    of('mul', x, of('add', x, y)),
    of('add', of('mul', x, x), of('mul', y, x)),
    true,
  ],
  ['quotients', of('div', x, of('div', y, x)), of('div', of('mul', x, x), of('mul', y, x)), false],
  [
    'sums of quotients',
    of('add', of('div', x, y), of('div', one, y)),
    of('div', of('add', x, one), y),
    true,
  ],
  [
    'functions',
    of('mul', of('sqrt', of('add', x, y)), x),
    of('mul', x, of('sqrt', of('add', y, x))),
    true,
  ],
  ['other terms', of('add', x, y), of('sub', x, y), false],
  ['a division more', x, of('div', of('mul', x, y), y), false],
  ['a division less', of('div', of('mul', x, y), y), x, true],
  ['a root more', x, of('add', x, of('sub', of('sqrt', y), of('sqrt', y))), false],
];

test.each(CASES)('%s', (_, left, right, areSame) => {
  expect(isSameFraction(left, right)).toBe(areSame);
});
