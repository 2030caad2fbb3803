/** The options of generated programs. */
import {
  type AnyFunction,
  aRecord,
  checkOptions,
  failure,
  isLeft,
  listOf,
  type OptionType,
  type OptionTypes,
  oneOfThese,
  throwAt,
  wholeNumber,
} from '@baton/base';
import type { OpTable } from '@baton/ir';
import { DTYPES, type DType } from '@baton/tensor';
import type { Motif } from './generate/motif.ts';
import type { NumericKind } from './generate/numeric-kind.ts';
import { type Focus, MOTIFS } from './motifs/by-focus.ts';

export interface ProgramOptions {
  /**
   * The operators to generate calls of.
   * @defaultValue `standardOps`
   */
  readonly ops?: OpTable;
  /**
   * The approximate number of operator calls of the largest programs.
   * @defaultValue 12
   */
  readonly maxCalls?: number;
  /** The themes. Without one, programs have something of everything. */
  readonly focus?: Focus | ReadonlyArray<Focus>;
  /**
   * The user's own patterns, in addition to the themes: the ones that a pass looks for, and near misses.
   * See {@link motif}.
   */
  readonly motifs?: ReadonlyArray<Motif>;
  /**
   * `dataflow`: shared calls, lets, conditions, tuples and functions. `whole` adds closures,
   * functions of functions, data types and matches, references, bounded recursion, polymorphism and
   * symbolic dimensions.
   * @defaultValue `dataflow`
   */
  readonly language?: 'dataflow' | 'whole';
  /**
   * `late` leaves much for inference to find. Operators are applied before the types of their
   * arguments are known, functions have aliases and are values of polymorphic types, and sizes are
   * free until the program runs: parameters of `main` may have a size `?`, or a named one.
   * @defaultValue `stated`
   */
  readonly types?: 'stated' | 'late';
  /**
   * The share of the shapes that have an axis of size 0.
   * @defaultValue 0.02
   */
  readonly emptyAxes?: number;
  /** @defaultValue `any` */
  readonly numerics?: NumericKind;
  /**
   * The dtype of most tensors.
   * @defaultValue `float32`
   */
  readonly dtype?: DType;
}

const aShare: OptionType = {
  expected: 'a number from 0 to 1',
  is: (value) => typeof value === 'number' && value >= 0 && value <= 1,
};

const oneOrMore = (item: OptionType, items: string): OptionType => ({
  ...item,
  expected: `${item.expected}, or a list of ${items}`,
  is: (value) => item.is(value) || listOf(item, items).is(value),
});

export const PROGRAM_TYPES: OptionTypes<ProgramOptions> = {
  ops: aRecord,
  maxCalls: wholeNumber(1),
  focus: oneOrMore(oneOfThese(Object.keys(MOTIFS)), 'them'),
  motifs: listOf(aRecord, 'motifs'),
  language: oneOfThese(['dataflow', 'whole']),
  numerics: oneOfThese(['exact', 'smooth', 'any']),
  types: oneOfThese(['stated', 'late']),
  emptyAxes: aShare,
  dtype: oneOfThese(DTYPES),
};

export function requireOptions(owner: string, options: ProgramOptions, callee: AnyFunction): void {
  const wrong = failure(checkOptions(owner, options, PROGRAM_TYPES, callee));
  if (wrong !== undefined && isLeft(wrong)) throwAt(wrong.left, callee);
}
