/**
 * Unification of types: [types §3.1](https://batonjs.github.io/baton/spec/types#3.1). `?` is
 * gradual, holes are filled.
 */
import { describeDim, describeDType } from '../describe/describe.ts';
import type { Constant } from '../expr/expr.ts';
import { attrsEqual, noAttrs } from '../types/attrs.ts';
import { type Dim, sameDim } from '../types/dim.ts';
import { holeArg, replaceTypeVars, varArg } from '../types/instantiate.ts';
import { withArgParts, withRelationParts } from '../types/parts.ts';
import { sameType } from '../types/same-type.ts';
import {
  type DTypeTerm,
  type FuncType,
  funcType,
  isClosed,
  refType,
  type Shape,
  type TensorType,
  type Type,
  type TypeArg,
  type TypeRelation,
  tensorType,
  tupleType,
  typeCall,
  typeChildren,
} from '../types/type.ts';
import type { IncompleteType, ParamKind, TypeVar } from '../types/variable.ts';
import { canHold, classAllows } from './literals.ts';
import type { Substitution } from './substitution.ts';
import { type DimUnifier, makeDimUnifier } from './unify-dims.ts';

/** Why two types do not unify. */
type UnifyFailure =
  /** They differ; `notes` say where. */
  | { readonly _tag: 'Mismatch'; readonly notes: ReadonlyArray<string> }
  /** A type would have to contain itself. */
  | { readonly _tag: 'Infinite' }
  /** A literal's value does not fit the dtype that is demanded of it. */
  | { readonly _tag: 'Range'; readonly literal: Constant; readonly dtype: string };

/** Unification under one substitution. Each operation gives the merged term, or `undefined`. */
export interface Unifier {
  readonly types: (a: Type, b: Type) => Type | undefined;
  readonly dtypes: (a: DTypeTerm, b: DTypeTerm) => DTypeTerm | undefined;
  readonly dims: DimUnifier;
  /** Why the latest operation gave `undefined`. */
  readonly failure: () => UnifyFailure;
  /** States that the hole is the dtype of a literal. */
  readonly addLiteral: (hole: IncompleteType, literal: Constant) => void;
  /** The literals whose dtype the hole is. */
  readonly literalsOf: (hole: IncompleteType) => ReadonlyArray<Constant>;
  /** Forgets the literals, and which dimensions have met `?`. */
  readonly clear: () => void;
}

/** What unification leaves to the solver. */
export interface UnifierHooks {
  /** Type parameters are met as what stands for itself. */
  readonly opened: () => void;
  readonly fresh: (kind: ParamKind) => IncompleteType;
  /** A constraint of a function type that was instantiated. */
  readonly post: (relation: TypeRelation) => void;
  /** An equation of dimensions with several holes. */
  readonly postpone: (a: Dim, b: Dim) => void;
}

/** Two compound types whose parts are being unified. */
interface Frame {
  readonly a: Type;
  readonly b: Type;
  readonly left: ReadonlyArray<Type>;
  readonly right: ReadonlyArray<Type>;
  readonly merged: Type[];
  /** The type with these merged parts. */
  readonly merge: (parts: ReadonlyArray<Type>) => Type;
}

