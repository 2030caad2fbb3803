/** Checks the construction of types: [types §2](https://batonjs.github.io/baton/spec/types#2). */
import { type Diagnostic, fail, postOrder, type Result, right, type Span } from '@baton/base';
import * as diagnose from '../diagnostics.ts';
import { dimLeaves } from '../types/parts.ts';
import {
  type DTypeTerm,
  type Kind,
  type Shape,
  type Type,
  type TypeArg,
  type TypeData,
  type TypeRelation,
  typeChildren,
} from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';

/** The scope for checking a type. */
export interface KindScope {
  readonly typeDefinitions: ReadonlyMap<string, TypeData>;
  /** The type parameters in scope; without it any is allowed. */
  readonly typeVars?: { readonly has: (v: TypeVar) => boolean };
  /** Whether a relation of this name exists; without it any does. */
  readonly hasRelation?: (name: string) => boolean;
}

/**
 * The kind of a type, or of a relation between types, which is well formed.
 *
 * **Errors** `TYPE_KIND` for a variable in a slot of another kind, `TYPE_UNDEFINED_ADT`,
 * `TYPE_ARGUMENT_COUNT`, `TYPE_FREE_VARIABLE`, `TYPE_UNKNOWN_RELATION`.
 *
 * **Complexity** linear in the distinct types below.
 */
export function checkKind(type: Type | TypeRelation, scope: KindScope): Result<Kind> {
  if (type._tag === 'TypeRelation') {
    const unknown = relationProblem([type], scope, undefined);
    if (unknown !== undefined) return fail(unknown);
    for (const arg of type.args) {
      const found = kindProblem(arg, scope, undefined);
      if (found !== undefined) return fail(found);
    }
    return right('Constraint');
  }
  const problem = kindProblem(type, scope, undefined);
  if (problem !== undefined) return fail(problem);
  if (type._tag === 'GlobalTypeVar') return right('AdtHandle');
  return right(type._tag === 'TypeVar' || type._tag === 'IncompleteType' ? type.kind : 'Type');
}

