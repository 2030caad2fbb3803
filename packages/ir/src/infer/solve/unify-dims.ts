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
} from '../../types/dim.ts';
import { dimLeaves } from '../../types/parts.ts';
import type { IncompleteType } from '../../types/variable.ts';
import { bareHole, type Holes } from './holes.ts';

export class DimUnifier {
  /** The holes that have met `?`: a known size still fills them, unfilled ones become `?`. */
  readonly #gradual = new Set<IncompleteType>();
  readonly #holes: Holes;
  readonly #postpone: (a: Dim, b: Dim) => void;

  /** `postpone` receives equations with several holes, to try later. */
  constructor(holes: Holes, postpone: (a: Dim, b: Dim) => void) {
    this.#holes = holes;
    this.#postpone = postpone;
  }

  /** The common dimension of both, or `undefined`. */
  unify(a0: Dim, b0: Dim): Dim | undefined {
    if (typeof a0 === 'number' && typeof b0 === 'number') return a0 === b0 ? a0 : undefined;
    const a = this.#holes.dim(a0);
    const b = this.#holes.dim(b0);
    if (isAnyDim(a)) return this.#meetAny(b);
    if (isAnyDim(b)) return this.#meetAny(a);
    if (dimsEqual(a, b)) return a;
    const left = bareHole(a);
    if (left !== undefined && !dimLeaves(b).includes(left)) return this.#fill(left, b);
    const right = bareHole(b);
    if (right !== undefined && !dimLeaves(a).includes(right)) return this.#fill(right, a);
    const difference = subtractDims(a, b);
    const [hole, ...others] = holesOf(difference);
    if (hole === undefined) return dimsEqual(difference, 0) ? a : undefined;
    const solved = others.length === 0 ? solve(difference, hole) : 'later';
    if (solved === 'later') this.#postpone(a, b);
    else if (solved === 'never') return undefined;
    else this.#holes.bindDim(hole, solved);
    return a;
  }

  /** Makes `?` of the unfilled holes at this level or deeper that have met `?`. */
  settle(level: number): void {
    for (const met of this.#gradual) {
      if (this.#holes.levelOf(met) < level) continue;
      for (const hole of holesOf(this.#holes.dim(dimOf(met)))) this.#holes.bindDim(hole, anyDim);
    }
  }

  clear(): void {
    if (this.#gradual.size > 0) this.#gradual.clear();
  }

  #meetAny(dim: Dim): Dim {
    for (const hole of holesOf(dim)) this.#gradual.add(hole);
    return anyDim;
  }

  #fill(hole: IncompleteType, dim: Dim): Dim {
    const other = bareHole(dim);
    if (other !== undefined && this.#gradual.has(hole)) this.#gradual.add(other);
    this.#holes.bindDim(hole, dim);
    return dim;
  }
}

const holesOf = (dim: Dim): ReadonlyArray<IncompleteType> =>
  dimLeaves(dim).filter((leaf) => leaf._tag === 'IncompleteType');

/** The value of `hole`, the only hole of `difference`, that makes it zero: it is `k · hole + c`. */
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

/** The difference times the divisors of terms with the hole. */
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
