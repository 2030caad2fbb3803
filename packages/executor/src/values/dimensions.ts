/**
 * Dimensions checked at run time (decision [D8](https://batonjs.github.io/baton/spec/decisions#D8),
 * [types §10.1](https://batonjs.github.io/baton/spec/types#10.1)): the sizes in types are compared
 * with the tensors.
 */
import type { Span } from '@baton/base';
import { foldDag, isRight, memoFold, remember } from '@baton/base';
import {
  type Dim,
  type DimAtom,
  type DimSum,
  type DimTerm,
  type Type,
  type TypeVar,
  tensorType,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { printType } from '@baton/text';
import * as diagnostics from '../diagnostics.ts';
import { stop, untilStop } from '../stop.ts';
import { Scalar } from './scalar.ts';
import { bareName } from './type-environment.ts';
import type { Value } from './value.ts';

/** A value, and the type that its sizes must fit. */
export interface CheckedValue {
  /** The slot, or the complement of an index into the constants. */
  readonly operand: number;
  /** The name in messages: `parameter %x`. */
  readonly subject: string;
  readonly type: Type;
  readonly span: Span | undefined;
}

export interface DimensionCheck {
  readonly values: ReadonlyArray<CheckedValue>;
  readonly sizes: ReadonlyMap<TypeVar, number>;
}

/** Whether a type says anything about sizes, outside of functions, references and data types. */
export const statesSizes: (type: Type) => boolean = memoFold<Type, boolean>(
  (type) => (type._tag === 'TupleType' ? type.fields : []),
  (type, get) => {
    if (type._tag === 'TupleType') return type.fields.some(get);
    if (type._tag !== 'TensorType' || '_tag' in type.shape) return false;
    return type.shape.some((dim) => typeof dim === 'number' || dim._tag === 'DimSum');
  },
);

/** The dimension variables in the sizes of a type, in order. */
export function sizeVariables(type: Type): ReadonlyArray<TypeVar> {
  const found = new Set<TypeVar>();
  const seen = new Set<Type>();
  const pending: Type[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next._tag === 'TupleType') pending.push(...[...next.fields].reverse());
    else if (next._tag === 'TensorType' && !('_tag' in next.shape)) {
      for (const dim of next.shape) for (const v of variablesOf(dim)) found.add(v);
    }
  }
  return [...found];
}

/**
 * Compares sizes with types. A name gets its size where it first stands alone; a name that occurs
 * only inside expressions is solved for if a division decides it; then all other dimensions are
 * compared. The first difference stops the run.
 *
 * **Complexity** linear in the dimensions, times the expressions that wait for a name.
 */
export function checkDimensions(
  values: ReadonlyArray<CheckedValue>,
  sizes: Sizes,
  read: (operand: number) => Value,
): void {
  const open: OpenDimension[] = [];
  for (const checked of values) compareValue(checked, read(checked.operand), sizes, open);
  compareOpen(open, sizes);
}

/** Whether a value fits the sizes in a type; enters those that `sizes` lacks. */
export const fitsSizes = (value: Value, type: Type, sizes: Map<TypeVar, number>): boolean =>
  isRight(
    untilStop(() =>
      checkDimensions(
        [{ operand: 0, subject: '', type, span: undefined }],
        { get: (name) => sizes.get(name), set: (name, size) => void sizes.set(name, size) },
        () => value,
      ),
    ),
  );

/** A dimension some of whose names are unknown. */
interface OpenDimension {
  readonly dim: DimSum;
  readonly found: number;
  readonly axis: number;
  readonly checked: CheckedValue;
}

/** The sizes of named dimensions. A name without a slot may have any size. */
export interface Sizes {
  readonly get: (name: TypeVar) => number | undefined;
  readonly set: (name: TypeVar, size: number) => void;
}

export function slotSizes(
  places: ReadonlyMap<TypeVar, number>,
  slots: Array<Value | undefined>,
): Sizes {
  return {
    get: (name) => {
      const slot = places.get(name);
      const size = slot === undefined ? undefined : slots[slot];
      return size instanceof Scalar ? Number(size.element) : undefined;
    },
    set: (name, size) => {
      const slot = places.get(name);
      if (slot !== undefined) slots[slot] = new Scalar('float64', size);
    },
  };
}

function compareValue(
  checked: CheckedValue,
  root: Value,
  sizes: Sizes,
  open: OpenDimension[],
): void {
  const pending: Array<readonly [Type, Value]> = [[checked.type, root]];
  const seen = new Map<Type, Set<Value>>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [type, value] = next;
    if (!statesSizes(type)) continue;
    if (type._tag === 'TensorType' && value._tag === 'Tensor') {
      compareShape(checked, type.shape, value, sizes, open);
    } else if (type._tag === 'TupleType' && value._tag === 'Tuple') {
      // A shared tuple is checked against the same type only once.
      const met = remember(seen, type, () => new Set<Value>());
      if (met.has(value)) continue;
      met.add(value);
      for (let i = type.fields.length - 1; i >= 0; i--) {
        const field = value.fields[i];
        const fieldType = type.fields[i];
        if (field !== undefined && fieldType !== undefined) pending.push([fieldType, field]);
      }
    }
  }
}

