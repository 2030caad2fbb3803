/** The programs of a fuzz run: functions of the seed, the group and a number. */
import { fnv1a32, mixHash, mulberry32 } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Pass, sequential } from '@baton/pass-manager';
import { programOf } from '../program.ts';
import { ENROLLED, type Group } from './enrolment.ts';

/** A program, and a sequence of passes to try on it, too. */
export interface Subject {
  readonly module: IRModule;
  /** The seed of the program and of its inputs. */
  readonly seed: number;
  /** The names of the passes of {@link Subject.sequence}, separated by commas. */
  readonly sequenceName: string;
  readonly sequence: Pass;
}

const MAX_CALLS = 12;

/** Program `index` of a group, under the seed of a run. */
export function subjectOf(group: Group, runSeed: number, index: number): Subject {
  const seed = mixHash(mixHash(runSeed, fnv1a32(group.name)), index) >>> 1;
  const language = group.isWholeLanguage ? ('whole' as const) : ('dataflow' as const);
  const { module } = programOf(seed, { focus: group.focus, maxCalls: MAX_CALLS, language });
  const random = mulberry32(mixHash(seed, 1));
  const count = 3 + Math.floor(random() * 4);
  const chosen = Array.from(
    { length: count },
    () => ENROLLED[Math.floor(random() * ENROLLED.length)],
  ).filter((e) => e !== undefined);
  const sequenceName = chosen.map((e) => e.name).join(', ');
  const sequence = sequential(
    chosen.map((e) => e.pass),
    { name: sequenceName },
  );
  return { module, seed, sequenceName, sequence };
}
