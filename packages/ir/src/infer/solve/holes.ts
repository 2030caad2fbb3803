/**
 * The bindings of the holes of one definition: union-find over holes of the four kinds.
 *
 * A hole has a level: the number of separately generalized function literals around its place. If
 * two holes meet the lower level wins, so that a hole known outside is never generalized inside (D.
 * Rémy, Extension of ML type system with a sorted equation theory on types, 1992).
 */
import { bareAtom, type Dim } from '../../types/dim.ts';
import { ownLeaves } from '../../types/free-type-vars.ts';
import {
  mapDim,
  rebuildType,
  sameOr,
  type TypeParts,
  withRelationParts,
  withTypeParts,
} from '../../types/parts.ts';
import {
  type DTypeTerm,
  isClosed,
  isTypeArg,
  pushTypeChildren,
  type Shape,
  scalarType,
  type TensorType,
  type Type,
  type TypeCall,
  type TypeRelation,
  tensorType,
  typeCall,
} from '../../types/type.ts';
import { type IncompleteType, incompleteType, type ParamKind } from '../../types/variable.ts';

/** The level of a definition outside of its literals. */
export const OUTERMOST_LEVEL = 1;

/** The hole that a dimension consists of, if it is one. */
export function bareHole(dim: Dim): IncompleteType | undefined {
  const atom = bareAtom(dim);
  return atom?._tag === 'IncompleteType' ? atom : undefined;
}

/** Types of up to this size are not memoized: most are small. */
const FEW_TYPES = 32;

type Visit = (hole: IncompleteType) => void;

