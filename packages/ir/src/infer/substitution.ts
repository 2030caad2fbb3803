/** What the holes of one definition stand for: union-find over holes of the four kinds. */
import { postOrder } from '@baton/base';
import { addDims, type Dim, type DimAtom, dimOf, multiplyDims } from '../types/dim.ts';
import {
  type DTypeTerm,
  funcType,
  refType,
  type Shape,
  type TensorType,
  type Type,
  type TypeArg,
  tensorType,
  tupleType,
  typeCall,
  typeChildren,
  typeRelation,
} from '../types/type.ts';
import type { IncompleteType } from '../types/variable.ts';
import { type IsClosed, isClosedDim } from './closed.ts';

/** Holes and what they stand for. Grows only: a hole is bound once. */
export interface Substitution {
  readonly isClosed: IsClosed;
  /** The type, or what its hole stands for; its parts are left as they are. */
  readonly head: (type: Type) => Type;
  readonly dtype: (dtype: DTypeTerm) => DTypeTerm;
  readonly dim: (dim: Dim) => Dim;
  readonly shape: (shape: Shape) => Shape;
  /** The type with every bound hole replaced, however deep. */
  readonly resolve: (type: Type) => Type;
  readonly bindType: (hole: IncompleteType, type: Type) => void;
  readonly bindDType: (hole: IncompleteType, dtype: DTypeTerm) => void;
  readonly bindDim: (hole: IncompleteType, dim: Dim) => void;
  readonly bindShape: (hole: IncompleteType, shape: Shape) => void;
  /** Every hole in the types that stands for nothing yet. */
  readonly openHoles: (types: ReadonlyArray<Type>) => ReadonlySet<IncompleteType>;
}

/** The hole that a dimension is, if it is nothing else. */
export function bareHole(dim: Dim): IncompleteType | undefined {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return undefined;
  const [term] = dim.terms;
  if (dim.constant !== 0 || dim.terms.length !== 1 || term === undefined) return undefined;
  const [atom] = term.atoms;
  return term.coefficient === 1 && term.atoms.length === 1 && atom?._tag === 'IncompleteType'
    ? atom
    : undefined;
}

