/** A number of a pattern matches a constant all of whose elements are this number, of any type. */
import { greedy, rule } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

const zero = rule('x + 0', '?x + 0', '?x', { needs: ['nsz'] });
const half = rule('x * 0.5', '?x * 0.5', '?x', { orient: 'canonical' });
const largest = rule('x + 2^53', '?x + 9007199254740992', '?x');

describe('a number', () => {
  it.each([
    [zero, 'int64', '0i64', true],
    [zero, 'int64', '5i64', false],
    [zero, 'uint64', '5u64', false],
    [zero, 'int64', '-1i64', false],
    [zero, 'int32', '0', true],
    [zero, 'int32', '5', false],
    [zero, 'int8', '1i8', false],
    [zero, 'float32', '0f', true],
    [zero, 'float32', '1e-30f', false],
    [zero, 'float64', '0f64', true],
    [half, 'int64', '0i64', false],
    [half, 'int64', '1i64', false],
    [half, 'float32', '0.5f', true],
    [half, 'float16', '0.5f16', true],
    [largest, 'int64', '9007199254740993i64', false],
  ])('%#: matches in %s %s', (of, dtype, written, isMatched) => {
    const operator = of === half ? '*' : '+';
    const m = program(`%x:Tensor[(2),${dtype}]`, `%x ${operator} ${written}`);
    expect(after(greedy(of), m)[0] === '%x').toBe(isMatched);
  });
});
