/**
 * Unification of types: [types §3.1](https://batonjs.github.io/baton/spec/types#3.1). `?` is
 * gradual, holes are filled.
 */
import { describeDim, describeDType } from '../../describe/describe.ts';
import type { Constant } from '../../expr/expr.ts';
import { attrsEqual, noAttrs } from '../../types/attrs.ts';
import { type Dim, sameDim } from '../../types/dim.ts';
import { holeArg, replaceTypeVars, varArg } from '../../types/instantiate.ts';
import { withRelationParts, withTypeParts } from '../../types/parts.ts';
import { sameType } from '../../types/same-type.ts';
import {
  type DTypeTerm,
  type FuncType,
  funcType,
  isClosed,
  type Shape,
  type TensorType,
  type Type,
  type TypeArg,
  type TypeCall,
  type TypeRelation,
  tensorType,
  typeCall,
  typeChildren,
} from '../../types/type.ts';
import type { IncompleteType, ParamKind, TypeVar } from '../../types/variable.ts';
import type { Holes } from './holes.ts';
import { canHold, classAllows } from './literals.ts';
import { DimUnifier } from './unify-dims.ts';

/** The reason why two types do not unify. */
type UnifyFailure =
  /** They differ; `notes` have the spans. */
  | { readonly _tag: 'Mismatch'; readonly notes: ReadonlyArray<string> }
  /** A type would have to contain itself. */
  | { readonly _tag: 'Infinite' }
  /** A literal's value is out of the range of the demanded dtype. */
  | { readonly _tag: 'Range'; readonly literal: Constant; readonly dtype: string }
  /** A function's type may not be copied: the hook has reported it. */
  | { readonly _tag: 'TooLarge' };

/** The parts of unification that the solver does. */
export interface UnifierHooks {
  /** Called when type parameters are met as themselves. */
  readonly opened: () => void;
  readonly fresh: (kind: ParamKind) => IncompleteType;
  /** Whether the type of a function may be copied; reports if it may not. */
  readonly mayCopy: (type: FuncType) => boolean;
  readonly post: (relation: TypeRelation) => void;
  /** Postpones an equation of dimensions with several holes. */
  readonly postpone: (a: Dim, b: Dim) => void;
}

/** Two compound types whose parts are being unified. */
interface Frame {
  readonly a: Type;
  readonly b: Type;
  readonly left: ReadonlyArray<Type>;
  readonly right: ReadonlyArray<Type>;
  readonly merged: Type[];
  readonly merge: (parts: ReadonlyArray<Type>) => Type;
}

/** The kinds of unification. Each returns the merged term, or `undefined`. */
export class Unifier {
  readonly dims: DimUnifier;
  readonly #holes: Holes;
  readonly #hooks: UnifierHooks;
  readonly #literals = new Map<IncompleteType, Constant[]>();
  #failure: UnifyFailure = { _tag: 'Mismatch', notes: [] };

  /** Unification that binds `holes`. */
  constructor(holes: Holes, hooks: UnifierHooks) {
    this.#holes = holes;
    this.#hooks = hooks;
    this.dims = new DimUnifier(holes, hooks.postpone);
  }

  /** The reason why the latest operation gave `undefined`. */
  get failure(): UnifyFailure {
    return this.#failure;
  }

  /** States that the hole is the dtype of a literal. */
  addLiteral(hole: IncompleteType, literal: Constant): void {
    this.#literals.set(hole, [literal]);
  }

  literalsOf(hole: IncompleteType): Constant[] {
    return this.#literals.get(hole) ?? [];
  }