/** A unifier that binds holes in `subst`. */
export function makeUnifier(subst: Substitution, hooks: UnifierHooks): Unifier {
  const literals = new Map<IncompleteType, Constant[]>();
  const dimUnifier = makeDimUnifier(subst, hooks.postpone);
  const dims = dimUnifier.unify;
  let failure: UnifyFailure = { _tag: 'Mismatch', notes: [] };

  const mismatch = (...notes: string[]): undefined => {
    failure = { _tag: 'Mismatch', notes };
    return undefined;
  };

  const literalsOf = (hole: IncompleteType): Constant[] => literals.get(hole) ?? [];
  const bindLiteral = (hole: IncompleteType, dtype: string): boolean => {
    if (hole.literal !== undefined) {
      if (!classAllows(hole.literal, dtype)) {
        mismatch(`a literal without suffix cannot be ${dtype}`);
        return false;
      }
      const literal = literalsOf(hole).find((l) => !canHold(dtype, l));
      if (literal !== undefined) {
        failure = { _tag: 'Range', literal, dtype };
        return false;
      }
    }
    subst.bindDType(hole, dtype as DTypeTerm);
    return true;
  };
  const joinHoles = (a: IncompleteType, b: IncompleteType): IncompleteType => {
    // The narrower class wins: `1 + 2.5` is a float.
    const keepB = b.literal === 'float' || a.literal === undefined;
    const [from, to] = keepB ? [a, b] : [b, a];
    const [one, other] = [literalsOf(from), literalsOf(to)];
    const [few, many] = one.length < other.length ? [one, other] : [other, one];
    many.push(...few);
    literals.set(to, many);
    subst.bindDType(from, to);
    return to;
  };
  const dtypes = (a0: DTypeTerm, b0: DTypeTerm): DTypeTerm | undefined => {
    const a = subst.dtype(a0);
    const b = subst.dtype(b0);
    if (a === b) return a;
    const holeA = typeof a !== 'string' && a._tag === 'IncompleteType' ? a : undefined;
    const holeB = typeof b !== 'string' && b._tag === 'IncompleteType' ? b : undefined;
    if (holeA !== undefined && holeB !== undefined) return joinHoles(holeA, holeB);
    const hole = holeA ?? holeB;
    if (hole === undefined)
      return mismatch(`dtypes differ: ${describeDType(a)} and ${describeDType(b)}`);
    const other = holeA === undefined ? a : b;
    if (typeof other === 'string') return bindLiteral(hole, other) ? other : undefined;
    if (hole.literal !== undefined) return mismatch('a literal has no dtype of a type parameter');
    subst.bindDType(hole, other);
    return other;
  };

  const shapes = (a0: Shape, b0: Shape): Shape | undefined => {
    const a = subst.shape(a0);
    const b = subst.shape(b0);
    if (a === b) return a;
    if ('_tag' in a && a._tag === 'IncompleteType') {
      subst.bindShape(a, b);
      return b;
    }
    if ('_tag' in b && b._tag === 'IncompleteType') {
      subst.bindShape(b, a);
      return a;
    }
    if ('_tag' in a || '_tag' in b) return mismatch('shapes differ');
    if (a.length !== b.length) return mismatch(`ranks differ: ${a.length} and ${b.length}`);
    if (a.every((dim, i) => typeof dim === 'number' && dim === b[i])) return a;
    const merged = a.map((dim, i) => dims(dim, b[i] as Dim));
    const notes = merged.flatMap((dim, i) => {
      if (dim !== undefined) return [];
      // A dimension before this one may have said what a hole in this one is.
      const [left, right] = [subst.dim(a[i] as Dim), subst.dim(b[i] as Dim)];
      return `dimension ${i} conflicts: ${describeDim(left)} does not match ${describeDim(right)}`;
    });
    return notes.length > 0 ? mismatch(...notes) : (merged as ReadonlyArray<Dim>);
  };
  const tensors = (a: TensorType, b: TensorType): Type | undefined => {
    const shape = shapes(a.shape, b.shape);
    const notes = shape === undefined && failure._tag === 'Mismatch' ? failure.notes : [];
    const dtype = dtypes(a.dtype, b.dtype);
    if (dtype === undefined && failure._tag === 'Mismatch') mismatch(...notes, ...failure.notes);
    if (shape === undefined || dtype === undefined) return undefined;
    if (isTensorOf(a, shape, dtype)) return a;
    return isTensorOf(b, shape, dtype) ? b : tensorType(shape, dtype);
  };

  const fill = (hole: IncompleteType, type: Type): Type | undefined => {
    if (subst.bindType(hole, type)) return type;
    failure = { _tag: 'Infinite' };
    return undefined;
  };
  /** The merged argument; types are left to the caller, and `undefined` is a mismatch. */
  const plainArg = (a: TypeArg, b: TypeArg): TypeArg | undefined => {
    if (a.kind === 'Type') return b.kind === 'Type' ? a : undefined;
    if (a.kind === 'Shape' && b.kind === 'Shape') {
      const value = shapes(a.value, b.value);
      return value === undefined ? undefined : { _tag: 'TypeArg', kind: 'Shape', value };
    }
    if (a.kind === 'BaseType' && b.kind === 'BaseType') {
      const value = dtypes(a.value, b.value);
      return value === undefined ? undefined : { _tag: 'TypeArg', kind: 'BaseType', value };
    }
    if (a.kind !== 'ShapeVar' || b.kind !== 'ShapeVar') return mismatch();
    const value = dims(a.value, b.value);
    if (value !== undefined) return { _tag: 'TypeArg', kind: 'ShapeVar', value };
    return mismatch(`dimension ${describeDim(a.value)} does not match ${describeDim(b.value)}`);
  };
  /** Functions of which one has type parameters or constraints: it is made to fit the other. */
  const openFunctions = (a: FuncType, b: FuncType): Frame | undefined => {
    if (a.params.length !== b.params.length) return mismatch('the numbers of parameters differ');
    const [given, target] = isMoreGeneral(a, b) ? [a, b] : [b, a];
    if (target.typeParams.length > 0) hooks.opened();
    const args = new Map<TypeVar, TypeArg>();
    for (const [i, param] of given.typeParams.entries()) {
      const paired = target.typeParams[i];
      // A parameter of another kind cannot stand for this one.
      const isPaired = paired !== undefined && paired.kind === param.kind;
      args.set(param, isPaired ? varArg(paired) : holeArg(hooks.fresh(param.kind)));
    }
    const { type, ...others } = replaceTypeVars(args);
    const parts = { type: (t: Type) => type(subst.resolve(t)), ...others };
    const constraints = given.constraints.map((c) => withRelationParts(c, parts));
    const left = [...given.params, given.result].map(parts.type);
    const right: Type[] = [...target.params, target.result];
    if (constraints.length === target.constraints.length) {
      for (const [i, c] of constraints.entries()) {
        const other = target.constraints[i];
        if (other === undefined || !sameRelationHead(c, other)) return mismatch();
        left.push(...c.args);
        right.push(...other.args);
      }
    } else for (const c of constraints) hooks.post(c);
    return {
      a,
      b,
      left,
      right,
      merged: [],
      merge: (merged) =>
        right.every((t, i) => t === merged[i])
          ? target
          : funcType(
              merged.slice(0, target.params.length),
              merged[target.params.length] as Type,
              target.typeParams,
              target.constraints,
            ),
    };
  };
  /** The merged type, a frame if the parts must be unified first, or `undefined`. */
  const open = (a0: Type, b0: Type): Type | Frame | undefined => {
    const a = subst.head(a0);
    const b = subst.head(b0);
    if (a === b) return a;
    if (a._tag === 'IncompleteType') return fill(a, b);
    if (b._tag === 'IncompleteType') return fill(b, a);
    if (a._tag === 'TensorType' && b._tag === 'TensorType') return tensors(a, b);
    if (a._tag === 'TypeCall' && b._tag === 'TypeCall') {
      if (a.func.nameHint !== b.func.nameHint || a.args.length !== b.args.length) return mismatch();
      const args: TypeArg[] = [];
      for (const [i, arg] of a.args.entries()) {
        const merged = plainArg(arg, b.args[i] as TypeArg);
        if (merged === undefined) return undefined;
        args.push(merged);
      }
      const merge = (parts: ReadonlyArray<Type>): Type => {
        let at = 0;
        const next = { type: () => parts[at++] as Type, ...KEEP };
        const all = args.map((arg) => withArgParts(arg, next));
        if (all.every((arg, i) => sameArgValue(arg, a.args[i] as TypeArg))) return a;
        return all.every((arg, i) => sameArgValue(arg, b.args[i] as TypeArg))
          ? b
          : typeCall(a.func, all);
      };
      return { a, b, left: typeChildren(a), right: typeChildren(b), merged: [], merge };
    }
    if (a._tag === 'FuncType' && b._tag === 'FuncType' && !(isMonomorphic(a) && isMonomorphic(b))) {
      return openFunctions(a, b);
    }
    if (sameHead(a, b)) {
      const left = typeChildren(a);
      const right = typeChildren(b);
      const merge = (parts: ReadonlyArray<Type>): Type => {
        if (parts.every((part, i) => part === left[i])) return a;
        return parts.every((part, i) => part === right[i]) ? b : withParts(a, parts);
      };
      return { a, b, left, right, merged: [], merge };
    }
    return isClosed(a) && isClosed(b) && sameType(a, b) ? a : mismatch();
  };
  const types = (a: Type, b: Type): Type | undefined => {
    if (isClosed(a) && isClosed(b) && sameType(a, b)) return a;
    const found = open(a, b);
    return found === undefined || '_tag' in found ? found : compound(found);
  };
  /** Unifies the parts of two types, and the parts of these. */
  const compound = (root: Frame): Type | undefined => {
    const frames: Frame[] = [root];
    const done = new Map<Type, Map<Type, Type>>();
    const enter = (x: Type, y: Type): Type | 'entered' | undefined => {
      const old = done.size === 0 ? undefined : done.get(subst.head(x))?.get(subst.head(y));
      if (old !== undefined) return old;
      const found = open(x, y);
      if (found === undefined || '_tag' in found) return found;
      frames.push(found);
      return 'entered';
    };
    let value: Type | 'entered' | undefined = 'entered';
    for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
      if (value === undefined) return undefined;
      if (value !== 'entered') top.merged.push(value);
      const at = top.merged.length;
      if (at < top.left.length) {
        value = enter(top.left[at] as Type, top.right[at] as Type);
        continue;
      }
      frames.pop();
      value = top.merge(top.merged);
      const others = done.get(top.a) ?? new Map<Type, Type>();
      done.set(top.a, others.set(top.b, value));
    }
    return value === 'entered' ? undefined : value;
  };

  return {
    types,
    dtypes,
    dims: dimUnifier,
    failure: () => failure,
    addLiteral: (hole, literal) => {
      literals.set(hole, [literal]);
    },
    literalsOf,
    clear: () => {
      dimUnifier.clear();
      if (literals.size > 0) literals.clear();
    },
  };
}

