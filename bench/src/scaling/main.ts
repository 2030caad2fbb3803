/** `pnpm bench:scale`: the time of parser, printer, inference, passes and executor at two sizes. */

import { table } from '@baton/base';
import { ms } from '@baton/report';
import {
  evaluate,
  type IRModule,
  inferTypes,
  orThrow,
  parseModule,
  passes,
  printModule,
  runPass,
  tensor,
} from 'batonjs';
import { chainOfCalls, diamondLadder, nestedLets } from './programs.ts';

const SMALL = 10_000;
const LARGE = 50_000;
const LADDER_SMALL = 1_000;
const LADDER_LARGE = 5_000;
const ROUNDS = 3;

type Stage = readonly [name: string, run: (m: IRModule) => () => unknown];

const input = tensor(new Float32Array([1, 2]), [2], 'float32');

/** Each stage gets a fresh module, and prepares outside of the measured time. */
const stages: ReadonlyArray<Stage> = [
  ['print', (m) => () => printModule(m)],
  [
    'parse',
    (m) => {
      const text = printModule(m);
      return () => orThrow(parseModule(text));
    },
  ],
  ['infer', (m) => () => orThrow(inferTypes(m))],
  ...Object.entries(passes).map(
    ([name, p]): Stage => [
      name,
      (m) => {
        const typed = orThrow(inferTypes(m));
        return () => orThrow(runPass(p)(typed));
      },
    ],
  ),
  [
    'run',
    (m) => {
      const typed = orThrow(inferTypes(m));
      return () => orThrow(evaluate(typed, [input]));
    },
  ],
];

function best(stage: Stage, build: () => IRModule): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const run = stage[1](build());
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

function main(): void {
  const programs = [
    ['chain of calls', chainOfCalls, SMALL, LARGE],
    ['nested lets', nestedLets, SMALL, LARGE],
    ['diamond ladder', diamondLadder, LADDER_SMALL, LADDER_LARGE],
  ] as const;
  const header = [
    'program',
    'stage',
    `ms at ${SMALL} or ${LADDER_SMALL}`,
    `ms at 5 ×`,
    'growth / 5',
  ];
  for (const [program, build, small, large] of programs) {
    const rows = stages.map((stage) => {
      process.stderr.write('.');
      const few = best(stage, () => build(small));
      const many = best(stage, () => build(large));
      const growth = many / few / (large / small);
      return [program, stage[0], ms(few), ms(many), growth.toFixed(2)];
    });
    process.stderr.write('\n');
    process.stdout.write(`${table(header, rows)}\n\n`);
  }
  process.stdout.write('A growth / 5 of 1 is linear.\n');
}

main();
