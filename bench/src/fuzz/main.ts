/** `pnpm fuzz --minutes N --seed S`: random cases until the time is up. The seed is required. */
import { parseArgs } from 'node:util';
import { fuzzEGraph } from '../egraph/fuzz/differential.ts';
import { inspectProofs, type ProofCount } from '../egraph/fuzz/explanations.ts';
import { makeProgress } from '../progress.ts';
import { checkMutatedText, seedTexts } from './text.ts';

const USAGE = 'pnpm fuzz --seed S [--minutes N]';

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;

/** How many cases are run between two looks at the clock. */
const BATCH = 100;

interface Target {
  readonly name: string;
  /** Problems of `count` cases from `seed` on. */
  readonly run: (seed: number, count: number) => ReadonlyArray<string>;
}

const texts = seedTexts();

const proofs: ProofCount = { proofs: 0, withSteps: 0 };

const targets: ReadonlyArray<Target> = [
  {
    name: 'parser',
    run: (seed, count) => {
      const problems: string[] = [];
      for (let i = seed; i < seed + count; i++) {
        const problem = checkMutatedText(texts, i);
        if (problem !== undefined) problems.push(`seed ${i}: ${problem}`);
      }
      return problems;
    },
  },
  {
    name: 'e-graph',
    run: (seed, count) => fuzzEGraph(seed, count, inspectProofs(proofs)).failures,
  },
];

function main(): number {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((a) => a !== '--'),
    options: { minutes: { type: 'string' }, seed: { type: 'string' } },
  });
  const seed = Number(values.seed ?? Number.NaN);
  const minutes = Number(values.minutes ?? 1);
  if (!Number.isInteger(seed) || !(minutes > 0)) {
    process.stderr.write(`${USAGE}\n`);
    return EXIT_USAGE;
  }
  const progress = makeProgress();
  const end = performance.now() + minutes * 60_000;
  const problems: string[] = [];
  let cases = 0;
  while (performance.now() < end && problems.length === 0) {
    for (const target of targets) {
      problems.push(...target.run(seed + cases, BATCH).map((p) => `${target.name}, ${p}`));
    }
    cases += BATCH;
    if (cases % (10 * BATCH) === 0) progress.step(`${cases} cases of each target`);
  }
  progress.done();
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${cases} cases of ${targets.map((t) => t.name).join(' and ')} from seed ${seed}: ${problems.length} failures; ${proofs.proofs} proofs replayed\n`,
  );
  return problems.length === 0 ? 0 : EXIT_FINDINGS;
}

process.exitCode = main();
