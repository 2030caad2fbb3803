/** Checks of the types that a program states: their kinds, and the parameters that they name. */
import type { Diagnostic, Span } from '@baton/base';
import { kindProblem } from '../../analysis/kinds.ts';
import * as diagnose from '../../diagnostics.ts';
import { func } from '../../expr/construct.ts';
import type { Expr, Func, Var } from '../../expr/expr.ts';
import type { OpTable } from '../../ops/op-table.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import {
  globalTypeVar,
  mentionsTypeVars,
  type Type,
  type TypeArg,
  type TypeData,
  typeCall,
} from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import { PROJECTION } from '../solve/relations.ts';

/** What annotations are checked against. */
export interface AnnotationContext {
  readonly ops: OpTable;
  readonly adts: ReadonlyMap<string, TypeData>;
  readonly report: (d: Diagnostic) => void;
}

/** The type parameters in scope where the walk stands, and the checks that need them. */
export interface Annotations {
  readonly enter: (f: Func) => void;
  readonly leave: (f: Func) => void;
  readonly isInScope: (v: TypeVar) => boolean;
  readonly check: (type: Type | undefined, span: Span | undefined) => void;
  readonly checkTypeArg: (arg: TypeArg, span: Span | undefined) => void;
  /** The functions around the place where the walk stands, innermost first. */
  readonly around: () => Around | undefined;
  /**
   * Reports variables and functions whose types mention a parameter of a function that is not around
   * them. `hasMetRigid`: whether parameters of types were met as what stands for itself.
   */
  readonly reportEscapes: (
    bound: ReadonlyMap<Var, { readonly around: Around | undefined }>,
    typeOf: (node: Expr) => Type,
    hasMetRigid: boolean,
  ) => void;
}

/**
 * The function with type parameters for the dimensions that its signature names and nothing
 * declares ([types §10.1](https://batonjs.github.io/baton/spec/types#10.1)); the function itself if
 * there are none.
 */
export function declareDimensions(f: Func): Func {
  const types = [
    ...f.params.map((param) => param.typeAnnotation),
    f.retType,
    ...f.constraints.flatMap((c) => c.args),
  ].filter((type) => type !== undefined && mentionsTypeVars(type));
  const named = freeTypeVarsOf(types as ReadonlyArray<Type>).filter(
    (v) => v.kind === 'ShapeVar' && !f.typeParams.includes(v),
  );
  return named.length === 0
    ? f
    : func(f.params, f.body, { ...f, typeParams: [...f.typeParams, ...named] });
}

/** The functions around a place, innermost first. */
export interface Around {
  readonly function: Func;
  readonly outer: Around | undefined;
}

/** Checks for one definition. */
export function makeAnnotations(c: AnnotationContext): Annotations {
  const inScope = new Map<TypeVar, number>();
  const checked = new Set<Type>();
  let around: Around | undefined;
  let roots = 0;
  const entered: Around[] = [];
  let isDeclaredInside = false;
  const scope = {
    typeDefinitions: c.adts,
    typeVars: { has: (v: TypeVar) => (inScope.get(v) ?? 0) > 0 },
    hasRelation: (name: string) =>
      name === PROJECTION || c.ops.relation(name) !== undefined || c.ops.get(name) !== undefined,
  };
  const check = (type: Type | undefined, span: Span | undefined): void => {
    if (type === undefined || checked.has(type)) return;
    const problem = kindProblem(type, scope, span);
    if (problem !== undefined) c.report(problem);
    else if (!mentionsTypeVars(type)) checked.add(type);
  };
  return {
    enter: (f) => {
      if (around === undefined) roots++;
      else if (f.typeParams.length > 0) isDeclaredInside = true;
      around = { function: f, outer: around };
      entered.push(around);
      for (const v of f.typeParams) inScope.set(v, (inScope.get(v) ?? 0) + 1);
      for (const param of f.params) check(param.typeAnnotation, param.span ?? f.span);
      check(f.retType, f.span);
      for (const { args } of f.constraints) for (const arg of args) check(arg, f.span);
    },
    leave: (f) => {
      around = around?.outer;
      for (const v of f.typeParams) inScope.set(v, (inScope.get(v) ?? 0) - 1);
    },
    isInScope: scope.typeVars.has,
    check,
    checkTypeArg: (arg, span) => {
      if (arg.kind === 'Type') check(arg.value, span);
      else {
        const named = freeTypeVarsOf([typeCall(globalTypeVar(''), [arg])]);
        const unknown = named.find((v) => !scope.typeVars.has(v));
        if (unknown !== undefined) c.report(diagnose.freeTypeVariable(unknown.nameHint, span));
      }
    },
    around: () => around,
    reportEscapes: (bound, typeOf, hasMetRigid) => {
      // Levels keep what is generalized inside; only what was declared can escape, and nothing is
      // outside the one function that is around all.
      if (!hasMetRigid && !isDeclaredInside && (roots === 1 || inScope.size === 0)) return;
      const escaped = (type: Type, outer: Around | undefined): TypeVar | undefined => {
        if (!mentionsTypeVars(type)) return undefined;
        const left = new Set(freeTypeVarsOf([type]));
        for (let at = outer; at !== undefined && left.size > 0; at = at.outer) {
          const f = typeOf(at.function);
          for (const own of f._tag === 'FuncType' ? f.typeParams : []) left.delete(own);
        }
        return [...left][0];
      };
      let isReported = false;
      for (const [v, { around: outer }] of bound) {
        const found = escaped(typeOf(v), outer);
        if (found === undefined) continue;
        isReported = true;
        c.report(diagnose.escapedTypeVariable(found.nameHint, `%${v.nameHint}`, v.span));
      }
      if (isReported || !hasMetRigid) return;
      for (const at of entered) {
        const found = escaped(typeOf(at.function), at.outer);
        if (found === undefined) continue;
        c.report(diagnose.escapedTypeVariable(found.nameHint, 'this function', at.function.span));
      }
    },
  };
}
