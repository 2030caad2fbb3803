/** `pnpm prove`: proves the shipped rules, and writes or checks the page that lists them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { standardOps } from '@baton/ops';
import { makeProgress } from '../progress.ts';
import { keyOf, pageOf } from './page.ts';
import { makeProver, type Verdict } from './prove.ts';
import { shippedSets } from './shipped.ts';
import { openSolver } from './solver.ts';

const PAGE = fileURLToPath(new URL('../../../docs/rules.md', import.meta.url));

/** `--write` writes the page; `--only TEXT` proves the rules whose name has the text, and prints how. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { write: { type: 'boolean' }, only: { type: 'string' } },
  });
  const { write = false, only } = values;
  const sets = shippedSets();
  const rules = sets.flatMap((set) => set.rules.map((rule) => ({ key: keyOf(set, rule), rule })));
  const chosen = rules.filter(({ key }) => only === undefined || key.includes(only));
  const progress = makeProgress();
  const solver = await openSolver();
  const prover = makeProver(solver, standardOps);
  const verdicts = new Map<string, Verdict>();
  const start = performance.now();
  for (const { key, rule } of chosen) {
    const from = performance.now();
    const verdict = await prover.prove(rule);
    verdicts.set(key, verdict);
    progress.step(`${key}: ${verdict.state}, ${(performance.now() - from).toFixed(0)} ms`);
    if (only !== undefined || verdict.state === 'refuted')
      print(`${key}: ${verdict.state}: ${verdict.reason}`);
  }
  await solver.close();
  progress.done();
  const refuted = [...verdicts.values()].filter(({ state }) => state === 'refuted').length;
  if (only !== undefined) return refuted > 0 ? 1 : 0;
  const page = pageOf(sets, verdicts);
  print(`${page.split('\n')[4]} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  if (write) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page) {
    print('docs/rules.md says otherwise: run `pnpm prove --write`');
    return 1;
  }
  return refuted > 0 ? 1 : 0;
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

process.exitCode = await main();
