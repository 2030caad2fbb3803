/**
 * Unification of dimensions: [types §3.1](https://batonjs.github.io/baton/spec/types#3.1),
 * [§10.1](https://batonjs.github.io/baton/spec/types#10.1).
 */
import {
  anyDim,
  type Dim,
  type DimAtom,
  type DimQuotient,
  type DimTerm,
  dimOf,
  dimsEqual,
  divideDims,
  isAnyDim,
  MAX_QUOTIENT_DEPTH,
  multiplyDims,
  subtractDims,
} from '../types/dim.ts';
import { dimLeaves } from '../types/parts.ts';
import type { IncompleteType } from '../types/variable.ts';
import { bareHole, type Substitution } from './substitution.ts';

/** Unification of dimensions under one substitution. */
export interface DimUnifier {
  /** The dimension that both are, or `undefined`. */
  readonly unify: (a: Dim, b: Dim) => Dim | undefined;
  /**
   * The holes that have met `?`. A known size still fills them; those that nothing fills become
   * `?` in the end.
   */
  readonly gradual: ReadonlySet<IncompleteType>;
  /** Makes `?` of a hole that nothing has filled. */
  readonly settle: (hole: IncompleteType) => void;
  /** Forgets which holes have met `?`. */
  readonly clear: () => void;
}

/** A unifier of dimensions. `postpone` is told of equations with several holes, to try later. */
export function makeDimUnifier(
  subst: Substitution,
  postpone: (a: Dim, b: Dim) => void,
): DimUnifier {
  const gradual = new Set<IncompleteType>();
  const meetsAny = (dim: Dim): Dim => {
    for (const leaf of dimLeaves(dim)) if (leaf._tag === 'IncompleteType') gradual.add(leaf);
    return anyDim;
  };
  const fill = (hole: IncompleteType, dim: Dim): Dim => {
    const other = bareHole(dim);
    if (other !== undefined && gradual.has(hole)) gradual.add(other);
    subst.bindDim(hole, dim);
    return dim;
  };
  const unify = (a0: Dim, b0: Dim): Dim | undefined => {
    if (typeof a0 === 'number' && typeof b0 === 'number') return a0 === b0 ? a0 : undefined;
    const a = subst.dim(a0);
    const b = subst.dim(b0);
    if (isAnyDim(a)) return meetsAny(b);
    if (isAnyDim(b)) return meetsAny(a);
    if (dimsEqual(a, b)) return a;
    const left = bareHole(a);
    if (left !== undefined && !dimLeaves(b).includes(left)) return fill(left, b);
    const right = bareHole(b);
    if (right !== undefined && !dimLeaves(a).includes(right)) return fill(right, a);
    const difference = subtractDims(a, b);
    const holes = dimLeaves(difference).filter((leaf) => leaf._tag === 'IncompleteType');
    const [hole, ...others] = holes;
    if (hole === undefined) return dimsEqual(difference, 0) ? a : undefined;
    const solved = others.length === 0 ? solve(difference, hole) : 'later';
    if (solved === 'later') postpone(a, b);
    else if (solved === 'never') return undefined;
    else subst.bindDim(hole, solved);
    return a;
  };
  const settle = (hole: IncompleteType): void => {
    const dim = subst.dim(dimOf(hole));
    for (const leaf of dimLeaves(dim)) {
      if (leaf._tag === 'IncompleteType') subst.bindDim(leaf, anyDim);
    }
  };
  const clear = (): void => {
    if (gradual.size > 0) gradual.clear();
  };
  return { unify, gradual, settle, clear };
}

/** What makes `difference`, whose one hole is `hole`, zero: `k · hole + c` with k dividing c. */
function solve(given: Dim, hole: IncompleteType): Dim | 'later' | 'never' {
  const difference = withoutDivision(given, hole);
  if (typeof difference === 'number' || isAnyDim(difference)) return 'later';
  const linear = difference.terms.filter((term) => isHoleTerm(term, hole));
  const [term] = linear;
  const rest = difference.terms.filter((t) => !linear.includes(t));
  const isLinear = !rest.some((t) =>
    t.atoms.some((atom) => dimLeaves(dimAtom(atom)).includes(hole)),
  );
  if (term === undefined || linear.length > 1 || !isLinear) return 'later';
  const known: Dim =
    rest.length === 0
      ? difference.constant
      : { _tag: 'DimSum', constant: difference.constant, terms: rest };
  const value = divideDims(known, -term.coefficient);
  if (value === undefined) return 'never';
  if (typeof value === 'number') return value >= 0 ? value : 'never';
  const isExact = !isAnyDim(value) && value.terms.every((t) => !t.atoms.some(isQuotient));
  return isExact || rest.some((t) => t.atoms.some(isQuotient)) ? value : 'never';
}

/** The difference times the numbers by which something with the hole is divided. */
function withoutDivision(given: Dim, hole: IncompleteType): Dim {
  let dim = given;
  for (let i = 0; i < MAX_QUOTIENT_DEPTH && typeof dim !== 'number' && !isAnyDim(dim); i++) {
    const divisors = dim.terms.flatMap(({ atoms }) =>
      atoms.flatMap((atom) =>
        isQuotient(atom) && dimLeaves(dimAtom(atom)).includes(hole) ? [atom.denominator] : [],
      ),
    );
    const divisor = divisors.find((denominator) => typeof denominator === 'number');
    if (divisor === undefined) return dim;
    dim = multiplyDims(dim, divisor);
  }
  return dim;
}

const isQuotient = (atom: DimAtom): atom is DimQuotient => atom._tag === 'DimQuotient';

const dimAtom = (atom: DimAtom): Dim => ({
  _tag: 'DimSum',
  constant: 0,
  terms: [{ coefficient: 1, atoms: [atom] }],
});

const isHoleTerm = (term: DimTerm, hole: IncompleteType): boolean =>
  term.atoms.length === 1 && term.atoms[0] === hole;