  /** Forgets the literals, and the dimensions that have met `?`. */
  clear(): void {
    this.dims.clear();
    if (this.#literals.size > 0) this.#literals.clear();
  }

  types(a: Type, b: Type): Type | undefined {
    if (isSame(a, b)) return a;
    const found = this.#open(a, b);
    return found === undefined || '_tag' in found ? found : this.#compound(found);
  }

  dtypes(a0: DTypeTerm, b0: DTypeTerm): DTypeTerm | undefined {
    const a = this.#holes.dtype(a0);
    const b = this.#holes.dtype(b0);
    if (a === b) return a;
    const holeA = typeof a !== 'string' && a._tag === 'IncompleteType' ? a : undefined;
    const holeB = typeof b !== 'string' && b._tag === 'IncompleteType' ? b : undefined;
    if (holeA !== undefined && holeB !== undefined) return this.#joinLiterals(holeA, holeB);
    const hole = holeA ?? holeB;
    if (hole === undefined) {
      return this.#mismatch(`dtypes differ: ${describeDType(a)} and ${describeDType(b)}`);
    }
    const other = holeA === undefined ? a : b;
    if (typeof other === 'string') return this.#bindLiteral(hole, other);
    if (hole.literal !== undefined) {
      return this.#mismatch('a literal has no dtype of a type parameter');
    }
    this.#holes.bindDType(hole, other);
    return other;
  }

  #mismatch(...notes: string[]): undefined {
    this.#failure = { _tag: 'Mismatch', notes };
    return undefined;
  }

