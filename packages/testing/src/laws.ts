/** Laws of every pass, checked on programs. */

import { isLeft } from '@baton/base';
import { type IRModule, inferTypes, wellFormed } from '@baton/ir';
import { type Pass, type PassContextParts, runPass } from '@baton/pass-manager';
import { printModule } from '@baton/text';
import fc from 'fast-check';
import type { ProgramOptions } from './options.ts';
import type { Program } from './program.ts';
import { programs } from './programs.ts';

export interface PassLaw {
  readonly name: string;
  /** The fault in the pass's result for the module; `undefined` if there is none. */
  readonly broken: (m: IRModule) => string | undefined;
  readonly property: fc.IProperty<[Program]>;
}

export interface PassLawOptions extends ProgramOptions {
  /**
   * Whether a second run changes nothing.
   * @defaultValue `true`
   */
  readonly isIdempotent?: boolean;
  readonly context?: PassContextParts;
}

/**
 * The laws of a pass: it succeeds, its result is well-formed and well-typed, it is deterministic,
 * and, by default, a second run returns the same module. `checkPass` of `@baton/equivalence` checks
 * that it keeps the results of programs.
 */
export function passLaws(pass: Pass, options: PassLawOptions = {}): ReadonlyArray<PassLaw> {
  const { isIdempotent = true, context = {}, ...about } = options;
  const run = (m: IRModule): IRModule | string => {
    const result = runPass(pass, context)(m);
    return isLeft(result) ? result.left.map((d) => d.message).join('; ') : result.right.module;
  };
  const law = (
    name: string,
    check: (m: IRModule, made: IRModule) => string | undefined,
  ): PassLaw => {
    const broken = (m: IRModule): string | undefined => {
      const made = run(m);
      return typeof made === 'string' ? `the pass fails: ${made}` : check(m, made);
    };
    const property = fc.property(programs(about), ({ module }) => {
      const reason = broken(module);
      if (reason !== undefined) throw new Error(`${pass.name}, ${name}: ${reason}`);
    });
    return { name, broken, property };
  };
  const laws = [
    law('its result is well-formed', (_, made) => wellFormed(made)[0]?.message),
    law('its result is well-typed', (_, made) => {
      const typed = inferTypes(made);
      return isLeft(typed) ? typed.left[0].message : undefined;
    }),
    law('it is deterministic', (m, made) => {
      const again = run(m);
      const isSame = typeof again !== 'string' && printModule(again) === printModule(made);
      return isSame ? undefined : 'a second run on the same module gives another';
    }),
  ];
  const idempotent = law('it is idempotent', (_, made) =>
    run(made) === made ? undefined : 'a second run on its result makes another module',
  );
  return isIdempotent ? [...laws, idempotent] : laws;
}
