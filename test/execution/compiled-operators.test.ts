/**
 * Which operators have compiled code: for each, how many of its random calls in float32 run without a
 * reference kernel. The text file next to this one lists what users read in warnings.
 */
import { standardOps } from '@baton/ops';
import { callsOf } from '@baton/testing';
import { compiledFacts } from '@baton/wasm';
import { expect, it } from 'vitest';
import { expectFile } from '../blessed.ts';

const SEED = 38_500;
const CALLS = 4;

/** The random calls of an operator, and those without a reference kernel. */
function counted(name: string): { readonly calls: number; readonly compiled: number } {
  let [calls, compiled] = [0, 0];
  for (let i = 0; i < CALLS; i++) {
    const m = callsOf(standardOps, name, [SEED + i], 'float32');
    if (m === undefined) continue;
    calls += 1;
    const kernels = compiledFacts(m, { level: 'simd' })?.kernels;
    if (kernels?.every(({ isCompiled }) => isCompiled)) compiled += 1;
  }
  return { calls, compiled };
}

it('operators have the code that is stated', () => {
  const all = standardOps.names.map((name) => ({ name, ...counted(name) }));
  const known = all.filter(({ calls }) => calls > 0);
  const named = (list: typeof known): string => list.map(({ name }) => `${name}\n`).join('');
  const whole = known.filter(({ calls, compiled }) => compiled === calls);
  const none = known.filter(({ compiled }) => compiled === 0);
  const part = known.filter((one) => !whole.includes(one) && !none.includes(one));
  const parts = part.map(({ name, calls, compiled }) => `${name} ${compiled}/${calls}\n`).join('');
  const text = `# All calls are compiled\n${named(whole)}\n# Some calls are\n${parts}\n# The interpreter's kernel runs\n${named(none)}`;
  expectFile(new URL('compiled-operators.txt', import.meta.url), text);
  expect(whole.length).toBeGreaterThan(140);
});
