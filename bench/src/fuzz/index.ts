/** The fuzz run as data and functions: `pnpm fuzz` and the tests share it. */

export { checkLateTypes, type LateCount } from './late-types.ts';
export { occurrences } from './mutants/bundle.ts';
export type { Catch } from './mutants/entry.ts';
export { catchMutant, MAX_REDUCED_CALLS } from './mutants/report.ts';
export { MUTANTS, type Mutant } from './mutants/table.ts';
export {
  ENROLLED,
  type Enrolled,
  GROUPS,
  type Group,
  notEnrolled,
  passByName,
  passesOf,
} from './passes/enrolment.ts';
export {
  type CorpusEntry,
  type Failure,
  fileNameOf,
  readCorpusEntry,
  reduceFailure,
  violationOn,
  writeFailure,
} from './passes/failure.ts';
export { NORMAL_SEED } from './passes/normal-run.ts';
export { type Subject, subjectOf } from './passes/programs.ts';
export { type RunOptions, type RunResult, runGroup } from './passes/run.ts';
export {
  emptyTally,
  MIN_CHANGED_SHARE,
  MIN_FIRED,
  type PassTally,
  printTally,
  shortfalls,
  type Tally,
} from './passes/tally.ts';
