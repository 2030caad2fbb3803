/**
 * Dimensions: a number, unknown (`?`), or a sum of products over dimension variables in normal
 * form, so that `2 * m`, `m + m` and `m * 2` are equal (types.md §10.1).
 */
import { hashNumber, hashText, mixHash } from '@baton/base';
import type { IncompleteType, TypeVar } from './variable.ts';

/** `?`: known only at run time. Two of them are not known to be equal. */
export interface AnyDim {
  readonly _tag: 'AnyDim';
}

/** An exact division that does not cancel. */
export interface DimQuotient {
  readonly _tag: 'DimQuotient';
  readonly numerator: Dim;
  readonly denominator: Dim;
}

/** A variable, a hole, or a division: what a product multiplies. */
export type DimAtom = TypeVar | IncompleteType | DimQuotient;

/** `coefficient · atom · atom · …`. */
export interface DimTerm {
  readonly coefficient: number;
  readonly atoms: ReadonlyArray<DimAtom>;
}

/** `constant + term + term + …`, with at least one term and no coefficient of 0. */
export interface DimSum {
  readonly _tag: 'DimSum';
  readonly constant: number;
  readonly terms: ReadonlyArray<DimTerm>;
}

/** One dimension of a shape: an int ≥ 0, unknown, or symbolic. */
export type Dim = number | AnyDim | DimSum;

/** Divisions nest no deeper: what would is unknown. It bounds the recursion over dimensions. */
export const MAX_QUOTIENT_DEPTH = 16;

/** A normal form has no more terms: what would is unknown. Products of sums grow fast. */
export const MAX_DIM_TERMS = 64;

/** The unknown dimension. */
export const anyDim: AnyDim = { _tag: 'AnyDim' };

/** The dimension that a variable or a hole stands for. */
export const dimOf = (atom: DimAtom): DimSum => ({
  _tag: 'DimSum',
  constant: 0,
  terms: [{ coefficient: 1, atoms: [atom] }],
});

/** Whether the dimension is a number. */
export const isStaticDim = (dim: Dim): dim is number => typeof dim === 'number';

/** Whether the dimension is `?`. */
export const isAnyDim = (dim: Dim): dim is AnyDim =>
  typeof dim !== 'number' && dim._tag === 'AnyDim';

const termsOf = (dim: number | DimSum): { constant: number; terms: ReadonlyArray<DimTerm> } =>
  typeof dim === 'number' ? { constant: dim, terms: [] } : dim;

/** Whether two dimensions are known to be equal. `?` is equal to nothing, not even to itself. */
export function dimsEqual(a: Dim, b: Dim): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  if (a._tag === 'AnyDim' || b._tag === 'AnyDim') return false;
  return (
    a.constant === b.constant &&
    a.terms.length === b.terms.length &&
    a.terms.every((t) =>
      b.terms.some((u) => u.coefficient === t.coefficient && sameAtoms(t.atoms, u.atoms)),
    )
  );
}

/** As {@link dimsEqual}, but `?` is the same dimension as `?`: equality of what is written. */
export const sameDim = (a: Dim, b: Dim): boolean => (isAnyDim(a) && isAnyDim(b)) || dimsEqual(a, b);

/** `a + b`; unknown if either is. */
export function addDims(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (isAnyDim(a) || isAnyDim(b)) return anyDim;
  const left = termsOf(a);
  const right = termsOf(b);
  return normal(left.constant + right.constant, [...left.terms, ...right.terms]);
}

/** `a · b`; unknown if either is. */
export function multiplyDims(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (isAnyDim(a) || isAnyDim(b)) return anyDim;
  const left = termsOf(a);
  const right = termsOf(b);
  if (left.terms.length * right.terms.length > MAX_DIM_TERMS) return anyDim;
  return normal(left.constant * right.constant, [
    ...left.terms.map((t) => ({ ...t, coefficient: t.coefficient * right.constant })),
    ...right.terms.map((t) => ({ ...t, coefficient: t.coefficient * left.constant })),
    ...left.terms.flatMap((t) =>
      right.terms.map((u) => ({
        coefficient: t.coefficient * u.coefficient,
        atoms: [...t.atoms, ...u.atoms],
      })),
    ),
  ]);
}

/** `a − b`; unknown if either is. */
export const subtractDims = (a: Dim, b: Dim): Dim => addDims(a, multiplyDims(-1, b));

/**
 * `a / b` where the division is exact; an atom of its own where that is not known. Two numbers
 * that do not divide give `undefined`.
 */
export function divideDims(a: Dim, b: Dim): Dim | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    return b !== 0 && a % b === 0 ? a / b : undefined;
  }
  if (isAnyDim(a) || isAnyDim(b)) return anyDim;
  if (b === 1) return a;
  if (dimsEqual(a, b)) return 1;
  if (typeof b === 'number') {
    const { constant, terms } = termsOf(a);
    if (b !== 0 && constant % b === 0 && terms.every((t) => t.coefficient % b === 0)) {
      return normal(
        constant / b,
        terms.map((t) => ({ ...t, coefficient: t.coefficient / b })),
      );
    }
  }
  return Math.max(quotientDepth(a), quotientDepth(b)) < MAX_QUOTIENT_DEPTH
    ? dimOf({ _tag: 'DimQuotient', numerator: a, denominator: b })
    : anyDim;
}

/** How deep divisions nest in a dimension. Its recursion is bounded by what it measures. */
function quotientDepth(dim: Dim): number {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return 0;
  let depth = 0;
  for (const atom of dim.terms.flatMap((term) => term.atoms)) {
    if (atom._tag !== 'DimQuotient') continue;
    const below = Math.max(quotientDepth(atom.numerator), quotientDepth(atom.denominator));
    depth = Math.max(depth, below + 1);
  }
  return depth;
}

/** A hash that does not depend on the order of terms. */
export function hashDim(dim: Dim): number {
  if (typeof dim === 'number') return hashNumber(dim);
  if (dim._tag === 'AnyDim') return hashText('?');
  let sum = 0;
  for (const term of dim.terms) {
    sum = (sum + mixHash(hashNumber(term.coefficient), term.atoms.length)) | 0;
  }
  return mixHash(hashNumber(dim.constant), sum);
}

function sameAtom(a: DimAtom, b: DimAtom): boolean {
  if (a === b) return true;
  return (
    a._tag === 'DimQuotient' &&
    b._tag === 'DimQuotient' &&
    dimsEqual(a.numerator, b.numerator) &&
    dimsEqual(a.denominator, b.denominator)
  );
}

function sameAtoms(a: ReadonlyArray<DimAtom>, b: ReadonlyArray<DimAtom>): boolean {
  if (a.length !== b.length) return false;
  const rest = [...b];
  return a.every((atom) => {
    const at = rest.findIndex((other) => sameAtom(atom, other));
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}

function normal(constant: number, terms: ReadonlyArray<DimTerm>): Dim {
  const merged: DimTerm[] = [];
  for (const term of terms) {
    const at = merged.findIndex((m) => sameAtoms(m.atoms, term.atoms));
    const old = merged[at];
    if (old === undefined) merged.push(term);
    else merged[at] = { ...old, coefficient: old.coefficient + term.coefficient };
  }
  const kept = merged.filter((t) => t.coefficient !== 0);
  if (kept.length > MAX_DIM_TERMS || kept.some((t) => t.atoms.length > MAX_DIM_TERMS)) {
    return anyDim;
  }
  return kept.length === 0 ? constant : { _tag: 'DimSum', constant, terms: kept };
}
