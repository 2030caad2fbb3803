import { expect, it } from 'vitest';
import { answered } from '../src/guard.ts';

it('a fault in an answer is written to the log, and another answer is given', () => {
  const log: string[] = [];
  const fault = (): number => {
    throw new RangeError('too deep');
  };
  expect(answered('hover', fault, 7, (message) => log.push(message))).toBe(7);
  expect(log).toEqual([expect.stringContaining('hover: RangeError: too deep')]);
  expect(
    answered(
      'hover',
      () => 1,
      7,
      () => {},
    ),
  ).toBe(1);
});
