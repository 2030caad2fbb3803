/** Checks of written types: their kinds, and the names of their parameters. */
import type { Diagnostic, Span } from '@baton/base';
import { type KindScope, kindProblem } from '../../analysis/kinds.ts';
import * as diagnose from '../../diagnostics.ts';
import { func } from '../../expr/construct.ts';
import type { Func } from '../../expr/expr.ts';
import type { IRModule } from '../../module/module.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import {
  globalTypeVar,
  mentionsTypeVars,
  type Type,
  type TypeArg,
  typeCall,
} from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import type { Around } from '../collect/entry.ts';
import { PROJECTION } from '../solve/relations.ts';

/**
 * The function with type parameters for the undeclared dimensions of its signature
 * ([types §10.1](https://batonjs.github.io/baton/spec/types#10.1)); the function itself if there
 * are none.
 */
export function declareDimensions(f: Func): Func {
  const types: Type[] = [];
  const add = (type: Type | undefined): void => {
    if (type !== undefined && mentionsTypeVars(type)) types.push(type);
  };
  for (const param of f.params) add(param.typeAnnotation);
  add(f.retType);
  for (const { args } of f.constraints) args.forEach(add);
  if (types.length === 0) return f;
  const named = freeTypeVarsOf(types).filter(
    (v) => v.kind === 'ShapeVar' && !f.typeParams.includes(v),
  );
  return named.length === 0
    ? f
    : func(f.params, f.body, { ...f, typeParams: [...f.typeParams, ...named] });
}

/** The type parameters in scope in one definition, and the checks that need them. */
export class Annotations {
  /** The functions around the current node, innermost first. */
  around: Around | undefined;
  /** Every function that was entered. */
  entered: Around[] = [];
  readonly #inScope = new Map<TypeVar, number>();
  readonly #checked = new Set<Type>();
  readonly #report: (d: Diagnostic) => void;
  readonly #scope: KindScope;
  readonly #isInScope = (v: TypeVar): boolean => (this.#inScope.get(v) ?? 0) > 0;

  constructor({ ops, typeDefinitions }: IRModule, report: (d: Diagnostic) => void) {
    this.#report = report;
    this.#scope = {
      typeDefinitions,
      typeVars: { has: this.#isInScope },
      hasRelation: (name) =>
        name === PROJECTION || ops.relation(name) !== undefined || ops.get(name) !== undefined,
    };
  }

  /** Starts with another definition. */
  begin(): void {
    this.around = undefined;
    this.entered = [];
    if (this.#inScope.size > 0) this.#inScope.clear();
  }

  enter(f: Func): void {
    this.around = { function: f, outer: this.around };
    this.entered.push(this.around);
    this.#declare(f, 1);
    for (const param of f.params) this.check(param.typeAnnotation, param.span ?? f.span);
    this.check(f.retType, f.span);
    for (const { args } of f.constraints) for (const arg of args) this.check(arg, f.span);
  }

  leave(f: Func): void {
    this.around = this.around?.outer;
    this.#declare(f, -1);
  }

  check(type: Type | undefined, span: Span | undefined): void {
    if (type === undefined || this.#checked.has(type)) return;
    const problem = kindProblem(type, this.#scope, span);
    if (problem !== undefined) this.#report(problem);
    else if (!mentionsTypeVars(type)) this.#checked.add(type);
  }

  checkTypeArg(arg: TypeArg, span: Span | undefined): void {
    if (arg.kind === 'Type') {
      this.check(arg.value, span);
      return;
    }
    const named = freeTypeVarsOf([typeCall(globalTypeVar(''), [arg])]);
    const unknown = named.find((v) => !this.#isInScope(v));
    if (unknown !== undefined) this.#report(diagnose.freeTypeVariable(unknown.nameHint, span));
  }

  #declare({ typeParams }: Func, change: number): void {
    for (const v of typeParams) this.#inScope.set(v, (this.#inScope.get(v) ?? 0) + change);
  }
}
