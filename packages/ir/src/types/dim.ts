/**
 * Dimensions: a number, unknown (`?`), or a sum of products over dimension variables in normal
 * form, so that `2 * m`, `m + m` and `m * 2` are equal
 * ([types §10.1](https://batonjs.github.io/baton/spec/types#10.1)).
 */
import { hashNumber, hashText, mixHash } from '@baton/base';
import type { IncompleteType, Mentions, TypeVar } from './variable.ts';

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

/** A variable, a hole, or a division: a factor of a product. */
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

/** The deepest nesting of divisions, which bounds recursion over dimensions; beyond is `?`. */
export const MAX_QUOTIENT_DEPTH = 16;

/** The most terms of a normal form: longer ones are unknown. Products of sums grow fast. */
export const MAX_DIM_TERMS = 64;

export const anyDim: AnyDim = { _tag: 'AnyDim' };

/** The dimension of a variable or a hole. */
export const dimOf = (atom: DimAtom): DimSum => ({
  _tag: 'DimSum',
  constant: 0,
  terms: [{ coefficient: 1, atoms: [atom] }],
});

/** The variable, hole or division that a dimension consists of, if it is one. */
export function bareAtom(dim: Dim): DimAtom | undefined {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return undefined;
  const [term, ...others] = dim.terms;
  if (term === undefined || others.length > 0 || dim.constant !== 0) return undefined;
  return term.coefficient === 1 && term.atoms.length === 1 ? term.atoms[0] : undefined;
}

export const isStaticDim = (dim: Dim): dim is number => typeof dim === 'number';

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

/** Like {@link dimsEqual}, but `?` equals `?`: equality of the written form. */
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
  if (typeof a === 'number' && typeof b === 'number') return a * b + 0;
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

/** `a / b` if exact, or an atom if that is unknown; `undefined` for numbers that do not divide. */
export function divideDims(a: Dim, b: Dim): Dim | undefined {
  if (isAnyDim(a) || isAnyDim(b)) return anyDim;
  const exact = exactQuotient(a, b);
  if (exact !== undefined || (typeof a === 'number' && typeof b === 'number')) return exact;
  return Math.max(quotientDepth(a), quotientDepth(b)) < MAX_QUOTIENT_DEPTH
    ? dimOf({ _tag: 'DimQuotient', numerator: a, denominator: b })
    : anyDim;
}

/** `a / b` if the divisor is a factor that can be left out. */
function exactQuotient(a: number | DimSum, b: number | DimSum): Dim | undefined {
  if (b === 0) return undefined;
  if (b === 1) return a;
  if (dimsEqual(a, b)) return 1;
  const { constant, terms } = termsOf(a);
  const divisor = soleTerm(b);
  if (divisor === undefined || constant % divisor.coefficient !== 0) return undefined;
  if (constant !== 0 && divisor.atoms.length > 0) return undefined;
  const rest: DimTerm[] = [];
  for (const { coefficient, atoms } of terms) {
    const left = withoutAtoms(atoms, divisor.atoms);
    if (left === undefined || coefficient % divisor.coefficient !== 0) return undefined;
    rest.push({ coefficient: coefficient / divisor.coefficient, atoms: left });
  }
  return normal(constant / divisor.coefficient, rest);
}

/** A dimension as one product, if it is one. */
function soleTerm(dim: number | DimSum): DimTerm | undefined {
  const { constant, terms } = termsOf(dim);
  const [term, ...others] = terms;
  if (term === undefined) return { coefficient: constant, atoms: [] };
  return others.length === 0 && constant === 0 ? term : undefined;
}

/** The nesting of divisions in a dimension, which bounds its own recursion. */
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

/**
 * Whether a dimension mentions holes or variables. Recursion is over divisions, which nest at most
 * {@link MAX_QUOTIENT_DEPTH} deep.
 */
export function dimMentions(dim: Dim): Mentions {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return 0;
  let found = 0;
  for (const { atoms } of dim.terms) {
    for (const atom of atoms) {
      found |=
        atom._tag === 'DimQuotient'
          ? dimMentions(atom.numerator) | dimMentions(atom.denominator)
          : atom.mentions;
    }
  }
  return found;
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

const sameAtoms = (a: ReadonlyArray<DimAtom>, b: ReadonlyArray<DimAtom>): boolean =>
  a.length === b.length && withoutAtoms(b, a) !== undefined;

/** The remaining factors without these, or `undefined` if they are not among them. */
function withoutAtoms(
  atoms: ReadonlyArray<DimAtom>,
  taken: ReadonlyArray<DimAtom>,
): ReadonlyArray<DimAtom> | undefined {
  if (taken.length === 0) return atoms;
  const rest = [...atoms];
  for (const atom of taken) {
    const at = rest.findIndex((other) => sameAtom(atom, other));
    if (at < 0) return undefined;
    rest.splice(at, 1);
  }
  return rest;
}

/** A product with a division that cancels, such as `2 * (n / 2)`. */
function cancelled({ coefficient, atoms }: DimTerm): Dim | undefined {
  for (const [i, atom] of atoms.entries()) {
    if (atom._tag !== 'DimQuotient' || isAnyDim(atom.denominator)) continue;
    const others = atoms.filter((_, at) => at !== i);
    const factor = others.length === 0 ? coefficient : product(coefficient, others);
    const quotient = exactQuotient(factor, atom.denominator);
    if (quotient !== undefined) return multiplyDims(quotient, atom.numerator);
  }
  return undefined;
}

const product = (coefficient: number, atoms: ReadonlyArray<DimAtom>): DimSum => ({
  _tag: 'DimSum',
  constant: 0,
  terms: [{ coefficient, atoms }],
});

function normal(constant: number, terms: ReadonlyArray<DimTerm>): Dim {
  const merged: DimTerm[] = [];
  // A product with zero may be -0, which has another hash.
  let total = constant + 0;
  for (const term of terms) {
    if (term.atoms.length === 0) {
      total += term.coefficient;
      continue;
    }
    const at = merged.findIndex((m) => sameAtoms(m.atoms, term.atoms));
    const old = merged[at];
    if (old === undefined) merged.push(term);
    else merged[at] = { ...old, coefficient: old.coefficient + term.coefficient };
  }
  const kept = merged.filter((t) => t.coefficient !== 0);
  if (kept.length > MAX_DIM_TERMS || kept.some((t) => t.atoms.length > MAX_DIM_TERMS)) {
    return anyDim;
  }
  for (const [i, term] of kept.entries()) {
    const simpler = cancelled(term);
    if (simpler === undefined) continue;
    const others = kept.filter((_, at) => at !== i);
    return addDims(normal(total, others), simpler);
  }
  return kept.length === 0 ? total : { _tag: 'DimSum', constant: total, terms: kept };
}
