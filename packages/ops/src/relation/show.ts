/** Types and dimensions in messages. */
import type { Dim, DimAtom, DTypeTerm, Type } from '@baton/ir';

/** A dimension as written: `3`, `?`, `n`, `2 * n + 1`. */
export function showDim(dim: Dim): string {
  if (typeof dim === 'number') return String(dim);
  if (dim._tag === 'AnyDim') return '?';
  const terms = dim.terms.map(({ coefficient, atoms }) =>
    [...(coefficient === 1 ? [] : [String(coefficient)]), ...atoms.map(showAtom)].join(' * '),
  );
  return [...terms, ...(dim.constant === 0 ? [] : [String(dim.constant)])].join(' + ');
}

/** A shape: `(2, ?, n)`. */
export const showDims = (dims: ReadonlyArray<Dim>): string => `(${dims.map(showDim).join(', ')})`;

/** A dtype, or what stands for one. */
export function showDType(dtype: DTypeTerm): string {
  if (typeof dtype === 'string') return dtype;
  if (dtype._tag === 'TypeVar') return dtype.nameHint;
  return dtype.literal === undefined ? '_' : `a literal ${dtype.literal}`;
}

/** What a type is, in a word or two: `Tensor[(2, 3), float32]`, `a tuple of 2`, `a function`. */
export function showType(type: Type): string {
  switch (type._tag) {
    case 'TensorType': {
      const shape = '_tag' in type.shape ? '_' : showDims(type.shape);
      return `Tensor[${shape}, ${showDType(type.dtype)}]`;
    }
    case 'TupleType':
      return `a tuple of ${type.fields.length}`;
    case 'FuncType':
      return 'a function';
    case 'TypeVar':
    case 'GlobalTypeVar':
      return type.nameHint;
    case 'TypeCall':
      return `a value of ${type.func.nameHint}`;
    case 'RefType':
      return 'a reference';
    case 'IncompleteType':
      return '_';
  }
}

const showAtom = (atom: DimAtom): string => {
  if (atom._tag === 'TypeVar') return atom.nameHint;
  return atom._tag === 'IncompleteType' ? '_' : '(a quotient)';
};
