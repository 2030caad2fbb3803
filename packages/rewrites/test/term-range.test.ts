import { describe, expect, it } from 'vitest';
import { matchedValueOf } from '../src/rule/matched-value.ts';
import { program } from './support.ts';

const rangeOf = (type: string, body: string): unknown => {
  const m = program(`%x:Tensor[(2),${type}]`, body);
  return matchedValueOf(m, m.functions.get('main')?.body ?? expect.fail('main')).range;
};

describe('the range of a term', () => {
  it.each([
    ['int8', '%x', [-128, 127]],
    ['uint8', '%x', [0, 255]],
    ['float32', '%x', undefined],
    ['float32', 'clip(%x, a_min=-1.0, a_max=6.0)', [-1, 6]],
    ['float32', 'clip(%x, a_min=0.1, a_max=6.0)', [Math.fround(0.1), 6]],
    ['float16', 'clip(%x, a_min=0.1, a_max=6.0)', [0.0999755859375, 6]],
    ['int8', 'clip(%x, a_min=-5.0, a_max=6.0)', [-5, 6]],
    ['int8', 'clip(%x, a_min=-1000.0, a_max=1000.0)', [-128, 127]],
    ['uint8', 'clip(%x, a_min=-5.0, a_max=300.0)', [0, 255]],
    ['int32', 'clip(%x, a_min=-1.5, a_max=6.5)', [-2, 7]],
    ['float32', 'nn.relu(%x)', [0, Infinity]],
    ['int32', 'nn.relu(%x)', [0, 2 ** 31 - 1]],
  ])('of %s: %s', (type, body, range) => {
    expect(rangeOf(type, body)?.toString()).toEqual(range?.toString());
  });
});
