/** The failure of a rule, with the smallest program that shows it. */
import { fail, isLeft, type Result } from '@baton/base';
import { checkPass, describeDifference, type Equivalence, reduce } from '@baton/equivalence';
import type { IRModule } from '@baton/ir';
import type { Pass } from '@baton/pass-manager';
import type { Rule } from '@baton/rewrites';
import { printModule } from '@baton/text';
import { ruleDiffers } from '../diagnostics.ts';

export interface Compared {
  readonly seed: number;
  readonly entry: string;
}

const REDUCE_ATTEMPTS = 500;

/** The failure of a single rule in an engine on a program, made smaller. */
export function ruleFailure(
  rule: Rule,
  engine: Pass,
  difference: Equivalence,
  m: IRModule,
  compared: Compared,
): Result<never> {
  const stillDiffers = (program: IRModule): boolean => {
    const again = checkPass(engine, program, compared);
    return !isLeft(again) && again.right.equivalence.verdict === 'different';
  };
  const { entry, seed } = compared;
  const small = reduce(m, stillDiffers, { maxAttempts: REDUCE_ATTEMPTS, entry });
  const text = printModule(isLeft(small) ? m : small.right.module, { showTypes: false });
  return fail(ruleDiffers(rule, engine.name, describeDifference(difference), seed, text));
}
