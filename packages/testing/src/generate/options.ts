/** What programs to generate. */
import {
  type AnyFunction,
  aRecord,
  checkOptions,
  type Diagnostic,
  listOf,
  type OptionType,
  type OptionTypes,
  oneOfThese,
  wholeNumber,
} from '@baton/base';
import type { OpTable } from '@baton/ir';
import { DTYPES, type DType } from '@baton/tensor';
import type { Motif } from './motif.ts';
import type { NumericKind } from './numeric-kind.ts';

/** The themes of {@link Focus}. */
export const FOCUSES = [
  'scale-chains',
  'scale-inputs',
  'scale-results',
  'constants',
  'batch-norm',
  'bias',
  'padding',
  'casts',
  'movement',
  'arith',
  'like',
  'duplicates',
  'dead',
  'unused-functions',
  'fusable',
  'normal-form',
] as const;

/** A theme that programs dwell on, so that the passes that care about it have something to do. */
export type Focus = (typeof FOCUSES)[number];

/** What programs to generate. */
export interface ProgramOptions {
  /**
   * The operators to generate calls of.
   * @defaultValue `standardOps`
   */
  readonly ops?: OpTable;
  /**
   * About how many calls of operators the largest programs have.
   * @defaultValue 12
   */
  readonly maxCalls?: number;
  /** Themes to dwell on. Without one, programs have something of everything. */
  readonly focus?: Focus | ReadonlyArray<Focus>;
  /**
   * Patterns of one's own to dwell on, beside the themes: what a pass of one's own looks for, and
   * what it must refuse. See {@link motif}.
   */
  readonly motifs?: ReadonlyArray<Motif>;
  /**
   * `dataflow`: shared calls, lets, conditions, tuples and functions. `whole`: closures, functions of
   * functions, data types and matches, references, bounded recursion, polymorphism and symbolic
   * dimensions besides.
   * @defaultValue `dataflow`
   */
  readonly language?: 'dataflow' | 'whole';
  /**
   * `late`: much is left for inference to find. Operators are applied before the types of their
   * arguments are known, functions have aliases and are values of polymorphic types, and sizes are
   * free until the program runs: the parameters of `main` may say `?`, or name a size after its
   * value.
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

const aFocus = oneOfThese(FOCUSES);

const aShare: OptionType = {
  expected: 'a number from 0 to 1',
  is: (value) => typeof value === 'number' && value >= 0 && value <= 1,
};

const oneOrMore = (item: OptionType, items: string): OptionType => ({
  ...item,
  expected: `${item.expected}, or a list of ${items}`,
  is: (value) => item.is(value) || listOf(item, items).is(value),
});

/** What each option of programs may hold. */
export const PROGRAM_TYPES: OptionTypes<ProgramOptions> = {
  ops: aRecord,
  maxCalls: wholeNumber(1),
  focus: oneOrMore(aFocus, 'them'),
  motifs: listOf(aRecord, 'motifs'),
  language: oneOfThese(['dataflow', 'whole']),
  numerics: oneOfThese(['exact', 'smooth', 'any']),
  types: oneOfThese(['stated', 'late']),
  emptyAxes: aShare,
  dtype: oneOfThese(DTYPES),
};

/** What is wrong with the options of programs. */
export const programProblems = (
  owner: string,
  options: ProgramOptions,
  callee: AnyFunction,
): ReadonlyArray<Diagnostic> => checkOptions(owner, options, PROGRAM_TYPES, callee);
