/**
 * Baton's side of a comparison: a process that reads the name of a benchmark from a line on
 * standard input, runs it once, and answers with one line of JSON, like the programs in
 * `bench/peers`. It collects garbage before the clock starts, as a native program frees its memory.
 */
import { createInterface } from 'node:readline';
import type { Answer } from './answer.ts';
import { benchmarks } from './benchmarks.ts';

/** `--explanations` on the command line keeps proofs. */
const explanations = process.argv.includes('--explanations');

const collect = (globalThis as { readonly gc?: () => void }).gc ?? (() => {});

function answer(name: string): Answer {
  const benchmark = benchmarks.find((b) => b.name === name);
  if (benchmark === undefined) return { name, ms: 0, peakBytes: 0, error: 'unknown benchmark' };
  collect();
  const start = performance.now();
  const { report, nodes, classes, bytes } = benchmark.run(() => performance.now(), explanations);
  const ms = performance.now() - start;
  const failed = report.stopReason._tag === 'Failed' ? report.stopReason.diagnostics : [];
  return {
    name,
    ms,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    eNodes: nodes,
    eClasses: classes,
    arrayBytes: bytes,
    phases: {
      searchMs: report.searchMs,
      applyMs: report.applyMs,
      rebuildMs: report.rebuildMs,
    },
    ...(failed.length === 0 ? {} : { error: failed.map((d) => d.message).join('; ') }),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(line.trim()))}\n`);
}
