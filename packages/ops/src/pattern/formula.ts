/** Formulas: patterns that build expressions, parsed on first use. */
import { orThrow } from '@baton/base';
import type { HoleNames } from './names.ts';
import { parsePattern } from './parse.ts';
import type { Pattern } from './pattern.ts';

/** An expression with holes, as text. `H` are the names of the holes. */
export interface Formula<out H extends string = string> {
  readonly _tag: 'Formula';
  readonly text: string;
  /** The parsed text. Reading it throws the errors of the text. */
  readonly pattern: Pattern;
  /** Carries `H`; never read. */
  readonly holes?: H;
}

/**
 * A formula in the notation of {@link parsePattern}. Its text is read once, when it is first used:
 *
 * ```ts
 * const softplus = formula('log(exp(?x * ?beta) + 1) / ?beta');
 * instantiate(standardOps, softplus, { x }, { beta: 2 });
 * ```
 */
export const formula = <const T extends string>(text: T): Formula<NamesIn<T>> => {
  let pattern: Pattern | undefined;
  return {
    _tag: 'Formula',
    text,
    get pattern(): Pattern {
      pattern ??= orThrow(parsePattern(text, 'formula'));
      return pattern;
    },
  };
};

/** The names of the holes in a text; none if the text is not a literal. */
type NamesIn<T extends string> = string extends T ? never : HoleNames<T>;
