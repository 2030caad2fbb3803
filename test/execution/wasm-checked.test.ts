/** The checked build of compiled code: it finds faults, and does not change results. */

import { orThrow } from '@baton/base';
import { type Func, type IRModule, inferTypes } from '@baton/ir';
import { regionOf, type Window } from '@baton/lower';
import { standardOps } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { callsOf, inputsFor } from '@baton/testing';
import { type Compiled, hostWebAssembly, makeWasm, type WebAssemblyHost } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import { describe, expect, it } from 'vitest';
import { compileRegion } from '../../packages/wasm/src/compile.ts';
import { MEMORY } from '../../packages/wasm/src/crew.ts';
import { outcome, parse } from './support.ts';

const host = hostWebAssembly() as WebAssemblyHost;

const typed = (text: string): IRModule => orThrow(inferTypes(parse(text)));

function compiledMain(text: string): Compiled {
  const m = typed(text);
  const region = regionOf(m.functions.get('main') as Func, m);
  if (region === undefined) throw new Error('main is dataflow');
  return compileRegion(region, m, { level: 'simd', isExact: false });
}

/** The memory after a run of a region's code in a checked build, on arguments that are not written. */
function memoryAfter(
  compiled: Compiled,
  tasks = compiled.tasks,
  filledWith?: number,
): Float32Array {
  const { code, imports } = checked(compiled, compiled.code as Uint8Array<ArrayBuffer>);
  const memory = new host.Memory({ initial: 2 });
  const functions = imports(memory.buffer);
  if (filledWith !== undefined) new Uint8Array(memory.buffer).fill(filledWith);
  for (const { write } of compiled.placed) write(memory.buffer);
  const [from, name] = MEMORY;
  const { exports } = new host.Instance(new host.Module(code), {
    ...functions,
    [from]: { [name]: memory },
  });
  for (const task of tasks) if (task._tag === 'Run') exports[task.name]?.();
  return new Float32Array(memory.buffer);
}

const TEXT = 'def @main(%x: Tensor[(8, 9), float32]) { nn.softmax(negative(%x)) }';

/** The compiled program with other buffers for the first kernel's result. */
function withOut(change: (out: Window) => Window): Compiled {
  const compiled = compiledMain(TEXT);
  const { lowered } = compiled;
  const [first, ...others] = lowered.kernels;
  if (first?._tag !== 'Map') throw new Error('a negation is a loop nest');
  const out = change(first.out);
  return {
    ...compiled,
    lowered: {
      ...lowered,
      kernels: [{ ...first, out }, ...others],
    },
  };
}

describe('the checked build', () => {
  it('runs right code', () => {
    expect(() => memoryAfter(compiledMain(TEXT))).not.toThrow();
  });

  it('finds a store of elements of another type', () => {
    const wrong = withOut((out) => ({ ...out, dtype: 'bool' }));
    expect(() => memoryAfter(wrong)).toThrow('kernel 0 (Map) stores elements of 4 bytes');
    const wide = withOut((out) => ({ ...out, dtype: 'float64' }));
    expect(() => memoryAfter(wide)).toThrow('in a buffer of others');
  });

  it('finds loads and stores outside of the buffers of a kernel', () => {
    const compiled = compiledMain(TEXT);
    const { lowered, addressOf } = compiled;
    const [first] = lowered.kernels;
    if (first?._tag !== 'Map') throw new Error('a negation is a loop nest');
    for (const [name, window] of [
      ['stores', first.out],
      ['loads', lowered.params[0] as Window],
    ] as const) {
      const moved = window.buffer;
      const wrong = {
        ...compiled,
        addressOf: (buffer: number) => addressOf(buffer) + (buffer === moved ? 16 : 0),
      };
      expect(() => memoryAfter(wrong)).toThrow(`kernel 0 (Map) ${name} 16 bytes outside`);
    }
  });

  it('fills memory with NaN, so that a read of what was not written shows', () => {
    const compiled = compiledMain(TEXT);
    const { bytes, lowered, addressOf } = compiled;
    expect(
      memoryAfter(compiled, [])
        .slice(0, bytes / 4)
        .every(Number.isNaN),
    ).toBe(true);
    // The argument was not written.
    const at = addressOf((lowered.result as Window).buffer) / 4;
    expect(
      memoryAfter(compiled)
        .slice(at, at + 72)
        .every(Number.isNaN),
    ).toBe(true);
  });

  it('fills what a kernel writes first, and nothing that it reads', () => {
    const product = compiledMain(
      `def @main(%x: Tensor[(7, 5), float32], %w: Tensor[(5, 11), float32]) {
        let %a = nn.matmul(%x, %w); multiply(%a, add(%a, 1f)) }`,
    );
    const { lowered, addressOf } = product;
    // All memory holds zeros, as after an earlier run; a panel of the packed weight is not full.
    const numbers = memoryAfter(product, product.tasks, 0);
    const scratch = lowered.buffers.findIndex(({ dtype }) => dtype === 'uint8');
    const begin = addressOf(scratch) / 4;
    const end = begin + (lowered.buffers[scratch]?.bytes ?? 0) / 4;
    expect(numbers.slice(begin, end).some(Number.isNaN)).toBe(true);
    const at = addressOf((lowered.result as Window).buffer) / 4;
    expect(numbers.slice(at, at + 77).every((x) => x === 0)).toBe(true);
  });

  it('is an option of the executor, and names the error', () => {
    const m = typed(TEXT);
    const x = tensor(
      Float32Array.from({ length: 72 }, (_, i) => i % 7),
      [8, 9],
      'float32',
    );
    const [plain, slow] = [makeWasm(), makeWasm({ checks: checked })].map((executor) =>
      outcome(orThrow(executor.prepare(m)).run([x])),
    );
    expect(slow).toEqual(plain);
    const broken = makeWasm({
      checks: (compiled, code) =>
        checked({ ...compiled, addressOf: (buffer) => compiled.addressOf(buffer) + 64 }, code),
    });
    const run = () => orThrow(broken.prepare(m)).run([x]);
    expect(run).toThrow(expect.objectContaining({ name: 'InvariantError' }));
  });

  it('finds nothing in calls of every operator', () => {
    let count = 0;
    const executor = makeWasm({ leastElements: 0, checks: checked });
    for (const [i, name] of standardOps.names.entries()) {
      const seed = 33_000 + i;
      const m = callsOf(standardOps, name, [seed], 'float32');
      if (m === undefined) continue;
      const inputs = inputsFor(m.functions.get('main') as Func, seed);
      expect(() => orThrow(executor.prepare(m)).run(inputs), name).not.toThrow();
      count++;
    }
    expect(count).toBeGreaterThan(200);
  });
});
