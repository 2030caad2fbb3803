/** The names of holes in the text of a pattern, for the compiler. */

type End =
  | ' '
  | '('
  | ')'
  | ','
  | ';'
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

export type HoleNames<S extends string> = S extends `${string}?${infer Rest}`
  ? NameOf<Rest> | HoleNames<Rest>
  : never;

/** The names of holes for all attributes that a call does not name. */
export type RestNames<S extends string> = S extends `${string}attrs=?${infer Rest}`
  ? NameOf<Rest> | RestNames<Rest>
  : never;

/** The names of holes for attributes, which follow `=`. */
export type AttrNames<S extends string> = S extends `${string}=?${infer Rest}`
  ? NameOf<Rest> | AttrNames<Rest>
  : never;

/** The names of holes for operators, which precede `(`. */
export type OperatorNames<S extends string> = S extends `${string}?${infer Rest}`
  ? (Rest extends `${NameOf<Rest>}(${string}` ? NameOf<Rest> : never) | OperatorNames<Rest>
  : never;

/** `T` if `N` are the names of all its holes, else a text that names the unbound ones. */
export type BoundBy<N extends string, T extends string> = string extends N
  ? T
  : string extends T
    ? T
    : [Exclude<HoleNames<T>, N>] extends [never]
      ? T
      : `unbound hole ?${Exclude<HoleNames<T>, N>}`;

/** `R` if `L` or `C` names every hole in it, else a text that names the unbound ones. */
export type Bound<L extends string, R extends string, C extends string> = string extends L
  ? R
  : BoundBy<HoleNames<L> | C, R>;
