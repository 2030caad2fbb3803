/** Equality of the fields of two nodes, by their roles in the grammar. */
import { isBig, readNumber, type Tensor, tensorsEqual } from '@baton/tensor';
import type { Call, Clause, Expr, Pattern, Var } from '../expr/expr.ts';
import { type Attrs, attrsEqual } from '../types/attrs.ts';
import type { Type, TypeArg, TypeRelation } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';
import type { Renaming } from './renaming.ts';
import {
  pairTypeParams,
  sameRelations,
  sameTypeArg,
  type TypeRenaming,
  typeEqual,
} from './type-equal.ts';

export interface Comparison {
  readonly vars: Renaming<Var>;
  readonly types: TypeRenaming;
  readonly mapFreeVars: boolean;
  /** The attributes of a call, with defaults for missing ones. */
  readonly attrsOf: (call: Call) => Attrs;
  /** The pairs still to compare: the two sides one after the other, the next pair last. */
  readonly pending: Expr[];
}

type List<A> = ReadonlyArray<A>;

/** Queues a pair as the next one. */
export function child(a: Expr, b: Expr, { pending }: Comparison): boolean {
  pending.push(a, b);
  return true;
}

/** Queues the pairs of two lists, the first pair as the next one. */
export function children(as: List<Expr>, bs: List<Expr>, { pending }: Comparison): boolean {
  if (as.length !== bs.length) return false;
  for (let i = as.length - 1; i >= 0; i--) pending.push(as[i] as Expr, bs[i] as Expr);
  return true;
}

/** Queues the right sides of clauses of equal number. */
export function bodies(as: List<Clause>, bs: List<Clause>, { pending }: Comparison): boolean {
  for (let i = as.length - 1; i >= 0; i--) {
    pending.push((as[i] as Clause).body, (bs[i] as Clause).body);
  }
  return true;
}

export const clauses = (as: List<Clause>, bs: List<Clause>, c: Comparison): boolean =>
  as.length === bs.length &&
  as.every(({ pattern }, i) => samePattern(pattern, (bs[i] as Clause).pattern, c));

export function variable(a: Var, b: Var, { vars, types, mapFreeVars }: Comparison): boolean {
  const known = vars.arePaired(a, b);
  if (known !== undefined) return known;
  if (!mapFreeVars) return a === b;
  return vars.meet(a, b) !== 'clash' && sameAnnotation(a.typeAnnotation, b.typeAnnotation, types);
}

export function binder(a: Var, b: Var, { vars, types }: Comparison): boolean {
  vars.bind(a, b);
  return sameAnnotation(a.typeAnnotation, b.typeAnnotation, types);
}

export const binders = (as: List<Var>, bs: List<Var>, c: Comparison): boolean =>
  as.length === bs.length && as.every((v, i) => binder(v, bs[i] as Var, c));

export const typeBinders = (as: List<TypeVar>, bs: List<TypeVar>, c: Comparison): boolean =>
  pairTypeParams(as, bs, c.types) !== undefined;

export const type = (a: Type | undefined, b: Type | undefined, c: Comparison): boolean =>
  sameAnnotation(a, b, c.types);

export const typeArgs = (as: List<TypeArg>, bs: List<TypeArg>, { types }: Comparison): boolean =>
  as.length === bs.length &&
  as.every((arg, i) => sameTypeArg(arg, bs[i] as TypeArg, types, typesNow(types)));

export const relations = (as: List<TypeRelation>, bs: List<TypeRelation>, c: Comparison): boolean =>
  sameRelations(as, bs, typesNow(c.types));

export const attrs = (a: Attrs, b: Attrs, _: Comparison): boolean => attrsEqual(a, b);

/** Whether two calls have equal attributes, with defaults for missing ones. */
export const callAttrs = (a: Call, b: Call, c: Comparison): boolean =>
  attrsEqual(c.attrsOf(a), c.attrsOf(b));

export function tensor(a: Tensor, b: Tensor, _: Comparison): boolean {
  if (a === b) return true;
  if (a.shape.length > 0 || b.shape.length > 0 || isBig(a.dtype)) return tensorsEqual(a, b);
  return a.dtype === b.dtype && Object.is(readNumber(a, 0), readNumber(b, 0));
}

const sameAnnotation = (a: Type | undefined, b: Type | undefined, types: TypeRenaming): boolean =>
  a === undefined || b === undefined ? a === b : typeEqual(a, b, types);

const typesNow =
  (types: TypeRenaming) =>
  (as: List<Type>, bs: List<Type>): boolean =>
    as.length === bs.length && as.every((t, i) => typeEqual(t, bs[i] as Type, types));

function samePattern(left: Pattern, right: Pattern, c: Comparison): boolean {
  const pending: [Pattern, Pattern][] = [[left, right]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [a, b] = next;
    if (a._tag === 'PatternWildcard' && b._tag === 'PatternWildcard') continue;
    if (a._tag === 'PatternVar' && b._tag === 'PatternVar') {
      if (!binder(a.variable, b.variable, c)) return false;
      continue;
    }
    const subs = subPatterns(a, b);
    if (subs === undefined) return false;
    pending.push(...subs);
  }
  return true;
}

/** The parts of two patterns of the same form, pairwise, or `undefined` if their forms differ. */
function subPatterns(a: Pattern, b: Pattern): [Pattern, Pattern][] | undefined {
  const parts =
    a._tag === 'PatternConstructor' && b._tag === 'PatternConstructor'
      ? a.ctor.nameHint === b.ctor.nameHint
      : a._tag === 'PatternTuple' && b._tag === 'PatternTuple';
  if (!parts || !('patterns' in a) || !('patterns' in b)) return undefined;
  if (a.patterns.length !== b.patterns.length) return undefined;
  return a.patterns.map((p, i): [Pattern, Pattern] => [p, b.patterns[i] as Pattern]);
}
