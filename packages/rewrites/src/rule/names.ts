/** The names of holes in the text of a pattern, for the compiler. */
import type { Attrs, AttrValue, OpTable } from '@baton/ir';
import type { Term } from './term.ts';

type End =
  | ' '
  | '('
  | ')'
  | ','
  | '.'
  | '+'
  | '-'
  | '*'
  | '/'
  | '<'
  | '>'
  | '='
  | '!'
  | '&'
  | '|'
  | '\n';

type NameOf<S extends string, N extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends End
    ? N
    : NameOf<Rest, `${N}${C}`>
  : N;

/** The names of all holes. */
export type HoleNames<S extends string> = S extends `${string}?${infer Rest}`
  ? NameOf<Rest> | HoleNames<Rest>
  : never;

/** The names of holes for all attributes that a call does not name. */
type RestNames<S extends string> = S extends `${string}attrs=?${infer Rest}`
  ? NameOf<Rest> | RestNames<Rest>
  : never;

/** The names of holes for attributes, which stand behind `=`. */
type AttrNames<S extends string> = S extends `${string}=?${infer Rest}`
  ? NameOf<Rest> | AttrNames<Rest>
  : never;

/** The names of holes for operators, which stand before `(`. */
type OperatorNames<S extends string> = S extends `${string}?${infer Rest}`
  ? (Rest extends `${NameOf<Rest>}(${string}` ? NameOf<Rest> : never) | OperatorNames<Rest>
  : never;

/** The name of the matched expression among the holes. */
export const RESULT = 'result';

/** The name of the table of operators among the holes. */
export const OPS = 'ops';

/**
 * The values of the holes of a match by name: terms, attributes, sets of attributes, names of
 * operators, and the table of operators.
 */
export type MatchedHoles = Readonly<Record<string, Term | AttrValue | Attrs | OpTable>>;

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
            : Term;
    } & { readonly [RESULT]: Term; readonly [OPS]: OpTable };

/** `R` if `L` or `C` names every hole in it, else a text that names the unbound ones. */
export type Bound<L extends string, R extends string, C extends string> = string extends L
  ? R
  : string extends R
    ? R
    : [Exclude<HoleNames<R>, HoleNames<L> | C>] extends [never]
      ? R
      : `unbound hole ?${Exclude<HoleNames<R>, HoleNames<L> | C>}`;
