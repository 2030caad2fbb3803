/** Loops on a host that makes no code from strings. */
import { afterEach, expect, it, vi } from 'vitest';
import { makeLoops } from '../src/kernels/loops.ts';
import { math, x, y } from '../src/scalar/expr.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const plus = math.add(x, y);

it('are the shared ones, and the host is asked once', () => {
  let asked = 0;
  vi.stubGlobal(
    'Function',
    class {
      constructor() {
        asked++;
        throw new EvalError('code generation from strings is not allowed');
      }
    },
  );
  const loops = makeLoops();
  const data = Float32Array.of(1, 2, 3, 4, 5);
  for (const expr of [plus, math.neg(x)]) {
    const out = new Float32Array(2);
    loops.mapLoop(expr, 'float32', [data, data], [2, 1], out)(
      [data, data],
      [0, 1],
      [2, 1],
      2,
      out,
      0,
    );
    expect(out).toEqual(expr === plus ? Float32Array.of(3, 6) : Float32Array.of(-1, -3));
  }
  const { foldLoop } = loops;
  expect(foldLoop(plus, 'float32', data)(10, data, 4, 3, -2)).toBe(19);
  expect(asked).toBe(1);
});
