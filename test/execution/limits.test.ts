import { evaluate } from '@baton/executor';
import { describe, expect, it } from 'vitest';
import { codes, parse, run } from './support.ts';

const loop = parse('def @main(%n: int32) -> int32 { if (%n == 0) { 0 } else { @main(%n - 1) } }');
const forever = parse('def @main(%n: int32) -> int32 { @main(%n) }');

describe('a run', () => {
  it('ends with a diagnostic when its fuel is used up, and not before', () => {
    // Each round takes a comparison, a subtraction and a call; the last one the comparison only.
    expect(run(loop, [100], { fuel: 301 })).toBe(0);
    const result = evaluate(loop, [100], { fuel: 300 });
    expect(codes(result)).toEqual(['EXEC_OUT_OF_FUEL']);
    expect(result._tag === 'Left' && result.left[0].span).toMatchObject({ line: 2 });
  });

  it('that never ends is ended by its fuel', () => {
    expect(codes(evaluate(forever, [1], { fuel: 100_000 }))).toEqual(['EXEC_OUT_OF_FUEL']);
  });

  it('asks its host now and then, and stops when told', () => {
    let asked = 0;
    const shouldStop = (): boolean => {
      asked += 1;
      return asked === 5;
    };
    expect(codes(evaluate(forever, [1], { shouldStop }))).toEqual(['EXEC_STOPPED']);
    expect(asked).toBe(5);
  });

  it('gives the same value, watched or not', () => {
    expect(run(loop, [5000], { shouldStop: () => false, fuel: 1_000_000 })).toBe(0);
  });
});
