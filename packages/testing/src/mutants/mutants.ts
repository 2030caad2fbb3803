/** Passes broken on purpose, one thing at a time: what the fuzz run must notice. */
import { factMutants } from './facts.ts';
import type { Mutant } from './mutant.ts';
import { rewriteMutants } from './rewrites.ts';

/** Every mutant. */
export const MUTANTS: ReadonlyArray<Mutant> = [...factMutants, ...rewriteMutants];
