import { type Diagnostic, diagnostic } from '@baton/base';

/** A root that is not a class of the graph. */
export const unknownRoot = (root: number): Diagnostic =>
  diagnostic('EXTRACT_UNKNOWN_ROOT', `expected a class of the e-graph as root, found ${root}`);

/** A class that no term of finite cost belongs to. */
export const noTerm = (root: number): Diagnostic =>
  diagnostic('EXTRACT_NO_TERM', `expected a term of finite cost in class ${root}, found none`, {
    hint: 'every node of the class costs infinitely much or needs the class itself',
  });

/** A cost that is not a number, is negative, or is below that of a child. */
export const badCost = (name: string, found: unknown, expected: string): Diagnostic =>
  diagnostic('EXTRACT_BAD_COST', `expected ${expected} as the cost of ${name}, found ${found}`);

/** The exact extractor was asked for without a solver, or its solver failed. */
export const solverFailed = (why: string): Diagnostic =>
  diagnostic('EXTRACT_SOLVER_FAILED', `expected a solution from the solver, found ${why}`, {
    hint: 'pass the loaded module of the package highs, or a function that loads it',
  });