/** Holes and their bindings. The set only grows: a hole is bound once. */
export class Holes {
  readonly #types = new Map<IncompleteType, Type>();
  readonly #dtypes = new Map<IncompleteType, DTypeTerm>();
  readonly #dims = new Map<IncompleteType, Dim>();
  readonly #shapes = new Map<IncompleteType, Shape>();
  /** Only levels deeper than the outermost are stored. */
  readonly #levels = new Map<IncompleteType, number>();
  /** The results of `resolve` since a hole was last bound. */
  readonly #resolved = new Map<Type, Type>();
  readonly #maps = [
    this.#types,
    this.#dtypes,
    this.#dims,
    this.#shapes,
    this.#levels,
    this.#resolved,
  ];
  readonly #bound: (hole: IncompleteType, successor: IncompleteType | undefined) => void;

  /** `bound` is called with each bound hole, and with the hole that replaces it. */
  constructor(bound: (hole: IncompleteType, successor: IncompleteType | undefined) => void) {
    this.#bound = bound;
  }

  /** The type, or the binding of its hole; its parts are unchanged. */
  readonly head = (type: Type): Type => follow(this.#types, type);

  dtype(term: DTypeTerm): DTypeTerm {
    return typeof term === 'string' ? term : follow(this.#dtypes, term);
  }

  dim(given: Dim): Dim {
    if (this.#dims.size === 0) return given;
    let current = given;
    // A hole may stand for an expression with holes that were bound later.
    for (;;) {
      const next = mapDim(current, (leaf) =>
        leaf._tag === 'IncompleteType' ? this.#boundDim(leaf) : undefined,
      );
      if (next === current) return current;
      current = next;
    }
  }

  shape(given: Shape): Shape {
    let at: Shape = given;
    while ('_tag' in at) {
      const next: Shape | undefined =
        at._tag === 'IncompleteType' ? this.#shapes.get(at) : undefined;
      if (next === undefined) return at;
      at = next;
    }
    return this.#dims.size === 0 ? at : sameOr(at, this.#parts.dim);
  }

  /** The type with every bound hole replaced, however deep. */
  readonly resolve = (type: Type): Type => {
    const top = this.head(type);
    if (isClosed(top) || top._tag === 'IncompleteType') return top;
    if (top._tag === 'TensorType') return this.#tensor(top);
    const known = this.#resolved.get(top);
    return known ?? rebuildType(top, this.#parts, this.#resolved, this.#unresolved);
  };

  resolveRelation(relation: TypeRelation): TypeRelation {
    return isClosed(relation)
      ? relation
      : withRelationParts(relation, { ...this.#parts, type: this.resolve });
  }

  /** `false` if the type mentions the hole: no type contains itself. */
  bindType(hole: IncompleteType, to: Type): boolean {
    if (this.#lower(hole, to)) return false;
    this.#bind(this.#types, hole, to, to._tag === 'IncompleteType' ? to : undefined);
    return true;
  }

  bindDType(hole: IncompleteType, to: DTypeTerm): void {
    const isName = typeof to === 'string';
    if (!isName) this.#lower(hole, scalarType(to));
    const successor = !isName && to._tag === 'IncompleteType' ? to : undefined;
    this.#bind(this.#dtypes, hole, to, successor);
  }

  bindDim(hole: IncompleteType, to: Dim): void {
    if (typeof to !== 'number') this.#lower(hole, tensorType([to], 'bool'));
    this.#bind(this.#dims, hole, to, bareHole(to));
  }

  bindShape(hole: IncompleteType, to: Shape): void {
    this.#lower(hole, tensorType(to, 'bool'));
    const successor = '_tag' in to && to._tag === 'IncompleteType' ? to : undefined;
    this.#bind(this.#shapes, hole, to, successor);
  }

  /** Visits the unbound holes in a type, in order of appearance. */
  forEachHole(type: Type, visit: Visit): void {
    const top = this.head(type);
    if (isClosed(top)) return;
    if (top._tag === 'IncompleteType') visit(top);
    else if (top._tag === 'TensorType') visitOwnHoles(this.#tensor(top), visit);
    else this.#forEachHoleBelow(top, visit);
  }

  /** Every unbound hole in the types, in order of appearance. */
  openHoles(types: ReadonlyArray<Type>): ReadonlySet<IncompleteType> {
    const holes = new Set<IncompleteType>();
    const add: Visit = (hole) => {
      holes.add(hole);
    };
    for (const type of types) this.forEachHole(type, add);
    return holes;
  }

  fresh(kind: ParamKind, level: number): IncompleteType {
    const hole = incompleteType(kind);
    if (level > OUTERMOST_LEVEL) this.#levels.set(hole, level);
    return hole;
  }

  levelOf(hole: IncompleteType): number {
    return this.#levels.get(hole) ?? OUTERMOST_LEVEL;
  }

  setLevel(hole: IncompleteType, level: number): void {
    if (level > OUTERMOST_LEVEL) this.#levels.set(hole, level);
    else this.#levels.delete(hole);
  }

  clear(): void {
    for (const map of this.#maps) if (map.size > 0) map.clear();
  }

  readonly #parts: TypeParts = {
    type: (part) => {
      const at = this.head(part);
      return this.#resolved.get(at) ?? at;
    },
    shape: (shape) => this.shape(shape),
    dtype: (dtype) => this.dtype(dtype),
    dim: (dim) => this.dim(dim),
  };

  readonly #open = (type: Type): Type | undefined => {
    const at = this.head(type);
    return isClosed(at) ? undefined : at;
  };

  readonly #unresolved = (type: Type): Type | undefined => {
    const at = this.head(type);
    const isDone = isClosed(at) || at._tag === 'IncompleteType' || this.#resolved.has(at);
    return isDone ? undefined : at;
  };

  #tensor(type: TensorType): TensorType {
    const shape = this.shape(type.shape);
    const dtype = this.dtype(type.dtype);
    if (shape === type.shape && dtype === type.dtype) return type;
    const isScalar = !('_tag' in shape) && shape.length === 0;
    return isScalar ? scalarType(dtype) : tensorType(shape, dtype);
  }

  #forEachHoleBelow(type: Type, visit: Visit): void {
    const open: Type[] = [type];
    let steps = 0;
    let seen: Set<Type> | undefined;
    for (let t = open.pop(); t !== undefined; t = open.pop()) {
      if (t._tag === 'IncompleteType') visit(t);
      else if (t._tag === 'TensorType') visitOwnHoles(this.#tensor(t), visit);
      else {
        if (++steps > FEW_TYPES) {
          seen ??= new Set();
          if (seen.has(t)) continue;
          seen.add(t);
        }
        if (t._tag === 'TypeCall' && !t.args.every(isTypeArg)) this.#openCall(t, open, visit);
        else pushTypeChildren(t, open, this.#open);
      }
    }
  }

  /** The holes of a call's other arguments come after those of its types. */
  #openCall(type: TypeCall, open: Type[], visit: Visit): void {
    const others = type.args.filter((arg) => !isTypeArg(arg));
    if (others.length === type.args.length) {
      visitOwnHoles(withTypeParts(type, this.#parts), visit);
    } else {
      open.push(typeCall(type.func, others));
      pushTypeChildren(type, open, this.#open);
    }
  }

  #boundDim(hole: IncompleteType): Dim | undefined {
    const first = this.#dims.get(hole);
    if (first === undefined) return undefined;
    let at = first;
    const passed = [hole];
    for (let next = bareHole(at); next !== undefined; next = bareHole(at)) {
      const further = this.#dims.get(next);
      if (further === undefined) break;
      passed.push(next);
      at = further;
    }
    for (const one of passed) this.#dims.set(one, at);
    return at;
  }

  /**
   * The holes in a binding get the level of the bound hole.
   *
   * @returns whether the binding mentions the hole itself.
   */
  #lower(hole: IncompleteType, to: Type): boolean {
    if (isClosed(to)) return false;
    const level = this.levelOf(hole);
    const top = this.head(to);
    if (top._tag === 'IncompleteType') return this.#lowerOne(hole, top, level);
    let occurs = false;
    this.forEachHole(top, (inner) => {
      if (this.#lowerOne(hole, inner, level)) occurs = true;
    });
    return occurs;
  }

  #lowerOne(hole: IncompleteType, inner: IncompleteType, level: number): boolean {
    if (inner === hole) return true;
    if (this.#levels.size > 0 && this.levelOf(inner) > level) this.setLevel(inner, level);
    return false;
  }

  #bind<T>(
    map: Map<IncompleteType, T>,
    hole: IncompleteType,
    to: T,
    successor: IncompleteType | undefined,
  ): void {
    map.set(hole, to);
    if (this.#resolved.size > 0) this.#resolved.clear();
    this.#bound(hole, successor);
  }
}

function visitOwnHoles(type: Type, visit: Visit): void {
  for (const leaf of ownLeaves(type)) if (leaf._tag === 'IncompleteType') visit(leaf);
}

/** Follows a chain of bound holes to its end, and shortens it on the way. */
function follow<T extends { readonly _tag: string } | string>(
  map: Map<IncompleteType, T>,
  start: T,
): T {
  const first = boundTo(map, start);
  if (first === undefined) return start;
  let end = first;
  for (let next = boundTo(map, end); next !== undefined; next = boundTo(map, end)) end = next;
  for (let at = start, next = first; next !== end; ) {
    map.set(at as unknown as IncompleteType, end);
    at = next;
    next = boundTo(map, at) ?? end;
  }
  return end;
}

/** The binding of a hole: `undefined` for anything else, too. */
const boundTo = <T extends { readonly _tag: string } | string>(
  map: Map<IncompleteType, T>,
  at: T,
): T | undefined =>
  typeof at === 'string' || at._tag !== 'IncompleteType'
    ? undefined
    : // Holes are the only members of `T` with this tag.
      map.get(at as unknown as IncompleteType);
