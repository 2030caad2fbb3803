/** The values of a match by the names of holes, for the compiler. */
import type { Attrs, AttrValue, OpTable } from '@baton/ir';
import type { AttrNames, HoleNames, OperatorNames, RestNames } from '@baton/ops';
import type { MatchedValue } from './matched-value.ts';

/** The name of the matched expression among the holes. */
export const RESULT = 'result';

/** The name of the table of operators among the holes. */
export const OPS = 'ops';

/**
 * The values of the holes of a match by name: terms, attributes, sets of attributes, names of
 * operators, and the table of operators.
 */
export type MatchedHoles = Readonly<Record<string, MatchedValue | AttrValue | Attrs | OpTable>>;

/**
 * The values of the holes of a pattern by name, the matched expression as `result`, and the table of
 * operators as `ops`.
 */
export type Matched<L extends string> = string extends L
  ? MatchedHoles
  : {
      readonly [N in HoleNames<L>]: N extends RestNames<L>
        ? Attrs
        : N extends AttrNames<L>
          ? AttrValue
          : N extends OperatorNames<L>
            ? string
            : MatchedValue;
    } & { readonly [RESULT]: MatchedValue; readonly [OPS]: OpTable };
