/** Passes broken on purpose, each by one mistake, for the fuzz run to notice. */
import { factMutants } from './facts.ts';
import type { Mutant } from './mutant.ts';
import { rewriteMutants } from './rewrites.ts';

export const MUTANTS: ReadonlyArray<Mutant> = [...factMutants, ...rewriteMutants];
