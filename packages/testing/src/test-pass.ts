/** A pass on many programs: whether it keeps their results, and how many it changed. */
import {
  aRecord,
  checkOptions,
  DiagnosticsError,
  fail,
  failure,
  isLeft,
  left,
  mulberry32,
  type OptionTypes,
  type Result,
  right,
  wholeNumber,
} from '@baton/base';
import { checkPass, describeDifference, reduce } from '@baton/equivalence';
import type { IRModule } from '@baton/ir';
import type { Pass, PassContextParts } from '@baton/pass-manager';
import { printModule } from '@baton/text';
import { neverChanged, passDiffers } from './diagnostics.ts';
import { PROGRAM_TYPES, type ProgramOptions } from './options.ts';
import { programOf } from './program.ts';

export interface PassTrialOptions extends ProgramOptions {
  /** The number of programs. Default: 100. */
  readonly count?: number;
  /** The same seed yields the same programs and inputs. Default: 0. */
  readonly seed?: number;
  readonly context?: PassContextParts;
}

/** The result of a pass on programs whose results it kept. */
export interface PassTrial {
  readonly programs: number;
  /** The number of programs that the pass changed: the others show nothing. */
  readonly changed: number;
  /** The number of those that could not be compared, since no regime applied. */
  readonly unknown: number;
}

const TRIAL_TYPES: OptionTypes<PassTrialOptions> = {
  ...PROGRAM_TYPES,
  count: wholeNumber(1),
  seed: wholeNumber(0),
  context: aRecord,
};

const DEFAULT_COUNT = 100;

const REDUCE_ATTEMPTS = 500;

/**
 * Runs a pass on generated programs and compares before with after, as `checkPass` does.
 *
 * **Errors** `OPTION_*`; `TESTING_CALL` and `TESTING_MOTIF` for motifs; errors of the pass; `TESTING_DIFFERENT`, with the smallest program found;
 * `TESTING_NEVER_CHANGED` if the pass changed no program, since then nothing was tested.
 *
 * **Example** `orThrow(testPass(myPass, { focus: 'constants', seed: 7 })).changed`
 */
export function testPass(pass: Pass, options: PassTrialOptions = {}): Result<PassTrial> {
  const wrong = failure(checkOptions('testPass', options, TRIAL_TYPES, testPass));
  if (wrong !== undefined) return wrong;
  const { count = DEFAULT_COUNT, seed = 0, context = {}, ...about } = options;
  const random = mulberry32(seed);
  let changed = 0;
  let unknown = 0;
  for (let i = 0; i < count; i++) {
    const programSeed = Math.floor(random() * 0x7fffffff);
    const made = orDiagnostics(() => programOf(programSeed, about));
    if (isLeft(made)) return made;
    const { module } = made.right;
    const check = (m: IRModule) => checkPass(pass, m, { seed, context });
    const found = check(module);
    if (isLeft(found)) return found;
    const { equivalence } = found.right;
    if (found.right.changed) changed++;
    if (found.right.changed && equivalence.verdict === 'unknown') unknown++;
    if (equivalence.verdict !== 'different') continue;
    const stillDiffers = (m: IRModule): boolean => {
      const again = check(m);
      return !isLeft(again) && again.right.equivalence.verdict === 'different';
    };
    const small = reduce(module, stillDiffers, { maxAttempts: REDUCE_ATTEMPTS });
    const text = printModule(isLeft(small) ? module : small.right.module, { showTypes: false });
    return fail(passDiffers(pass.name, describeDifference(equivalence), programSeed, text));
  }
  return changed === 0
    ? fail(neverChanged(pass.name, count))
    : right({ programs: count, changed, unknown });
}

/** The result of `make`, or the mistakes in the user's motifs. */
function orDiagnostics<A>(make: () => A): Result<A> {
  try {
    return right(make());
  } catch (error) {
    if (error instanceof DiagnosticsError) return left(error.diagnostics);
    throw error;
  }
}
