/** The programs of a fuzz run: functions of the seed, the group and a number. */
import { fnv1a32, mixHash, mulberry32 } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Pass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { programOf } from '../program.ts';
import { ENROLLED, type Enrolled, type Group } from './enrolment.ts';

/** A program, and a sequence of passes to try on it, too. */
export interface Subject {
  readonly module: IRModule;
  readonly seed: number;
  /** The sequence in parts, each compared separately. */
  readonly sequence: ReadonlyArray<Part>;
}

/** Passes in order, with their names, separated by commas. */
export interface Part {
  readonly name: string;
  readonly pass: Pass;
}

const MAX_CALLS = 12;

export function subjectOf(group: Group, runSeed: number, index: number): Subject {
  const seed = mixHash(mixHash(runSeed, fnv1a32(group.name)), index) >>> 1;
  const language = group.isFullLanguage ? ('whole' as const) : ('dataflow' as const);
  const { module } = programOf(seed, { focus: group.focus, maxCalls: MAX_CALLS, language });
  const random = mulberry32(mixHash(seed, 1));
  const count = 3 + Math.floor(random() * 4);
  const chosen = Array.from(
    { length: count },
    () => ENROLLED[Math.floor(random() * ENROLLED.length)],
  ).filter((e) => e !== undefined);
  return { module, seed, sequence: partsOf(chosen) };
}

/** A part ends where marks with scales become integers: these have no reference without marks. */
function partsOf(chosen: ReadonlyArray<Enrolled>): ReadonlyArray<Part> {
  const parts: Enrolled[][] = [];
  let isCalibrated = false;
  for (const one of chosen) {
    const last = parts.at(-1);
    if (last === undefined || (isCalibrated && one.counts === passes.quantizeRealize)) {
      parts.push([one]);
      isCalibrated = false;
    } else last.push(one);
    isCalibrated ||= one.counts === passes.quantizeCalibrate;
  }
  return parts.map((part) => {
    const name = part.map((one) => one.name).join(', ');
    return {
      name,
      pass: sequential(
        part.map((one) => one.pass),
        { name },
      ),
    };
  });
}
