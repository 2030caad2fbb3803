import { castNumber, DTYPES, isFloat, STORAGE_DTYPES, spacingOf } from '@baton/tensor';
import { describe, expect, it } from 'vitest';

describe('the spacing of floats', () => {
  const types = ['float16', 'bfloat16', 'float32', 'float64'] as const;

  it.each(types)('%s has the numbers that it says, and none between', (dtype) => {
    const { epsilon, leastNormal, least } = spacingOf(dtype);
    const kept = (value: number) => castNumber(value, dtype) === value;
    expect(kept(1 + epsilon)).toBe(true);
    expect(castNumber(1 + epsilon / 2, dtype)).toBe(1);
    const next = leastNormal * (1 + epsilon);
    expect(kept(next)).toBe(true);
    // Below the least normal number the last digit is lost.
    expect(2 * castNumber(next / 2, dtype)).not.toBe(next);
    expect([kept(least), castNumber(least / 2, dtype)]).toEqual([true, 0]);
  });

  it('is that of types in which programs compute', () => {
    const others = [...DTYPES, ...STORAGE_DTYPES].filter((dtype) => spacingOf(dtype) === undefined);
    expect(others).toEqual([...DTYPES.filter((dtype) => !isFloat(dtype)), ...STORAGE_DTYPES]);
  });
});