function compareShape(
  checked: CheckedValue,
  shape: unknown,
  value: Tensor,
  sizes: Sizes,
  open: OpenDimension[],
): void {
  if (!Array.isArray(shape)) return;
  for (let axis = 0; axis < shape.length; axis++) {
    const dim = shape[axis] as Dim;
    const found = value.shape[axis] ?? 0;
    if (typeof dim === 'number') {
      if (dim !== found) stopAt(checked, axis, dim, dim, found);
    } else if (dim._tag === 'DimSum') {
      const name = bareName(dim);
      const known = name && sizes.get(name);
      if (name === undefined) open.push({ dim, found, axis, checked });
      else if (known === undefined) sizes.set(name, found);
      else if (known !== found) stopAt(checked, axis, dim, known, found);
    }
  }
}

function compareOpen(open: ReadonlyArray<OpenDimension>, sizes: Sizes): void {
  let waiting = open;
  for (;;) {
    const still: OpenDimension[] = [];
    for (const item of waiting) {
      const { dim, found, axis, checked } = item;
      const known = sizeOf(dim, sizes);
      if (known === undefined) {
        const solved = solve(dim, found, sizes);
        if (solved === 'none') stopAt(checked, axis, dim, undefined, found);
        if (solved === 'later') still.push(item);
      } else if (known !== found) stopAt(checked, axis, dim, known, found);
    }
    if (still.length === waiting.length) return;
    waiting = still;
  }
}

const stopAt = (
  { subject, span }: CheckedValue,
  axis: number,
  dim: Dim,
  expected: number | undefined,
  found: number,
): never => stop(diagnostics.dimension(subject, axis, dimText(dim), expected, found, span));

function dimText(dim: Dim): string {
  const [before, after] = ['Tensor[(', '), bool]'];
  return printType(tensorType([dim], 'bool')).slice(before.length, -after.length);
}

/** Solves `k · name + c = found` for the one name without a size. */
function solve(dim: DimSum, found: number, sizes: Sizes): 'solved' | 'none' | 'later' {
  let name: TypeVar | undefined;
  let factor = 0;
  let constant = dim.constant;
  for (const term of dim.terms) {
    const unknown = term.atoms.filter((atom) => atomSize(atom, sizes) === undefined);
    const [atom] = unknown;
    const product = productOf(term, sizes);
    if (atom === undefined) {
      constant += product;
      continue;
    }
    if (unknown.length > 1 || atom._tag !== 'TypeVar') return 'later';
    if (name !== undefined && name !== atom) return 'later';
    name = atom;
    factor += product;
  }
  if (name === undefined || factor === 0) return 'later';
  const size = (found - constant) / factor;
  if (!Number.isInteger(size) || size < 0) return 'none';
  sizes.set(name, size);
  return 'solved';
}

const productOf = (term: DimTerm, sizes: Sizes): number =>
  term.atoms.reduce((product, atom) => product * (atomSize(atom, sizes) ?? 1), term.coefficient);

function atomSize(atom: DimAtom, sizes: Sizes): number | undefined {
  switch (atom._tag) {
    case 'TypeVar':
      return sizes.get(atom);
    case 'IncompleteType':
      return undefined;
    case 'DimQuotient':
      return quotient(sizeOf(atom.numerator, sizes), sizeOf(atom.denominator, sizes));
  }
}

type Symbolic = Exclude<Dim, number>;

/** The dimensions inside the quotients of a dimension. */
const below = (dim: Symbolic): ReadonlyArray<Symbolic> =>
  quotientParts(dim).filter((part): part is Symbolic => typeof part !== 'number');

const quotientParts = (dim: Symbolic): ReadonlyArray<Dim> =>
  dim._tag === 'AnyDim'
    ? []
    : dim.terms.flatMap((term) =>
        term.atoms.flatMap((atom) =>
          atom._tag === 'DimQuotient' ? [atom.numerator, atom.denominator] : [],
        ),
      );

function sizeOf(root: Dim, sizes: Sizes): number | undefined {
  if (typeof root === 'number') return root;
  return foldDag<Symbolic, number | undefined>(below, (dim, get) => {
    if (dim._tag === 'AnyDim') return undefined;
    const part = (inner: Dim): number | undefined =>
      typeof inner === 'number' ? inner : get(inner);
    let sum = dim.constant;
    for (const { coefficient, atoms } of dim.terms) {
      let product = coefficient;
      for (const atom of atoms) {
        const size =
          atom._tag === 'DimQuotient'
            ? quotient(part(atom.numerator), part(atom.denominator))
            : atomSize(atom, sizes);
        if (size === undefined) return undefined;
        product *= size;
      }
      sum += product;
    }
    return sum;
  })(root);
}

const quotient = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a / b;

function variablesOf(root: Dim): ReadonlyArray<TypeVar> {
  if (typeof root === 'number') return [];
  const found = new Set<TypeVar>();
  foldDag<Symbolic, void>(below, (dim) => {
    if (dim._tag === 'AnyDim') return;
    for (const { atoms } of dim.terms) {
      for (const atom of atoms) if (atom._tag === 'TypeVar') found.add(atom);
    }
  })(root);
  return [...found];
}
