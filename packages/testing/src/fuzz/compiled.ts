/** Generated programs on a compiled executor: as they are, optimized, and differentiated. */
import { isLeft, orThrow } from '@baton/base';
import { checkExecutor, describeDifference } from '@baton/equivalence';
import type { Executor } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { type Pass, runPass, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { printModule } from '@baton/text';
import { ROUNDS_ELSEWHERE } from '../calls/operator-calls.ts';
import type { Generator } from './executors.ts';
import { differentiated } from './through-gradients.ts';

/** The programs so far, and those of which some results were compared. */
export interface CompiledCount {
  programs: number;
  compared: number;
}

/** The passes before a program is compiled: one after another, by the seed. */
const PREPARATIONS: ReadonlyArray<Pass> = [
  sequential([], { name: 'as it is' }),
  optimize({ level: 3 }),
  passes.fuseOps,
  differentiated,
];

/** The program of a seed, prepared in the way that its seed chooses. */
export function preparedProgram({ program }: Generator, seed: number): IRModule {
  const { module } = program(seed);
  const prepared = runPass(PREPARATIONS[seed % PREPARATIONS.length] as Pass)(module);
  return isLeft(prepared) ? module : prepared.right.module;
}

/**
 * The difference between a compiled executor and the interpreter on the program of a seed, in all
 * regimes, if there is one; counted. Sums may be taken in another order, and functions approximated.
 */
export function checkCompiled(
  generator: Generator,
  seed: number,
  executor: Executor,
  count: CompiledCount,
): string | undefined {
  const module = preparedProgram(generator, seed);
  const found = orThrow(checkExecutor(module, executor, { seed, needs: ROUNDS_ELSEWHERE }));
  count.programs++;
  if (found.verdict !== 'unknown') count.compared++;
  if (found.verdict !== 'different') return undefined;
  return `${generator.name}: ${describeDifference(found)}\n${printModule(module)}`;
}
