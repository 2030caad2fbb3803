/** Runs code on vectors of floats. */
import { type FunctionBuilder, makeModule, type Value, v128 } from '../src/emit/index.ts';
import { simdLevel } from '../src/level.ts';
import { hostWebAssembly } from '../src/web-assembly.ts';

type Host = NonNullable<ReturnType<typeof hostWebAssembly>>;
type Vector = Value<'v128'>;

const host = hostWebAssembly() as Host;

/** The results of a function of one or more floats, on the highest level that the host has. */
export function resultsOf(
  f: (operands: ReadonlyArray<Vector>, b: FunctionBuilder) => Vector,
  lists: ReadonlyArray<Float32Array>,
): Float32Array {
  const room = 16 * Math.ceil(Math.max(...lists.map(({ length }) => length)) / 4);
  const module = makeModule({ isFused: simdLevel() === 'relaxed' });
  module.importMemory('env', 'memory', { minimum: 1 });
  const run = module.procedure([], (b) => {
    b.for(0, room, 16, (at) => {
      const operands = lists.map((_, i) => v128.load(at, i * room));
      b.do(v128.store(at, f(operands, b)));
    });
  });
  module.exportFunction('run', run);
  const memory = new host.Memory({ initial: Math.ceil((lists.length * room) / 65_536) });
  for (const [i, list] of lists.entries()) new Float32Array(memory.buffer, i * room).set(list);
  const { exports } = new host.Instance(new host.Module(module.finish()), { env: { memory } });
  exports.run?.();
  return new Float32Array(memory.buffer).slice(0, lists[0]?.length);
}

/** The distance of neighbouring floats at a number. */
export const unitAt = (value: number): number =>
  2 ** Math.max(Math.floor(Math.log2(Math.abs(value))) - 23, -149);

/** The largest error of floats in units in the last place of exact values. */
export const largestError = (found: Float32Array, exact: (at: number) => number): number =>
  found.reduce((most, value, i) => {
    const wanted = exact(i);
    if (Object.is(value, Math.fround(wanted))) return most;
    return Math.max(most, Math.abs(value - wanted) / unitAt(wanted));
  }, 0);
