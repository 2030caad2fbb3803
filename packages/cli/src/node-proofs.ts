/** `@baton/proofs` in Node, from the user's folder: its solver has 30 MB. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { diagnostic, fail, ok, type Result } from '@baton/base';
import { DiagnosticsError, type Rule, standardOps } from 'batonjs';
import type { Proofs, Proved } from './host.ts';
import { type ImportModule, reasonOf } from './node-files.ts';

const PACKAGE = '@baton/proofs';

/** The part of the package, and of its entry for the solver, that is used. */
interface Package<S extends Solver> {
  readonly makeProver: (
    solver: S,
    ops: typeof standardOps,
  ) => { readonly prove: (rule: Rule) => Promise<Proved> };
  readonly openSolver: () => Promise<S>;
}

interface Solver {
  readonly close: () => Promise<void>;
}

export async function loadProofs(imports: ImportModule): Promise<Result<Proofs>> {
  try {
    const { resolve } = createRequire(join(process.cwd(), 'package.json'));
    const [own, z3] = await Promise.all(
      [PACKAGE, `${PACKAGE}/z3`].map((name) => imports(pathToFileURL(resolve(name)).href)),
    );
    return ok(await proofsOf({ ...(own as Package<Solver>), ...(z3 as Package<Solver>) }));
  } catch (error) {
    const hint = `npm install --save-dev ${PACKAGE}`;
    const reason = reasonOf(error).split('\n')[0];
    return fail(diagnostic('CLI_PROOFS', `${PACKAGE} is not found: ${reason}`, { hint }));
  }
}

export async function proofsOf<S extends Solver>({
  makeProver,
  openSolver,
}: Package<S>): Promise<Proofs> {
  const solver = await openSolver();
  const { prove } = makeProver(solver, standardOps);
  return {
    prove: async (rule) => {
      try {
        return ok(await prove(rule));
      } catch (error) {
        // A rule about operators that Baton does not have.
        if (error instanceof DiagnosticsError) return fail(...error.diagnostics);
        throw error;
      }
    },
    close: solver.close,
  };
}
