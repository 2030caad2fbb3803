/** `pnpm prove`: proves the shipped rules, and writes or checks the page that lists them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { standardOps } from '@baton/ops';
import type { RuleSet } from '@baton/rewrites';
import { makeProgress } from '../progress.ts';
import { keyOf, pageOf, type Verdicts, xlaPageOf } from './page.ts';
import { makeProver, type Verdict } from './prove.ts';
import { shippedSets } from './shipped.ts';
import { openSolver } from './solver.ts';
import { XLA, xlaSet } from './xla.ts';

const folder = new URL('../../../docs/', import.meta.url);

/** A page of the documentation, with the sets whose rules it lists. */
interface Page {
  readonly path: string;
  readonly sets: ReadonlyArray<RuleSet>;
  readonly text: (verdicts: Verdicts) => string;
  /** The steps that are tried at one bound. */
  readonly steps?: number;
}

const shipped = shippedSets();
const PAGES = {
  shipped: { path: 'rules.md', sets: shipped, text: (verdicts) => pageOf(shipped, verdicts) },
  xla: {
    path: 'xla-rules.md',
    sets: [xlaSet],
    text: (verdicts) => xlaPageOf(XLA, xlaSet, verdicts),
    steps: 30_000,
  },
} as const satisfies Readonly<Record<string, Page>>;

/**
 * `--write` writes the page; `--only TEXT` proves the rules whose set and name have the text, and
 * prints how. `--xla` takes the table of XLA's rules, some of which are wrong here. `--part` is for
 * the processes that share the work.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean' },
      xla: { type: 'boolean' },
      only: { type: 'string' },
      part: { type: 'string' },
    },
  });
  const { write = false, xla = false, only, part } = values;
  const page: Page = PAGES[xla ? 'xla' : 'shipped'];
  if (part !== undefined) {
    await provePart(page, only, part);
    return 0;
  }
  const start = performance.now();
  const verdicts = await verdictsOf(process.argv.slice(2), only);
  const isWrong = !xla && [...verdicts.values()].some(({ state }) => state === 'refuted');
  if (only !== undefined) return isWrong ? 1 : 0;
  const text = page.text(verdicts);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${/^Of .*$/m.exec(text)?.[0]} ${seconds} s`);
  const file = new URL(page.path, folder);
  if (write) writeFileSync(file, text);
  const isCurrent = readFileSync(file, 'utf8') === text;
  if (!isCurrent) print(`docs/${page.path} says otherwise: run it with --write`);
  return isCurrent && !isWrong ? 0 : 1;
}

/** The verdict on one rule, as a process sends it to its parent. */
interface Proved extends Verdict {
  readonly key: string;
  readonly time: number;
}

/** Proves the rules whose key has a text, all without one, in as many processes as there are cores. */
async function verdictsOf(
  args: ReadonlyArray<string>,
  only: string | undefined,
): Promise<Verdicts> {
  const progress = makeProgress();
  const verdicts = new Map<string, Verdict>();
  const count = only === undefined ? Math.min(availableParallelism(), MAX_PROCESSES) : 1;
  const parts = Array.from({ length: count }, async (_, part) => {
    const child = fork(fileURLToPath(import.meta.url), [...args, '--part', `${part}/${count}`]);
    child.on('message', (message) => {
      const { key, state, reason, time } = message as Proved;
      verdicts.set(key, { state, reason });
      progress.step(`${key}: ${state}, ${time.toFixed(0)} ms`);
      if (only !== undefined || state === 'refuted') print(`${key}: ${state}: ${reason}`);
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error('a process that proves rules failed');
  });
  await Promise.all(parts);
  progress.done();
  return verdicts;
}

const MAX_PROCESSES = 4;

/** Proves one of several parts of the rules. */
async function provePart(
  { sets, steps }: Page,
  only: string | undefined,
  at: string,
): Promise<void> {
  const [part, count] = at.split('/').map(Number) as [number, number];
  const rules = sets
    .flatMap((set) => set.rules.map((rule) => ({ key: keyOf(set, rule), rule })))
    .filter(({ key }) => only === undefined || key.includes(only))
    .filter((_, i) => i % count === part);
  const solver = await openSolver();
  const prover = makeProver(solver, standardOps, steps);
  for (const { key, rule } of rules) {
    const from = performance.now();
    const verdict = await prover.prove(rule);
    process.send?.({ key, ...verdict, time: performance.now() - from } satisfies Proved);
  }
  await solver.close();
  process.disconnect();
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

process.exitCode = await main();
