import { orThrow } from '@baton/base';
import { interpreter, oracle } from '@baton/executor';
import { tensor } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { codes, evaluate, parse, run } from './support.ts';

const loop = parse('def @main(%n: int32) -> int32 { if (%n == 0) { 0 } else { @main(%n - 1) } }');
const forever = parse('def @main(%n: int32) -> int32 { @main(%n) }');

describe.each([interpreter, oracle])('a run on $name', (executor) => {
  it('ends with a diagnostic when its fuel is used up, and not before', () => {
    // Each round takes a comparison, a subtraction and a call; the last one only the comparison.
    expect(run(loop, [100], { executor, fuel: 301 })).toBe(0);
    const result = evaluate(loop, [100], { executor, fuel: 300 });
    expect(codes(result)).toEqual(['EXEC_OUT_OF_FUEL']);
    expect(result._tag === 'Left' && result.left[0].span).toMatchObject({ line: 2 });
  });

  it('O.11 ends before an operator whose result takes too many bytes', () => {
    const doublings = Array.from(
      { length: 60 },
      (_, i) => `let %x${i + 1} = concatenate((%x${i}, %x${i}), axis=0);`,
    );
    const m = parse(`def @main(%x0: Tensor[(?), float32]) { ${doublings.join(' ')} %x60 }`);
    const result = evaluate(m, [tensor([1, 2], [2], 'float32')], { executor, maxBytes: 2 ** 16 });
    expect(codes(result)).toEqual(['OP_MEMORY']);
    const [first] = result._tag === 'Left' ? result.left : [];
    expect(first?.message).toBe(
      '`concatenate`: expected a result of at most 65536 bytes, found 131072',
    );
    expect(first?.hint).toContain('maxBytes');
    expect(first?.span).toBeDefined();
  });

  it('counts calls that wait, and no computation of a shared value on demand', () => {
    const m = parse(`
      def @helper(%x: int32) -> int32 { %x + 1 }
      def @main(%x: int32, %c: bool) {
        %0 = @helper(%x);
        %1 = if (%c) { %0 } else { 2 };
        %1 + %0
      }`);
    expect(run(m, [1, true], { executor, maxDepth: 1 })).toBe(4);
    expect(codes(evaluate(m, [1, true], { executor, maxDepth: 0 }))).toEqual(['EXEC_TOO_DEEP']);
  });

  it('refuses scalars beyond its limit of bytes, also if another run allowed them', () => {
    const prepared = orThrow(executor.prepare(loop));
    expect(codes(prepared.run([2], { maxBytes: 8 }))).toEqual([]);
    expect(codes(prepared.run([2], { maxBytes: 0 }))).toEqual(['OP_MEMORY']);
  });

  it('that never ends is ended by its fuel', () => {
    expect(codes(evaluate(forever, [1], { executor, fuel: 100_000 }))).toEqual([
      'EXEC_OUT_OF_FUEL',
    ]);
  });

  it('asks its host now and then, and stops when told', () => {
    let asked = 0;
    const shouldStop = (): boolean => {
      asked += 1;
      return asked === 5;
    };
    expect(codes(evaluate(forever, [1], { executor, shouldStop }))).toEqual(['EXEC_STOPPED']);
    expect(asked).toBe(5);
  });

  it('gives the same value, watched or not', () => {
    expect(run(loop, [5000], { executor, shouldStop: () => false, fuel: 1_000_000 })).toBe(0);
  });
});
