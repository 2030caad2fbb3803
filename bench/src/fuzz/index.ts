/** Mutants as data and functions: `pnpm fuzz` and the tests share them. */

export { occurrences } from './mutants/bundle.ts';
export { catchMutant, MAX_REDUCED_CALLS } from './mutants/report.ts';
export { MUTANTS } from './mutants/table.ts';
