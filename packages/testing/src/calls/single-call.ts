/** Programs of one call of a chosen operator. */
import { InvariantError, isLeft } from '@baton/base';
import {
  type Func,
  freeVars,
  func,
  type IRModule,
  inferTypes,
  irModule,
  type OpTable,
  tuple,
} from '@baton/ir';
import type { DType } from '@baton/tensor';
import { makeBuilder } from '../generate/make-builder.ts';
import { makeChoices } from '../generate/random.ts';
import { samplerOf } from '../samplers/standard.ts';

/**
 * A module whose `main` calls the operator once, with random shapes and attributes, perhaps on
 * operands that other calls bring into its domain; `undefined` if it has no sampler.
 */
export function singleCall(
  ops: OpTable,
  name: string,
  seed: number,
  float: DType = 'float64',
): IRModule | undefined {
  const main = functionOfCall(ops, name, seed, float);
  return main && moduleOf(main, name, ops);
}

/** A module whose `main` returns a tuple of the calls of {@link singleCall} for each seed. */
export function callsOf(
  ops: OpTable,
  name: string,
  seeds: ReadonlyArray<number>,
  float: DType = 'float64',
): IRModule | undefined {
  const calls = seeds.flatMap((seed) => functionOfCall(ops, name, seed, float) ?? []);
  if (calls.length === 0) return undefined;
  const params = calls.flatMap((call) => call.params);
  return moduleOf(func(params, tuple(calls.map(({ body }) => body))), name, ops);
}

function functionOfCall(ops: OpTable, name: string, seed: number, float: DType): Func | undefined {
  const op = ops.get(name);
  const sampler = op && samplerOf(ops, op);
  if (op === undefined || sampler === undefined) return undefined;
  const b = makeBuilder({
    ops,
    random: makeChoices(seed),
    numerics: 'any',
    float,
    emptyAxes: 0,
    allows: () => true,
  });
  const { params, result } = b.inFunction(true, () => sampler(b, op));
  const free = new Set(freeVars(result.expr));
  const own = params.flatMap(({ expr }) => (expr._tag === 'Var' && free.has(expr) ? [expr] : []));
  return func(own, result.expr, { retType: result.type });
}

function moduleOf(main: Func, name: string, ops: OpTable): IRModule {
  const typed = inferTypes(irModule({ functions: new Map([['main', main]]), ops }));
  if (isLeft(typed)) throw new InvariantError(`a sampled call of ${name} is well-typed`);
  return typed.right;
}
