/** S4, S5: threads end with what they serve, and a run does not wait for one that is dead. */
import { Worker } from 'node:worker_threads';
import { isLeft, mulberry32, orThrow, type Result } from '@baton/base';
import { type Executable, type Executor, interpreter, oracle, type Value } from '@baton/executor';
import type { Func, IRModule } from '@baton/ir';
import { type Tensor, tensorsEqual } from '@baton/tensor';
import { inputsFor, leavesOf } from '@baton/testing';
import { makeWasm, type ThreadWork, wasm } from '@baton/wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { parse } from './support.ts';

const CODE = `
  const { workerData } = require('node:worker_threads');
  import(workerData.wasm).then(({ serveThread }) => serveThread(workerData.work));
`;

const THREAD_JS = new URL('thread.js', import.meta.resolve('@baton/wasm')).href;

/** Workers that a test started, and those of them that have not ended. */
const live = new Set<Worker>();
const started: Worker[] = [];
afterAll(() => Promise.all([...live].map((worker) => worker.terminate())));

const start = (work: ThreadWork): void => {
  const worker = new Worker(CODE, { eval: true, workerData: { work, wasm: THREAD_JS } });
  started.push(worker);
  live.add(worker);
  worker.once('exit', () => live.delete(worker));
};

const makeThreaded = (count: number): Executor => makeWasm({ threads: { count, start } });

const LONG = parse(`def @main(%x: Tensor[(300, 301), float32], %w: Tensor[(301, 301), float32]) {
  nn.softmax(nn.dense(nn.dense(nn.dense(nn.dense(%x, %w), %w), %w), exp(%w))) }`);
const OTHER = parse('def @main(%x: Tensor[(98304), float32]) { tanh(add(%x, 1f)) }');

const argsOf = (m: IRModule): ReadonlyArray<Value> =>
  inputsFor(m.functions.get('main') as Func, 34);

const valuesOf = (executable: Executable, m: IRModule): ReadonlyArray<Tensor> =>
  leavesOf(orThrow(executable.run(argsOf(m))));

const isSame = (a: ReadonlyArray<Tensor>, b: ReadonlyArray<Tensor>): boolean =>
  a.every((t, i) => tensorsEqual(t, b[i] as Tensor));

const failureOf = (result: Result<Value>): ReadonlyArray<string> =>
  isLeft(result) ? result.left.map(({ code }) => code) : [];

/** Waits for what the host's loop brings about. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits until runs have all threads. */
async function untilShared(executable: Executable, m: IRModule): Promise<void> {
  const isShared = (): boolean => {
    orThrow(executable.run(argsOf(m)));
    return !executable.warnings.some(({ code }) => code === 'WASM_FEW_THREADS');
  };
  await until(isShared);
}

describe('S5: threads have a life', () => {
  it('20 programs of an executor have the threads of one, which end with the last program', async () => {
    const before = started.length;
    const executor = makeThreaded(3);
    const programs = Array.from({ length: 20 }, () => orThrow(executor.prepare(OTHER)));
    await until(() => started.length > before + 2);
    await until(() => live.size === 2);
    expect(started.length - before).toBe(4);
    for (const program of programs.slice(1)) await untilShared(program, OTHER);
    for (const program of programs) program.dispose();
    await until(() => live.size === 0);
    expect(programs.map((program) => failureOf(program.run(argsOf(OTHER))))).toEqual(
      programs.map(() => ['EXEC_DISPOSED']),
    );
  });

  it('an executor that is disposed of has no threads, and its programs run', async () => {
    const before = started.length;
    const executor = makeThreaded(3);
    const program = orThrow(executor.prepare(OTHER));
    executor.dispose();
    const later = orThrow(executor.prepare(OTHER));
    const expected = valuesOf(orThrow(wasm.prepare(OTHER)), OTHER);
    for (const one of [program, later]) expect(isSame(valuesOf(one, OTHER), expected)).toBe(true);
    await until(() => live.size === 0);
    expect(started.length - before).toBe(2);
  });

  it.each([interpreter, oracle, wasm])(
    '$name: a program is disposed of once for all',
    (executor) => {
      const program = orThrow(executor.prepare(OTHER));
      program[Symbol.dispose]();
      program.dispose();
      expect(program.run(argsOf(OTHER))._tag).toBe('Left');
      executor.dispose();
      expect(orThrow(executor.prepare(OTHER)).run(argsOf(OTHER))._tag).toBe('Right');
    },
  );

  it('a host that starts no thread is told of', () => {
    const refused = (): void => {
      throw new Error('no workers here');
    };
    const executor = makeWasm({ threads: { count: 2, start: refused } });
    const program = orThrow(executor.prepare(OTHER));
    valuesOf(program, OTHER);
    expect(program.warnings).toMatchObject([{ code: 'WASM_FEW_THREADS', hint: 'no workers here' }]);
  });

  it('cycles of prepare, run and dispose leave no thread', { timeout: 600_000 }, async () => {
    const executor = makeThreaded(4);
    for (let i = 0; i < amount(1000, { quick: 3 }); i++) {
      const program = orThrow(executor.prepare(OTHER));
      valuesOf(program, OTHER);
      program.dispose();
    }
    await until(() => live.size === 0);
  });
});

describe('S4: a thread that dies', () => {
  it('costs one run done again, and others come in its place', async () => {
    const expected = valuesOf(orThrow(wasm.prepare(LONG)), LONG);
    const executor = makeThreaded(3);
    const program = orThrow(executor.prepare(LONG));
    await untilShared(program, LONG);
    await started.at(-1)?.terminate();
    expect(isSame(valuesOf(program, LONG), expected)).toBe(true);
    expect(program.warnings.map(({ code }) => code)).toContain('WASM_LOST_THREAD');
    await untilShared(program, LONG);
    expect(isSame(valuesOf(program, LONG), expected)).toBe(true);
    program.dispose();
    await until(() => live.size === 0);
  });

  it('at any moment leaves the values right', async () => {
    const random = mulberry32(0x34);
    const expected = valuesOf(orThrow(wasm.prepare(LONG)), LONG);
    for (let i = 0; i < amount(100, { quick: 3 }); i++) {
      const executor = makeThreaded(4);
      const program = orThrow(executor.prepare(LONG));
      const other = orThrow(executor.prepare(OTHER));
      if (random() < 0.8) await untilShared(program, LONG);
      // It dies some microseconds after it is asked to: in a share, at a meeting, or between runs.
      void started.at(-1 - Math.floor(random() * 3))?.terminate();
      for (let spin = random() * 1e5; spin > 0; spin--);
      for (let run = 0; run < 2; run++)
        expect(isSame(valuesOf(program, LONG), expected)).toBe(true);
      valuesOf(other, OTHER);
      program.dispose();
      other.dispose();
      await until(() => live.size === 0);
    }
  });
});
