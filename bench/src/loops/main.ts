/**
 * `pnpm bench:kernels`: the time per element in a fresh process, and in one that has run every
 * operator before. The two are measured interleaved, each in its own processes.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import { KERNEL_CASES } from './cases.ts';

const ROUNDS = 3;

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

type Mode = 'alone' | 'after';

function nanoseconds(index: number, mode: Mode): number {
  const { stdout, stderr, status } = spawnSync(process.execPath, [WORKER, `${index}`, mode], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

const median = (times: ReadonlyArray<number>): number =>
  [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

const wanted = process.argv.slice(2).filter((arg) => arg !== '--');

const rows = KERNEL_CASES.flatMap(({ name }, index) => {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return [];
  const times: Readonly<Record<Mode, number[]>> = { alone: [], after: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.alone.push(nanoseconds(index, 'alone'));
    times.after.push(nanoseconds(index, 'after'));
  }
  const [alone, after] = [median(times.alone), median(times.after)];
  return [[name, alone.toFixed(2), after.toFixed(2), (after / alone).toFixed(2)]];
});

process.stdout.write(
  `${table(['operator', 'fresh ns/element', 'after all ns/element', 'ratio'], rows)}\n`,
);
