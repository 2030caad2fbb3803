/**
 * The amount of random cases in a run of tests. `pnpm test` runs a part of each long property;
 * `pnpm test:all` runs all, and continuous integration runs some files at full length, chosen by the
 * commit's hash (`scripts/test-ci.mjs`). A file that imports this one is part of the slices, and
 * so is a file named `*.long.test.ts`, which `pnpm test` leaves out.
 */

/** Whether this run takes all cases. */
export const isThorough = process.env.BATON_TESTS === 'all';

/** The number of cases of a property: all of them, or the first few in `pnpm test`. */
export const amount = (all: number, { quick }: { readonly quick: number }): number =>
  isThorough ? all : quick;