  #bindLiteral(hole: IncompleteType, dtype: DTypeTerm & string): DTypeTerm | undefined {
    if (hole.literal !== undefined) {
      if (!classAllows(hole.literal, dtype)) {
        return this.#mismatch(`a literal without suffix cannot be ${dtype}`);
      }
      const literal = this.literalsOf(hole).find((l) => !canHold(dtype, l));
      if (literal !== undefined) {
        this.#failure = { _tag: 'Range', literal, dtype };
        return undefined;
      }
    }
    this.#holes.bindDType(hole, dtype);
    return dtype;
  }

  #joinLiterals(a: IncompleteType, b: IncompleteType): IncompleteType {
    // The narrower class wins: `1 + 2.5` is a float.
    const keepB = b.literal === 'float' || a.literal === undefined;
    const [from, to] = keepB ? [a, b] : [b, a];
    const [one, other] = [this.literalsOf(from), this.literalsOf(to)];
    const [few, many] = one.length < other.length ? [one, other] : [other, one];
    many.push(...few);
    this.#literals.set(to, many);
    this.#holes.bindDType(from, to);
    return to;
  }

  #shapes(a0: Shape, b0: Shape): Shape | undefined {
    const a = this.#holes.shape(a0);
    const b = this.#holes.shape(b0);
    if (a === b) return a;
    if ('_tag' in a && a._tag === 'IncompleteType') {
      this.#holes.bindShape(a, b);
      return b;
    }
    if ('_tag' in b && b._tag === 'IncompleteType') {
      this.#holes.bindShape(b, a);
      return a;
    }
    if ('_tag' in a || '_tag' in b) return this.#mismatch('shapes differ');
    if (a.length !== b.length) {
      return this.#mismatch(`ranks differ: ${a.length} and ${b.length}`);
    }
    if (a.every((dim, i) => typeof dim === 'number' && dim === b[i])) return a;
    const merged = a.map((dim, i) => this.dims.unify(dim, b[i] as Dim));
    const notes = merged.flatMap((dim, i) => {
      if (dim !== undefined) return [];
      // An earlier dimension may have bound a hole in this one.
      const [left, right] = [this.#holes.dim(a[i] as Dim), this.#holes.dim(b[i] as Dim)];
      return `dimension ${i} conflicts: ${describeDim(left)} does not match ${describeDim(right)}`;
    });
    return notes.length > 0 ? this.#mismatch(...notes) : (merged as ReadonlyArray<Dim>);
  }

  #tensors(a: TensorType, b: TensorType): Type | undefined {
    const shape = this.#shapes(a.shape, b.shape);
    const failure = this.#failure;
    const notes = shape === undefined && failure._tag === 'Mismatch' ? failure.notes : [];
    const dtype = this.dtypes(a.dtype, b.dtype);
    if (dtype === undefined && this.#failure._tag === 'Mismatch') {
      this.#mismatch(...notes, ...this.#failure.notes);
    }
    if (shape === undefined || dtype === undefined) return undefined;
    const merged = tensorType(shape, dtype);
    return [a, b].find((type) => sameType(type, merged)) ?? merged;
  }

  #fill(hole: IncompleteType, type: Type): Type | undefined {
    if (this.#holes.bindType(hole, type)) return type;
    this.#failure = { _tag: 'Infinite' };
    return undefined;
  }

  /** The merged argument; types are left to the caller, and `undefined` is a mismatch. */
  #plainArg(a: TypeArg, b: TypeArg): TypeArg | undefined {
    if (a.kind === 'Type') return b.kind === 'Type' ? a : undefined;
    if (a.kind === 'Shape' && b.kind === 'Shape') {
      const value = this.#shapes(a.value, b.value);
      return value === undefined ? undefined : { _tag: 'TypeArg', kind: 'Shape', value };
    }
    if (a.kind === 'BaseType' && b.kind === 'BaseType') {
      const value = this.dtypes(a.value, b.value);
      return value === undefined ? undefined : { _tag: 'TypeArg', kind: 'BaseType', value };
    }
    if (a.kind !== 'ShapeVar' || b.kind !== 'ShapeVar') return this.#mismatch();
    const value = this.dims.unify(a.value, b.value);
    if (value !== undefined) return { _tag: 'TypeArg', kind: 'ShapeVar', value };
    const [left, right] = [describeDim(a.value), describeDim(b.value)];
    return this.#mismatch(`dimension ${left} does not match ${right}`);
  }

  /** The merged type, a frame if the parts must be unified first, or `undefined`. */
  #open(a0: Type, b0: Type): Type | Frame | undefined {
    const a = this.#holes.head(a0);
    const b = this.#holes.head(b0);
    if (a === b) return a;
    if (a._tag === 'IncompleteType') return this.#fill(a, b);
    if (b._tag === 'IncompleteType') return this.#fill(b, a);
    if (a._tag === 'TensorType' && b._tag === 'TensorType') return this.#tensors(a, b);
    if (a._tag === 'TypeCall' && b._tag === 'TypeCall') return this.#openCalls(a, b);
    if (a._tag === 'FuncType' && b._tag === 'FuncType' && (isGeneral(a) || isGeneral(b))) {
      return this.#openFunctions(a, b);
    }
    if (!sameHead(a, b)) return isSame(a, b) ? a : this.#mismatch();
    const left = typeChildren(a);
    const right = typeChildren(b);
    const merge = (parts: ReadonlyArray<Type>): Type => {
      if (parts.every((part, i) => part === left[i])) return a;
      return parts.every((part, i) => part === right[i]) ? b : withTypes(a, parts);
    };
    return { a, b, left, right, merged: [], merge };
  }

  #openCalls(a: TypeCall, b: TypeCall): Frame | undefined {
    if (a.func.nameHint !== b.func.nameHint || a.args.length !== b.args.length) {
      return this.#mismatch();
    }
    const args: TypeArg[] = [];
    for (const [i, arg] of a.args.entries()) {
      const merged = this.#plainArg(arg, b.args[i] as TypeArg);
      if (merged === undefined) return undefined;
      args.push(merged);
    }
    const plain = typeCall(a.func, args);
    const merge = (parts: ReadonlyArray<Type>): Type => {
      const merged = withTypes(plain, parts) as TypeCall;
      const isSame = ({ args: others }: TypeCall): boolean =>
        merged.args.every((arg, i) => sameArgValue(arg, others[i] as TypeArg));
      return [a, b].find(isSame) ?? merged;
    };
    return { a, b, left: typeChildren(a), right: typeChildren(b), merged: [], merge };
  }

  /** Functions of which one has type parameters or constraints: it is made to fit the other. */
  #openFunctions(a: FuncType, b: FuncType): Frame | undefined {
    if (a.params.length !== b.params.length) {
      return this.#mismatch('the numbers of parameters differ');
    }
    const [given, target] = isMoreGeneral(a, b) ? [a, b] : [b, a];
    if (!this.#hooks.mayCopy(given)) {
      this.#failure = { _tag: 'TooLarge' };
      return undefined;
    }
    if (target.typeParams.length > 0) this.#hooks.opened();
    const args = new Map<TypeVar, TypeArg>();
    for (const [i, param] of given.typeParams.entries()) {
      const paired = target.typeParams[i];
      // A parameter of another kind cannot stand for this one.
      const isPaired = paired !== undefined && paired.kind === param.kind;
      args.set(param, isPaired ? varArg(paired) : holeArg(this.#hooks.fresh(param.kind)));
    }
    const { type, ...others } = replaceTypeVars(args);
    const parts = { type: (t: Type) => type(this.#holes.resolve(t)), ...others };
    const constraints = given.constraints.map((c) => withRelationParts(c, parts));
    const left = [...given.params, given.result].map(parts.type);
    const right: Type[] = [...target.params, target.result];
    if (constraints.length === target.constraints.length) {
      for (const [i, c] of constraints.entries()) {
        const other = target.constraints[i];
        if (other === undefined || !sameRelationHead(c, other)) return this.#mismatch();
        left.push(...c.args);
        right.push(...other.args);
      }
    } else for (const c of constraints) this.#hooks.post(c);
    const count = target.params.length;
    const merge = (merged: ReadonlyArray<Type>): Type =>
      right.every((t, i) => t === merged[i])
        ? target
        : funcType(
            merged.slice(0, count),
            merged[count] as Type,
            target.typeParams,
            target.constraints,
          );
    return { a, b, left, right, merged: [], merge };
  }

  #compound(root: Frame): Type | undefined {
    const frames: Frame[] = [root];
    const done = new Map<Type, Map<Type, Type>>();
    let value: Type | undefined;
    for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
      const at = top.merged.length;
      if (at === top.left.length) {
        frames.pop();
        value = top.merge(top.merged);
        done.set(top.a, (done.get(top.a) ?? new Map<Type, Type>()).set(top.b, value));
        frames.at(-1)?.merged.push(value);
        continue;
      }
      const [x, y] = [top.left[at] as Type, top.right[at] as Type];
      const { head } = this.#holes;
      const old = done.size === 0 ? undefined : done.get(head(x))?.get(head(y));
      const found = old ?? this.#open(x, y);
      if (found === undefined) return undefined;
      if ('_tag' in found) top.merged.push(found);
      else frames.push(found);
    }
    return value;
  }
}

