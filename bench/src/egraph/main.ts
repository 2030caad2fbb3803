/** `pnpm bench:egraph`: the e-graph benchmarks, alone or interleaved with native peers. */
import { writeFileSync } from 'node:fs';
import { makeProgress } from '@baton/cli';
import { begin } from '@baton/workshop';
import { readArguments } from './arguments.ts';
import { benchmarks } from './benchmarks.ts';
import { measureGym } from './gym.ts';
import { measure } from './measure.ts';
import { buildPeers, canRun, ours, oursWithProofs } from './peers.ts';
import { type Measured, renderReport, reportData, wrongCounts } from './report.ts';
import { measureStopping } from './stopping.ts';

async function main(argv: ReadonlyArray<string>): Promise<number> {
  const args = readArguments(argv);
  if (typeof args === 'string') {
    process.stderr.write(`${args}\n`);
    return 2;
  }
  const progress = makeProgress('lines');
  if (args.stopping) {
    const text = await measureStopping(progress.step);
    progress.done();
    process.stdout.write(`${text}\n`);
    return 0;
  }
  if (args.gym !== undefined) {
    const text = measureGym(args.gym, progress.step);
    progress.done();
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const peers = args.peers ? buildPeers(progress.step) : { sides: [], problems: [] };
  const chosen = benchmarks.filter((b) => args.only.length === 0 || args.only.includes(b.name));
  const measured: Measured[] = [];
  for (const benchmark of chosen) {
    const own = args.explanations ? [ours, oursWithProofs] : [ours];
    const sides = [...own, ...peers.sides.filter((side) => canRun(side, benchmark.name))];
    const figures = await measure(benchmark.name, sides, args.pairs, progress.step);
    measured.push({ benchmark, figures });
  }
  progress.done();
  process.stdout.write(`${renderReport(measured)}\n`);
  if (args.json !== undefined) {
    writeFileSync(args.json, `${JSON.stringify(reportData(measured, args.pairs), null, 2)}\n`);
  }
  const problems = [...peers.problems, ...wrongCounts(measured)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

await begin(() => main(process.argv.slice(2)));
