/** `pnpm bench:text`: the speed of parsing, printing and typing program text, without constants. */
import {
  type IRModule,
  inferTypes,
  irModule,
  orThrow,
  parseModule,
  postOrderExprs,
  printModule,
} from 'batonjs';
import { functions, generalFunctions, graph, lets, list } from './programs.ts';

const RUNS = 9;

/** Programs by name, each in two sizes, to show that time is linear. */
const PROGRAMS: ReadonlyArray<
  readonly [name: string, make: (size: number) => IRModule, size: number]
> = [
  ['graph, 10,000 calls', graph, 10_000],
  ['graph, 100,000 calls', graph, 100_000],
  ['lets, 10,000', lets, 10_000],
  ['lets, 100,000', lets, 100_000],
  ['functions, 1,250', functions, 1_250],
  ['functions, 12,500', functions, 12_500],
  ['without types, 1,250', generalFunctions, 1_250],
  ['without types, 12,500', generalFunctions, 12_500],
  ['list of 10,000', list, 10_000],
  ['list of 99,000', list, 99_000],
];

/** The least time of some runs, in milliseconds, each on a fresh object. */
function best<A>(make: () => A, run: (a: A) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < RUNS; i++) {
    const made = make();
    const start = performance.now();
    run(made);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const rate = (bytes: number, ms: number): string => (bytes / 1000 / ms).toFixed(1).padStart(8);

/** The number of calls of operators, functions and constructors. */
const countCalls = (m: IRModule): number =>
  postOrderExprs([...m.functions.values()]).filter((node) => node._tag === 'Call').length;

/** The module without its types. */
const untyped = ({ functions: all, typeDefinitions, constructors, ops }: IRModule): IRModule =>
  irModule({ functions: all, typeDefinitions, constructors, ops });

process.stdout.write(
  `${'program'.padEnd(24)}${'MB'.padStart(6)}   parse, MB/s   print, MB/s   infer, calls/s\n`,
);
for (const [name, make, size] of PROGRAMS) {
  const m = make(size);
  const text = printModule(m);
  const parse = best(() => text, parseModule);
  const print = best(() => m, printModule);
  const infer = best(
    () => untyped(m),
    (fresh) => orThrow(inferTypes(fresh)),
  );
  const megabytes = (text.length / 1e6).toFixed(1).padStart(6);
  const calls = ((countCalls(m) * 1000) / infer).toFixed(0).padStart(9);
  process.stdout.write(
    `${name.padEnd(24)}${megabytes}      ${rate(text.length, parse)}      ${rate(text.length, print)}        ${calls}\n`,
  );
}
