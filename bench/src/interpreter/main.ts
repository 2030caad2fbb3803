/** `pnpm bench:interp`: the speed of the reference interpreter on small functional programs. */

import { table } from '@baton/base';
import { ms, si } from '@baton/report';
import { begin } from '@baton/workshop';
import { orThrow, prepare } from 'batonjs';
import { programs, type Subject, subjects } from './programs.ts';

const ROUNDS = 7;
const EXIT_TOO_SLOW = 1;
const MS_PER_S = 1000;

function main(): number {
  const program = orThrow(prepare(programs()));
  const best = ({ entry, argument }: Subject): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      orThrow(program.run([argument], { entry }));
      least = Math.min(least, performance.now() - start);
    }
    return least;
  };
  let tooSlow = 0;
  const rows = subjects.map((subject) => {
    process.stderr.write('.');
    const least = best(subject);
    const speed = (subject.rounds / least) * MS_PER_S;
    const { promised } = subject;
    if (promised !== undefined && speed < promised) tooSlow += 1;
    const goal = promised === undefined ? '' : `${si(promised)}/s`;
    return [subject.name, subject.unit, ms(least), `${si(speed)}/s`, goal];
  });
  process.stderr.write('\n');
  process.stdout.write(`${table(['program', 'round', 'ms', 'rounds', 'promised'], rows)}\n`);
  return tooSlow > 0 ? EXIT_TOO_SLOW : 0;
}

await begin(main);
