/** What stands for the type parameters of a function at one call. */
import {
  type Call,
  type Dim,
  type DTypeTerm,
  type Func,
  type IRModule,
  type Shape,
  type Type,
  type TypeArg,
  type TypeVar,
  tensorType,
  typeOf,
} from '@baton/ir';

/**
 * The arguments of a function's type parameters at a call: those that are written, then what the
 * types of the arguments and of the call show. `undefined` if they do not show all.
 *
 * **Complexity** linear in the types.
 */
export function typeArgsAt(
  m: IRModule,
  f: Func,
  at: Call,
): ReadonlyMap<TypeVar, TypeArg> | undefined {
  const found = new Map<TypeVar, TypeArg>();
  if (f.typeParams.length === 0) return found;
  at.typeArgs.forEach((arg, i) => {
    const param = f.typeParams[i];
    if (param !== undefined) found.set(param, arg);
  });
  const wanted = new Set(f.typeParams);
  const pending: (readonly [Type, Type])[] = [];
  const later = (pattern: Type | undefined, actual: Type | undefined): void => {
    if (pattern !== undefined && actual !== undefined) pending.push([pattern, actual]);
  };
  const note = (arg: TypeArg, pattern: Shape | DTypeTerm | Type): void => {
    if (typeof pattern === 'string' || !('_tag' in pattern) || pattern._tag !== 'TypeVar') return;
    if (wanted.has(pattern) && !found.has(pattern)) found.set(pattern, arg);
  };
  later(f.retType, typeOf(m, at));
  for (let i = f.params.length - 1; i >= 0; i--) {
    const arg = at.args[i];
    later(f.params[i]?.typeAnnotation, arg === undefined ? undefined : typeOf(m, arg));
  }
  // Types that occur often are gone through once: a type is a DAG.
  const seen = new Map<Type, Set<Type>>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pattern, actual] = next;
    const before = seen.get(pattern);
    if (before?.has(actual)) continue;
    if (before === undefined) seen.set(pattern, new Set([actual]));
    else before.add(actual);
    note({ _tag: 'TypeArg', kind: 'Type', value: actual }, pattern);
    if (pattern._tag === 'TensorType' && actual._tag === 'TensorType') {
      note({ _tag: 'TypeArg', kind: 'Shape', value: actual.shape }, pattern.shape);
      note({ _tag: 'TypeArg', kind: 'BaseType', value: actual.dtype }, pattern.dtype);
      noteDims(pattern.shape, actual.shape, wanted, found);
    } else for (const [a, b] of partsOf(pattern, actual)) later(a, b);
  }
  return f.typeParams.every((v) => found.has(v)) ? found : undefined;
}

function noteDims(
  pattern: Shape,
  actual: Shape,
  wanted: ReadonlySet<TypeVar>,
  found: Map<TypeVar, TypeArg>,
): void {
  if ('_tag' in pattern || '_tag' in actual) return;
  pattern.forEach((dim, i) => {
    const v = variableOf(dim);
    const value = actual[i];
    if (v === undefined || value === undefined || !wanted.has(v) || found.has(v)) return;
    found.set(v, { _tag: 'TypeArg', kind: 'ShapeVar', value });
  });
}

/** The variable that a dimension is, if it is no more than that. */
function variableOf(dim: Dim): TypeVar | undefined {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return undefined;
  const [term, ...others] = dim.terms;
  if (dim.constant !== 0 || others.length > 0 || term?.coefficient !== 1) return undefined;
  const [atom, ...factors] = term.atoms;
  return factors.length === 0 && atom?._tag === 'TypeVar' ? atom : undefined;
}

/** The parts of two types of the same form, pairwise. */
function partsOf(pattern: Type, actual: Type): ReadonlyArray<readonly [Type, Type]> {
  const pairs = (as: ReadonlyArray<Type>, bs: ReadonlyArray<Type>) =>
    as.flatMap((a, i) => {
      const b = bs[i];
      return b === undefined ? [] : [[a, b] as const];
    });
  if (pattern._tag === 'TupleType' && actual._tag === 'TupleType') {
    return pairs(pattern.fields, actual.fields);
  }
  if (pattern._tag === 'FuncType' && actual._tag === 'FuncType') {
    return pairs([...pattern.params, pattern.result], [...actual.params, actual.result]);
  }
  if (pattern._tag === 'RefType' && actual._tag === 'RefType') {
    return [[pattern.value, actual.value]];
  }
  if (pattern._tag === 'TypeCall' && actual._tag === 'TypeCall') {
    return pairs(pattern.args.map(asType), actual.args.map(asType));
  }
  return [];
}

/** A type argument as a type, so that arguments of every kind are gone through alike. */
const asType = (arg: TypeArg): Type => {
  switch (arg.kind) {
    case 'Type':
      return arg.value;
    case 'Shape':
      return tensorType(arg.value, 'bool');
    case 'BaseType':
      return tensorType([], arg.value);
    case 'ShapeVar':
      return tensorType([arg.value], 'bool');
  }
};