const KEEP = {
  shape: (shape: Shape): Shape => shape,
  dtype: (dtype: DTypeTerm): DTypeTerm => dtype,
  dim: (dim: Dim): Dim => dim,
};

const sameArgValue = (a: TypeArg, b: TypeArg): boolean =>
  a.kind === 'ShapeVar' && b.kind === 'ShapeVar' ? sameDim(a.value, b.value) : a.value === b.value;

/** Whether `a` is the one to be instantiated. */
const isMoreGeneral = (a: FuncType, b: FuncType): boolean =>
  a.typeParams.length === b.typeParams.length
    ? a.constraints.length > b.constraints.length
    : a.typeParams.length > b.typeParams.length;

const sameRelationHead = (a: TypeRelation, b: TypeRelation): boolean =>
  a.name === b.name &&
  a.args.length === b.args.length &&
  attrsEqual(a.attrs ?? noAttrs, b.attrs ?? noAttrs);

const isTensorOf = (t: TensorType, shape: Shape, dtype: DTypeTerm): boolean => {
  if (t.dtype !== dtype) return false;
  if (t.shape === shape) return true;
  if ('_tag' in t.shape || '_tag' in shape) return false;
  return t.shape.length === shape.length && t.shape.every((d, i) => sameDim(d, shape[i] as Dim));
};

/** Whether both are built alike, so that they unify if their parts do. */
function sameHead(a: Type, b: Type): boolean {
  if (a._tag === 'TupleType' && b._tag === 'TupleType') return a.fields.length === b.fields.length;
  if (a._tag === 'RefType' && b._tag === 'RefType') return true;
  return a._tag === 'FuncType' && b._tag === 'FuncType' && a.params.length === b.params.length;
}

const isMonomorphic = (type: FuncType): boolean =>
  type.typeParams.length === 0 && type.constraints.length === 0;

/** A type of the same form with other parts. */
function withParts(type: Type, parts: ReadonlyArray<Type>): Type {
  switch (type._tag) {
    case 'TupleType':
      return tupleType(parts);
    case 'RefType':
      return refType(parts[0] as Type);
    case 'FuncType':
      return funcType(parts.slice(0, -1), parts[parts.length - 1] as Type);
    default:
      return type;
  }
}
