/** The material of terms, and helpers for all ways to make them. */
import { InvariantError } from '@baton/base';
import {
  type Expr,
  funcType,
  letIn,
  refType,
  scalarType,
  type Type,
  type TypeCall,
  tupleType,
  typeEqual,
  type Var,
  variable,
} from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import { type DataType, dataTypeOf } from './data-types.ts';
import type { Library } from './library.ts';

/** The material of terms. */
export interface TermSite {
  readonly b: Builder;
  readonly dataTypes: ReadonlyArray<DataType>;
  readonly library: Library | undefined;
  /** An expression of the type. `fuel` bounds its depth. */
  readonly term: (type: Type, env: Env, fuel: number) => Expr;
}

/** The variables that a term may use, the innermost last. */
export type Env = ReadonlyArray<Var>;

/** A way to make an expression of a type; `undefined` if it does not apply. */
export type Form = (site: TermSite, type: Type, env: Env, fuel: number) => Expr | undefined;

/** A variable of the type, the inner ones more often. */
export function variableOf({ b }: TermSite, type: Type, env: Env): Expr | undefined {
  const fitting = env.filter((v) => v.typeAnnotation && typeEqual(v.typeAnnotation, type));
  if (fitting.length === 0) return undefined;
  const back = Math.min(b.random.int(0, 2), fitting.length - 1);
  return fitting[fitting.length - 1 - back];
}

/** A type of terms, mostly small. */
export function someType(site: TermSite, depth: number): Type {
  const { b, dataTypes, library } = site;
  const { random } = b;
  const deeper = (): Type => someType(site, depth - 1);
  const kind = depth > 0 ? random.int(0, 9) : 0;
  if (kind === 5) return tupleType(Array.from({ length: random.int(0, 2) }, deeper));
  if (kind === 6) return refType(deeper());
  if (kind === 7) return funcType([deeper()], deeper());
  if (kind === 8 && library !== undefined) {
    return dataTypeOf(random.chance(0.7) ? library.list : library.option, [deeper()]);
  }
  if (kind === 9 && dataTypes.length > 0) {
    const chosen = random.pick(dataTypes);
    return dataTypeOf(chosen, chosen.data.typeVars.map(deeper));
  }
  return random.weighted<() => Type>([
    [4, () => scalarType(b.float)],
    [2, () => scalarType('int32')],
    [1, () => scalarType('bool')],
    [3, () => visibleType(b)],
  ])();
}

const visibleType = (b: Builder): Type => {
  const floats = b.visible().filter((v) => v._tag === 'Tensor' && v.dtype === b.float);
  return floats.length === 0 ? scalarType(b.float) : b.random.pick(floats).type;
};

/** `let %t: S = term; rest`, where the rest sees the variable. */
export function withLet(
  site: TermSite,
  bound: Type,
  env: Env,
  fuel: number,
  rest: (v: Var) => Expr,
): Expr {
  const v = variable(site.b.random.pick(['s', 't', 'f', 'r']), bound);
  return letIn(v, site.term(bound, env, fuel), rest(v));
}

export function dataTypeNamed({ dataTypes, library }: TermSite, type: TypeCall): DataType {
  const all = library === undefined ? dataTypes : [...dataTypes, library.list, library.option];
  const found = all.find(({ data }) => data.header === type.func);
  if (found === undefined) throw new InvariantError(`${type.func.nameHint} is a known data type`);
  return found;
}