const KEEP = {
  shape: (shape: Shape): Shape => shape,
  dtype: (dtype: DTypeTerm): DTypeTerm => dtype,
  dim: (dim: Dim): Dim => dim,
};

const sameArgValue = (a: TypeArg, b: TypeArg): boolean =>
  a.kind === 'ShapeVar' && b.kind === 'ShapeVar' ? sameDim(a.value, b.value) : a.value === b.value;

/** Whether `a` is the one to instantiate. */
const isMoreGeneral = (a: FuncType, b: FuncType): boolean =>
  a.typeParams.length === b.typeParams.length
    ? a.constraints.length > b.constraints.length
    : a.typeParams.length > b.typeParams.length;

const sameRelationHead = (a: TypeRelation, b: TypeRelation): boolean =>
  a.name === b.name &&
  a.args.length === b.args.length &&
  attrsEqual(a.attrs ?? noAttrs, b.attrs ?? noAttrs);

/** Whether two types are the same if their parts are; neither is a function of many types. */
export function sameHead(a: Type, b: Type): boolean {
  if (a._tag === 'TupleType' && b._tag === 'TupleType') return a.fields.length === b.fields.length;
  if (a._tag === 'RefType' && b._tag === 'RefType') return true;
  return a._tag === 'FuncType' && b._tag === 'FuncType' && a.params.length === b.params.length;
}

export const isSame = (a: Type, b: Type): boolean =>
  a === b || (isClosed(a) && isClosed(b) && sameType(a, b));

/** Whether a function has type parameters or relations. */
export const isGeneral = (type: Type): type is FuncType =>
  type._tag === 'FuncType' && (type.typeParams.length > 0 || type.constraints.length > 0);

function withTypes(type: Type, types: ReadonlyArray<Type>): Type {
  let at = 0;
  return withTypeParts(type, { ...KEEP, type: () => types[at++] as Type });
}