/** No hole stands for anything yet. `bound` is told of each hole that is. */
export function makeSubstitution(
  isClosed: IsClosed,
  bound: (hole: IncompleteType, successor: IncompleteType | undefined) => void,
): Substitution {
  const types = new Map<IncompleteType, Type>();
  const dtypes = new Map<IncompleteType, DTypeTerm>();
  const dims = new Map<IncompleteType, Dim>();
  const shapes = new Map<IncompleteType, Shape>();
  // What `resolve` has found since a hole was last bound.
  let resolved = new Map<Type, Type>();

  const head = (type: Type): Type => follow(types, type);
  const dtype = (term: DTypeTerm): DTypeTerm =>
    typeof term === 'string' ? term : follow(dtypes, term);

  const atomDim = (atom: DimAtom): Dim => {
    if (atom._tag !== 'IncompleteType') return dimOf(atom);
    let at: Dim = dimOf(atom);
    for (let hole = bareHole(at); hole !== undefined; hole = bareHole(at)) {
      const next = dims.get(hole);
      if (next === undefined) break;
      at = next;
    }
    return at;
  };
  const dim = (given: Dim): Dim => {
    if (dims.size === 0 || isClosedDim(given)) return given;
    let current = given;
    // A hole may stand for an expression with holes that were bound later.
    while (typeof current !== 'number' && current._tag === 'DimSum') {
      const atoms = current.terms.flatMap((term) => term.atoms);
      if (!atoms.some((atom) => atom._tag === 'IncompleteType' && dims.has(atom))) break;
      let sum: Dim = current.constant;
      for (const term of current.terms) {
        sum = addDims(sum, term.atoms.map(atomDim).reduce(multiplyDims, term.coefficient));
      }
      current = sum;
    }
    return current;
  };
  const shape = (given: Shape): Shape => {
    let at: Shape = given;
    while ('_tag' in at) {
      const next: Shape | undefined = at._tag === 'IncompleteType' ? shapes.get(at) : undefined;
      if (next === undefined) return at;
      at = next;
    }
    if (dims.size === 0) return at;
    const list = at;
    const next = list.map(dim);
    return next.every((d, i) => d === list[i]) ? list : next;
  };
  const tensor = (type: TensorType): TensorType => {
    const nextShape = shape(type.shape);
    const nextDType = dtype(type.dtype);
    return nextShape === type.shape && nextDType === type.dtype
      ? type
      : tensorType(nextShape, nextDType);
  };
  const resolveArg = (arg: TypeArg, get: (type: Type) => Type): TypeArg => {
    switch (arg.kind) {
      case 'Type':
        return { ...arg, value: get(arg.value) };
      case 'Shape':
        return { ...arg, value: shape(arg.value) };
      case 'BaseType':
        return { ...arg, value: dtype(arg.value) };
      case 'ShapeVar':
        return { ...arg, value: dim(arg.value) };
    }
  };
  /** One level: the parts are resolved already, and `get` knows them. */
  const rebuild = (type: Type, get: (part: Type) => Type): Type => {
    if (type._tag !== 'TensorType' && typeChildren(type).every((c) => get(c) === c)) {
      if (type._tag !== 'TypeCall') return type;
    }
    switch (type._tag) {
      case 'TensorType':
        return tensor(type);
      case 'TupleType':
        return tupleType(type.fields.map(get));
      case 'FuncType':
        return funcType(
          type.params.map(get),
          get(type.result),
          type.typeParams,
          type.constraints.map((c) => typeRelation(c.name, c.args.map(get), c.inputCount, c.attrs)),
        );
      case 'RefType':
        return refType(get(type.value));
      case 'TypeCall':
        return typeCall(
          type.func,
          type.args.map((arg) => resolveArg(arg, get)),
        );
      default:
        return type;
    }
  };
  const headChildren = (type: Type): ReadonlyArray<Type> => typeChildren(type).map(head);
  const resolve = (type: Type): Type => {
    const top = head(type);
    if (top._tag === 'TensorType') return tensor(top);
    if (top._tag === 'IncompleteType' || isClosed(top)) return top;
    const get = (part: Type): Type => {
      const at = head(part);
      return resolved.get(at) ?? at;
    };
    for (const t of postOrder(headChildren, [top], (below) => resolved.has(below))) {
      resolved.set(t, isClosed(t) ? t : rebuild(t, get));
    }
    return resolved.get(top) ?? top;
  };

  const bind = <T>(map: Map<IncompleteType, T>, hole: IncompleteType, to: T): void => {
    map.set(hole, to);
    resolved = new Map();
  };

  return {
    isClosed,
    head,
    dtype,
    dim,
    shape,
    resolve,
    bindType: (hole, to) => {
      bind(types, hole, to);
      bound(hole, to._tag === 'IncompleteType' ? to : undefined);
    },
    bindDType: (hole, to) => {
      bind(dtypes, hole, to);
      bound(hole, typeof to !== 'string' && to._tag === 'IncompleteType' ? to : undefined);
    },
    bindDim: (hole, to) => {
      bind(dims, hole, to);
      bound(hole, bareHole(to));
    },
    bindShape: (hole, to) => {
      bind(shapes, hole, to);
      bound(hole, '_tag' in to && to._tag === 'IncompleteType' ? to : undefined);
    },
    openHoles: (roots) => {
      const holes = new Set<IncompleteType>();
      for (const type of postOrder(headChildren, roots.map(head), isClosed)) {
        const own = resolveOwn(type, tensor);
        if (own._tag === 'IncompleteType') holes.add(own);
        else if (own._tag === 'TensorType') addTensorHoles(own, holes);
      }
      return holes;
    },
  };
}

const resolveOwn = (type: Type, tensor: (type: TensorType) => TensorType): Type =>
  type._tag === 'TensorType' ? tensor(type) : type;

function addTensorHoles(type: TensorType, holes: Set<IncompleteType>): void {
  if (typeof type.dtype !== 'string' && type.dtype._tag === 'IncompleteType') holes.add(type.dtype);
  if ('_tag' in type.shape) {
    if (type.shape._tag === 'IncompleteType') holes.add(type.shape);
    return;
  }
  for (const dim of type.shape) {
    if (typeof dim === 'number' || dim._tag === 'AnyDim') continue;
    for (const atom of dim.terms.flatMap((term) => term.atoms)) {
      if (atom._tag === 'IncompleteType') holes.add(atom);
    }
  }
}

/** Follows a chain of bound holes to its end, and shortens it on the way. */
function follow<T extends { readonly _tag: string } | string>(
  map: Map<IncompleteType, T>,
  start: T,
): T {
  const isHole = (t: T): boolean => typeof t !== 'string' && t._tag === 'IncompleteType';
  if (!isHole(start)) return start;
  const passed: IncompleteType[] = [];
  let at = start;
  while (isHole(at)) {
    // Holes are the only members of `T` with this tag.
    const hole = at as unknown as IncompleteType;
    const next = map.get(hole);
    if (next === undefined) break;
    passed.push(hole);
    at = next;
  }
  for (const hole of passed.slice(0, -1)) map.set(hole, at);
  return at;
}
