/** `pnpm prove`: proves the shipped rules, and writes or checks the page that lists them. */
import { readFileSync, writeFileSync } from 'node:fs';
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
 * prints how. `--xla` takes the table of XLA's rules, some of which are wrong here.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { write: { type: 'boolean' }, xla: { type: 'boolean' }, only: { type: 'string' } },
  });
  const { write = false, xla = false, only } = values;
  const page: Page = PAGES[xla ? 'xla' : 'shipped'];
  const start = performance.now();
  const verdicts = await verdictsOf(page, only);
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

/** Proves the rules whose key has a text, all without one. */
async function verdictsOf({ sets, steps }: Page, only: string | undefined): Promise<Verdicts> {
  const rules = sets.flatMap((set) => set.rules.map((rule) => ({ key: keyOf(set, rule), rule })));
  const progress = makeProgress();
  const solver = await openSolver();
  const prover = makeProver(solver, standardOps, steps);
  const verdicts = new Map<string, Verdict>();
  for (const { key, rule } of rules.filter((one) => only === undefined || one.key.includes(only))) {
    const from = performance.now();
    const { state, reason } = await prover.prove(rule);
    verdicts.set(key, { state, reason });
    progress.step(`${key}: ${state}, ${(performance.now() - from).toFixed(0)} ms`);
    if (only !== undefined || state === 'refuted') print(`${key}: ${state}: ${reason}`);
  }
  await solver.close();
  progress.done();
  return verdicts;
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

process.exitCode = await main();
