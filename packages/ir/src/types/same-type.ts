/** Sameness of closed types. */
import { type Dim, sameDim } from './dim.ts';
import { type Shape, type Type, type TypeArg, type TypeRelation, typeChildren } from './type.ts';

/**
 * Whether two closed types are the same; `?` equals `?`, and variables are compared by identity.
 * **Complexity** linear in the pairs of distinct corresponding nodes.
 */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.hash !== b.hash) return false;
  return a._tag === 'TensorType' ? sameOwnParts(a, b) : sameCompound(a, b);
}

/** Up to this many pairs are compared without remembering them: most types are small. */
const FEW_PAIRS = 32;

function sameCompound(a: Type, b: Type): boolean {
  let seen: Map<Type, Set<Type>> | undefined;
  let steps = 0;
  const pending: [Type, Type][] = [[a, b]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (left.hash !== right.hash || !sameOwnParts(left, right)) return false;
    if (++steps > FEW_PAIRS) {
      seen ??= new Map();
      const others = seen.get(left) ?? new Set();
      if (others.has(right)) continue;
      seen.set(left, others.add(right));
    }
    const rights = typeChildren(right);
    const lefts = typeChildren(left);
    if (lefts.length !== rights.length) return false;
    lefts.forEach((child, i) => {
      pending.push([child, rights[i] as Type]);
    });
  }
  return true;
}

function sameShapeTerm(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  if ('_tag' in a || '_tag' in b) return false;
  return a.length === b.length && a.every((dim, i) => sameDim(dim, b[i] as Dim));
}

function sameArg(a: TypeArg, b: TypeArg): boolean {
  if (a.kind === 'Type') return b.kind === 'Type';
  if (a.kind === 'Shape') return b.kind === 'Shape' && sameShapeTerm(a.value, b.value);
  if (a.kind === 'BaseType') return b.kind === 'BaseType' && a.value === b.value;
  return b.kind === 'ShapeVar' && sameDim(a.value, b.value);
}

const sameRelationHead = (a: TypeRelation, b: TypeRelation): boolean =>
  a.name === b.name && a.inputCount === b.inputCount && a.args.length === b.args.length;

function sameOwnParts(a: Type, b: Type): boolean {
  if (a._tag === 'TensorType' && b._tag === 'TensorType') {
    return a.dtype === b.dtype && sameShapeTerm(a.shape, b.shape);
  }
  if (a._tag === 'TupleType' && b._tag === 'TupleType') return a.fields.length === b.fields.length;
  if (a._tag === 'RefType' && b._tag === 'RefType') return true;
  if (a._tag === 'FuncType' && b._tag === 'FuncType') {
    return (
      a.params.length === b.params.length &&
      a.typeParams.length === b.typeParams.length &&
      a.typeParams.every((v, i) => v === b.typeParams[i]) &&
      a.constraints.length === b.constraints.length &&
      a.constraints.every((c, i) => sameRelationHead(c, b.constraints[i] as TypeRelation))
    );
  }
  if (a._tag === 'TypeCall' && b._tag === 'TypeCall') {
    return (
      a.func === b.func &&
      a.args.length === b.args.length &&
      a.args.every((arg, i) => sameArg(arg, b.args[i] as TypeArg))
    );
  }
  return false;
}
