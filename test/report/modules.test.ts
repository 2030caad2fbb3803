/** Models as ES modules by `pnpm bench --emit`: what is written runs, in little memory. */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { orThrow } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import { compiledFacts, simdLevel } from '@baton/wasm';
import { interpreter } from 'batonjs';
import { afterAll, expect, it } from 'vitest';
import { emitModule } from '../../bench/src/modules/emit.ts';
import type { WorkerAnswer } from '../../bench/src/modules/worker.ts';
import { embeddedSubjects } from '../../bench/src/subjects/embedded.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-emit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const subjectOf = (name: string) => {
  const subject = embeddedSubjects().find((one) => one.name === name);
  if (subject === undefined) throw new Error(`no network is called ${name}`);
  return subject;
};

it('writes a network that computes what it computed', async () => {
  const { inputs, module, codeBytes, weightBytes } = orThrow(
    await emitModule(subjectOf('mlp'), folder, { level: 3 }),
  );
  expect(readdirSync(folder).sort()).toEqual(['mlp.bin', 'mlp.d.mts', 'mlp.mjs']);
  expect(codeBytes).toBeLessThan(10_000);
  expect(weightBytes).toBeGreaterThan(400_000);
  const { run } = await import(pathToFileURL(join(folder, 'mlp.mjs')).href);
  const given = Object.entries(inputs).map(([name, value]) => [name, (value as Tensor).data]);
  const [found] = Object.values(run(Object.fromEntries(given))) as [Float32Array];
  const wanted = orThrow(orThrow(interpreter.prepare(module)).run(inputs)) as Tensor;
  expect(found.length).toBe(wanted.data.length);
  for (const [i, value] of found.entries()) expect(value).toBeCloseTo(Number(wanted.data[i]), 5);
});

/** **Units** bytes. What a process may take beyond Node, the weights and the arena. */
const MOST_BEYOND = 32e6;

it('writes a network that needs little memory beside its weights and its arena', async () => {
  const { module } = orThrow(await emitModule(subjectOf('squeezenet'), folder, { level: 3 }));
  const inputs = join(folder, 'inputs.json');
  const values = Array.from({ length: 3 * 224 * 224 }, (_, i) => (i % 255) / 255);
  writeFileSync(inputs, JSON.stringify({ data: { type: 'Float32Array', values } }));
  const worker = fileURLToPath(new URL('../../bench/dist/modules/worker.js', import.meta.url));
  const args = ['module', join(folder, 'squeezenet.mjs'), inputs];
  const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
    const child = fork(worker, args, { execArgv: ['--expose-gc'] });
    child.once('message', (message) => resolve(message as WorkerAnswer));
    child.once('exit', (code) => code !== 0 && reject(new Error('the module fails')));
  });
  expect(answer.times?.level).toBe(simdLevel());
  const { constantBytes = 0, arenaBytes = 0 } = compiledFacts(module) ?? {};
  expect(constantBytes).toBeGreaterThan(4e6);
  // Where the system tells.
  expect((answer.peakBytes ?? 0) - constantBytes - arenaBytes).toBeLessThan(MOST_BEYOND);
});
