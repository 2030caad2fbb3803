/** `pnpm bench:text`: how fast program text is parsed and printed, constants apart. */
import { type IRModule, parseModule, printModule } from 'baton';
import { functions, graph, lets } from './programs.ts';

const RUNS = 9;

/** Programs by name, each in two sizes, to see that time is linear. */
const PROGRAMS: ReadonlyArray<
  readonly [name: string, make: (size: number) => IRModule, size: number]
> = [
  ['graph, 10,000 calls', graph, 10_000],
  ['graph, 100,000 calls', graph, 100_000],
  ['lets, 10,000', lets, 10_000],
  ['lets, 100,000', lets, 100_000],
  ['functions, 1,250', functions, 1_250],
  ['functions, 12,500', functions, 12_500],
];

/** The least time of some runs, in milliseconds. */
function best(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const rate = (bytes: number, ms: number): string => (bytes / 1000 / ms).toFixed(1).padStart(8);

process.stdout.write(`${'program'.padEnd(24)}${'MB'.padStart(6)}   parse, MB/s   print, MB/s\n`);
for (const [name, make, size] of PROGRAMS) {
  const m = make(size);
  const text = printModule(m);
  const parse = best(() => {
    if (parseModule(text)._tag === 'Left') throw new Error(`${name} does not parse`);
  });
  const print = best(() => printModule(m));
  const megabytes = (text.length / 1e6).toFixed(1).padStart(6);
  process.stdout.write(
    `${name.padEnd(24)}${megabytes}      ${rate(text.length, parse)}      ${rate(text.length, print)}\n`,
  );
}
