/** `pnpm prove`: proves the shipped rules, and writes or checks the page that lists them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { makeProgress, readCommandLine } from '@baton/cli';
import { standardOps } from '@baton/ops';
import { makeProver, type ProverOptions, type Verdict } from '@baton/proofs';
import { openSolver } from '@baton/proofs/z3';
import type { Rule, RuleSet } from '@baton/rewrites';
import { begin } from '../begin.ts';
import { keyOf, overstated, pageOf, type Verdicts, xlaPageOf } from './page.ts';
import { shippedSets } from './shipped.ts';
import { XLA, xlaSet } from './xla.ts';

const EXIT_USAGE = 2;

const folder = new URL('../../../../docs/', import.meta.url);

/** A page of the documentation, with the sets whose rules it lists. */
interface Page {
  readonly path: string;
  readonly sets: ReadonlyArray<RuleSet>;
  readonly text: (verdicts: Verdicts) => string;
  readonly options?: ProverOptions;
}

const shipped = shippedSets();
const PAGES = {
  shipped: { path: 'rules.md', sets: shipped, text: (verdicts) => pageOf(shipped, verdicts) },
  xla: {
    path: 'xla-rules.md',
    sets: [xlaSet],
    text: (verdicts) => xlaPageOf(XLA, xlaSet, verdicts),
    options: { steps: 30_000, checksRange: false },
  },
} as const satisfies Readonly<Record<string, Page>>;

const USAGE = `pnpm prove [--xla] [--only TEXT] [--write]

  --xla        prove the table of XLA's rules, some of which are wrong here
  --only TEXT  prove only rules whose set and name have the text, and print how
  --write      write the page of the rules`;

/** `--worker` is for the processes that share the work. */
const OPTIONS = {
  write: { type: 'boolean' },
  xla: { type: 'boolean' },
  only: { type: 'string' },
  worker: { type: 'boolean' },
} as const;

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), OPTIONS);
  if (typeof line === 'string') {
    process.stderr.write(`${line}\n\n${USAGE}\n`);
    return EXIT_USAGE;
  }
  const { write = false, xla = false, only, worker = false } = line.values;
  const page: Page = PAGES[xla ? 'xla' : 'shipped'];
  const rules = page.sets
    .flatMap((set) => set.rules.map((rule) => ({ key: keyOf(set, rule), rule })))
    .filter(({ key }) => only === undefined || key.includes(only));
  if (worker) {
    await proveAsked(rules, page.options);
    return 0;
  }
  const start = performance.now();
  const verdicts = await verdictsOf(rules, only === undefined ? 'briefly' : 'fully');
  const isWrong = !xla && [...verdicts.values()].some(({ state }) => state === 'refuted');
  if (only !== undefined) return isWrong ? 1 : 0;
  const text = page.text(verdicts);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${/^Of .*$/m.exec(text)?.[0]} ${seconds} s`);
  const file = new URL(page.path, folder);
  if (write) writeFileSync(file, text);
  return isHonest(page, readFileSync(file, 'utf8'), verdicts) && !isWrong ? 0 : 1;
}

/** Whether a page says of no rule more than is proved; what it says otherwise is printed. */
function isHonest({ path, text }: Page, stated: string, verdicts: Verdicts): boolean {
  const wrong = overstated(stated, verdicts);
  for (const key of wrong) {
    const { state, reason } = verdicts.get(key) as Verdict;
    print(`docs/${path} says more of ${key}: it is ${state}: ${reason}`);
  }
  if (stated !== text(verdicts)) print(`docs/${path} says otherwise: run it with --write`);
  return wrong.length === 0;
}

interface Row {
  readonly key: string;
  readonly rule: Rule;
}

/** The verdict on a rule, as a process sends it to its parent. */
interface Proved extends Verdict {
  readonly time: number;
}

/** Proves the rules in as many processes as there are cores: each requests the next one. */
async function verdictsOf(
  rules: ReadonlyArray<Row>,
  report: 'briefly' | 'fully',
): Promise<Verdicts> {
  const progress = makeProgress('lines');
  const verdicts = new Map<string, Verdict>();
  const args = [...process.argv.slice(2), '--worker'];
  const count = Math.min(availableParallelism(), MAX_PROCESSES, rules.length);
  let next = 0;
  const work = async (): Promise<void> => {
    const child = fork(fileURLToPath(import.meta.url), args);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`a process that proves rules ended with ${code}`);
    });
    while (next < rules.length) {
      const { key } = rules[next] as Row;
      child.send(next++);
      const [message] = await Promise.race([once(child, 'message'), ended]);
      const { state, reason, range, time } = message as Proved;
      verdicts.set(key, { state, reason, ...(range === undefined ? {} : { range }) });
      progress.step(`${key}: ${state}, ${time.toFixed(0)} ms`);
      if (report === 'fully' || state === 'refuted')
        print(`${key}: ${state}: ${reason}${range === undefined ? '' : `; range: ${range}`}`);
    }
    child.disconnect();
    await ended.catch(() => undefined);
  };
  await Promise.all(Array.from({ length: count }, work));
  progress.done();
  return verdicts;
}

const MAX_PROCESSES = 4;

/** Proves the rules whose numbers are sent, until the parent disconnects. */
async function proveAsked(
  rules: ReadonlyArray<Row>,
  options: ProverOptions | undefined,
): Promise<void> {
  const solver = openSolver();
  const prover = solver.then((opened) => makeProver(opened, standardOps, options));
  process.on('message', async (at: number) => {
    const { prove } = await prover;
    const from = performance.now();
    const verdict = await prove((rules[at] as Row).rule);
    process.send?.({ ...verdict, time: performance.now() - from } satisfies Proved);
  });
  await once(process, 'disconnect');
  await (await solver).close();
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

await begin(main);