/** The fault of a type that has to be the type of a value. */
export function kindProblem(
  type: Type,
  scope: KindScope,
  span: Span | undefined,
): Diagnostic | undefined {
  if (isPlainTensor(type)) return undefined;
  const isInScope = (v: TypeVar): boolean => scope.typeVars === undefined || scope.typeVars.has(v);
  if (isSmallAndSound(type, scope, isInScope)) return undefined;
  // Type parameters that a function type binds are in scope in it, and there are few of them.
  const bound = new Set<TypeVar>();
  const order = postOrder(typeChildren, [type]);
  for (const t of order) {
    if (t._tag === 'FuncType') for (const v of t.typeParams) bound.add(v);
  }
  const isKnown = (v: TypeVar): boolean => bound.has(v) || isInScope(v);
  for (const t of order) {
    const found = ownProblem(t, type, scope, isKnown, span);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a small type has no problem, even without its own binders. */
function isSmallAndSound(type: Type, scope: KindScope, isKnown: IsKnown): boolean {
  const pending: Type[] = [type];
  for (let i = 0; i < pending.length; i++) {
    const at = pending[i] as Type;
    if (ownProblem(at, type, scope, isKnown, undefined) !== undefined) return false;
    const parts = typeChildren(at);
    if (pending.length + parts.length > FEW_PARTS) return false;
    for (const part of parts) pending.push(part);
  }
  return true;
}

/** Up to this many parts of a type are visited without remembering them. */
const FEW_PARTS = 32;

/**
 * The faults of a type definition.
 *
 * **Errors** as {@link checkKind}.
 */
export function definitionProblems(
  data: TypeData,
  scope: KindScope,
  span?: Span,
): ReadonlyArray<Diagnostic> {
  const typeVars = new Set(data.typeVars);
  return data.constructors.flatMap(({ inputs }) =>
    inputs.flatMap((input) => kindProblem(input, { ...scope, typeVars }, span) ?? []),
  );
}

const isPlainTensor = (type: Type): boolean =>
  type._tag === 'TensorType' &&
  typeof type.dtype === 'string' &&
  !('_tag' in type.shape) &&
  type.shape.every((dim) => typeof dim === 'number' || dim._tag === 'AnyDim');

type IsKnown = (v: TypeVar) => boolean;

function ownProblem(
  type: Type,
  whole: Type,
  scope: KindScope,
  isKnown: IsKnown,
  span: Span | undefined,
): Diagnostic | undefined {
  switch (type._tag) {
    case 'TensorType':
      return shapeProblem(type.shape, isKnown, span) ?? dtypeProblem(type.dtype, isKnown, span);
    case 'TypeVar':
      return varProblem(type, 'Type', 'type', isKnown, span);
    case 'IncompleteType':
      return type.kind === 'Type'
        ? undefined
        : diagnose.wrongKind('_', 'type', type.kind, 'Type', span);
    case 'GlobalTypeVar':
      return type === whole
        ? undefined
        : diagnose.wrongKind(type.nameHint, 'type', 'AdtHandle', 'Type', span);
    case 'TypeCall': {
      const { func, args } = type;
      const data = scope.typeDefinitions.get(func.nameHint);
      if (data === undefined) return diagnose.undefinedAdt(func.nameHint, span);
      const { typeVars } = data;
      if (typeVars.length !== args.length) {
        return diagnose.adtArgumentCount(func.nameHint, typeVars.length, args.length, span);
      }
      for (const [i, arg] of args.entries()) {
        const found = argProblem(arg, typeVars[i] as TypeVar, isKnown, span);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    case 'FuncType':
      return relationProblem(type.constraints, scope, span);
    case 'TupleType':
    case 'RefType':
      return undefined;
  }
}

function relationProblem(
  relations: ReadonlyArray<TypeRelation>,
  scope: KindScope,
  span: Span | undefined,
): Diagnostic | undefined {
  const unknown = relations.find((r) => scope.hasRelation?.(r.name) === false);
  return unknown === undefined ? undefined : diagnose.missingRelation(unknown.name, span);
}

function argProblem(
  arg: TypeArg,
  param: TypeVar,
  isKnown: IsKnown,
  span: Span | undefined,
): Diagnostic | undefined {
  if (arg.kind !== param.kind) {
    return diagnose.typeArgumentKind(param.nameHint, param.kind, arg.kind, span);
  }
  switch (arg.kind) {
    case 'Type':
      return undefined;
    case 'Shape':
      return shapeProblem(arg.value, isKnown, span);
    case 'BaseType':
      return dtypeProblem(arg.value, isKnown, span);
    case 'ShapeVar':
      return shapeProblem([arg.value], isKnown, span);
  }
}

function shapeProblem(
  shape: Shape,
  isKnown: IsKnown,
  span: Span | undefined,
): Diagnostic | undefined {
  if ('_tag' in shape) return termProblem(shape, 'Shape', 'shape', isKnown, span);
  for (const dim of shape) {
    for (const leaf of dimLeaves(dim)) {
      const found = termProblem(leaf, 'ShapeVar', 'dimension', isKnown, span);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const dtypeProblem = (
  dtype: DTypeTerm,
  isKnown: IsKnown,
  span: Span | undefined,
): Diagnostic | undefined =>
  typeof dtype === 'string' ? undefined : termProblem(dtype, 'BaseType', 'dtype', isKnown, span);

const termProblem = (
  term: Exclude<DTypeTerm, string>,
  kind: Kind,
  role: string,
  isKnown: IsKnown,
  span: Span | undefined,
): Diagnostic | undefined => {
  if (term._tag === 'TypeVar') return varProblem(term, kind, role, isKnown, span);
  return term.kind === kind ? undefined : diagnose.wrongKind('_', role, term.kind, kind, span);
};

function varProblem(
  v: TypeVar,
  kind: Kind,
  role: string,
  isKnown: IsKnown,
  span: Span | undefined,
): Diagnostic | undefined {
  if (v.kind !== kind) return diagnose.wrongKind(v.nameHint, role, v.kind, kind, span);
  return isKnown(v) ? undefined : diagnose.freeTypeVariable(v.nameHint, span);
}
