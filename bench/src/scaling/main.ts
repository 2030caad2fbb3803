/** `pnpm bench:scale`: the time of parser, printer, inference and executor at two sizes. */

import { table } from '@baton/base';
import { ms } from '@baton/report';
import {
  evaluate,
  type IRModule,
  inferTypes,
  orThrow,
  parseModule,
  printModule,
  tensor,
} from 'batonjs';
import { growthOf } from './growth.ts';
import { SIZED_PROGRAMS } from './programs.ts';

interface Stage<A> {
  readonly name: string;
  /** What the stage takes. */
  readonly prepare: (m: IRModule) => A;
  readonly run: (input: A) => unknown;
}

const stage = <A>(
  name: string,
  prepare: (m: IRModule) => A,
  run: (input: A) => unknown,
): Stage<unknown> => ({ name, prepare, run: (input) => run(input as A) });

const same = (m: IRModule): IRModule => m;
const typed = (m: IRModule): IRModule => orThrow(inferTypes(m));
const input = tensor(new Float32Array([1, 2]), [2], 'float32');

const STAGES = [
  stage('print', same, printModule),
  stage('parse', printModule, (text) => orThrow(parseModule(text))),
  stage('infer', same, typed),
  stage('run', typed, (m) => orThrow(evaluate(m, [input]))),
];

const HEADER = ['program', 'stage', 'ms', 'ms at 5 ×', 'growth / 5'];

for (const { name, build, sizes } of SIZED_PROGRAMS) {
  const rows = STAGES.map(({ name: stageName, prepare, run }) => {
    const [small, large] = sizes.map((size) => ({ size, make: () => prepare(build(size)) }));
    if (small === undefined || large === undefined) return [name, stageName];
    const found = growthOf(small, large, run);
    return [name, stageName, ms(found.ms[0]), ms(found.ms[1]), found.growth.toFixed(2)];
  });
  process.stdout.write(`${table(HEADER, rows)}\n\n`);
}
process.stdout.write('A growth / 5 of 1 is linear.\n');
