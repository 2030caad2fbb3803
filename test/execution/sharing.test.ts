import { mulberry32, orThrow, type Random } from '@baton/base';
import {
  adtConstructor,
  call,
  clause,
  constant,
  type Expr,
  type Func,
  func,
  globalTypeVar,
  ifElse,
  irModule,
  letIn,
  match,
  refCreate,
  refRead,
  refWrite,
  scalarType,
  type TypeData,
  tuple,
  tupleGetItem,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { scalar } from '@baton/tensor';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { amount } from '../tier.ts';
import { evaluate } from './support.ts';

const int = scalarType('int32');
const header = globalTypeVar('Maybe');
const maybe: TypeData = {
  _tag: 'TypeData',
  header,
  typeVars: [],
  constructors: [
    { name: 'Just', inputs: [int] },
    { name: 'Nothing', inputs: [] },
  ],
  extern: false,
};
const just = adtConstructor('Just', [int], header, 0);
const nothing = adtConstructor('Nothing', [], header, 1);
const number = (value: number): Expr => constant(scalar(value, 'int32'));

/** A node that can be used again wherever its variables are in scope. */
interface Made {
  readonly expr: Expr;
  readonly needs: ReadonlySet<Var>;
}

/** The names in scope: integers, and functions from an integer to an integer. */
interface Scope {
  readonly ints: ReadonlyArray<Var>;
  readonly functions: ReadonlyArray<Var>;
}

/**
 * A program of integers with arbitrary sharing across branches, clauses and functions. Its steps
 * write to a cell, so that their order and number are visible.
 */
function randomProgram(random: Random, size: number): Func {
  const log = variable('log');
  const pool: Made[] = [];
  let budget = size;
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <A>(items: ReadonlyArray<A>): A => items[below(items.length)] as A;
  const made = (expr: Expr, needs: Iterable<Var>): Made => {
    const result = { expr, needs: new Set(needs) };
    pool.push(result);
    return result;
  };
  const needsOf = (...parts: ReadonlyArray<Made>): ReadonlySet<Var> =>
    new Set(parts.flatMap((part) => [...part.needs]));
  const without = (needs: ReadonlySet<Var>, ...bound: ReadonlyArray<Var>): ReadonlySet<Var> =>
    new Set([...needs].filter((v) => !bound.includes(v)));

  const leaf = (scope: Scope): Made => {
    const v = scope.ints.length > 0 && random() < 0.6 ? pick(scope.ints) : undefined;
    return v === undefined
      ? { expr: number(below(5)), needs: new Set() }
      : { expr: v, needs: new Set([v]) };
  };

  /** Leaves a digit in the log. */
  const tick = (digit: number, of: Made): Made => {
    const before = callOp(ops, 'multiply', [refRead(log), number(7)]);
    const write = refWrite(log, callOp(ops, 'add', [before, number(digit)]));
    return made(tupleGetItem(tuple([of.expr, write]), 0), of.needs);
  };

  const integer = (scope: Scope): Made => {
    budget -= 1;
    const usable = pool.filter(({ needs }) =>
      [...needs].every((v) => scope.ints.includes(v) || scope.functions.includes(v)),
    );
    if (usable.length > 0 && random() < 0.35) return pick(usable);
    if (budget <= 0) return leaf(scope);
    switch (below(10)) {
      case 0:
      case 1: {
        const [a, b] = [integer(scope), integer(scope)];
        return made(callOp(ops, 'add', [a.expr, b.expr]), needsOf(a, b));
      }
      case 2:
      case 3:
        return tick(1 + below(6), integer(scope));
      case 4:
      case 5: {
        const [a, b] = [integer(scope), integer(scope)];
        const [yes, no] = [integer(scope), integer(scope)];
        const cond = callOp(ops, 'less', [a.expr, b.expr]);
        return made(ifElse(cond, yes.expr, no.expr), needsOf(a, b, yes, no));
      }
      case 6: {
        const v = variable('v', int);
        const value = integer(scope);
        const body = integer({ ...scope, ints: [...scope.ints, v] });
        const needs = [...value.needs, ...without(body.needs, v)];
        return made(letIn(v, value.expr, body.expr), needs);
      }
      case 7:
        return functionIn(scope);
      case 8: {
        if (scope.functions.length === 0) return leaf(scope);
        const f = pick(scope.functions);
        const arg = integer(scope);
        return made(call(f, [arg.expr]), [f, ...arg.needs]);
      }
      default:
        return matchIn(scope);
    }
  };

  const functionIn = (scope: Scope): Made => {
    const [f, p] = [variable('f'), variable('p', int)];
    const inner = { ...scope, ints: [...scope.ints, p] };
    const value = integer(inner);
    // Half of the functions call themselves while their argument is above 0.
    const isRecursive = random() < 0.5;
    const again = call(f, [callOp(ops, 'add', [p, number(-1)])]);
    const goesOn = callOp(ops, 'less', [number(0), p]);
    const body = isRecursive
      ? ifElse(goesOn, callOp(ops, 'add', [value.expr, again]), value.expr)
      : value.expr;
    const closure = func([p], body, { retType: int });
    const rest = integer({ ...scope, functions: [...scope.functions, f] });
    const start = random() < 0.5 ? number(below(4)) : undefined;
    const used =
      start === undefined ? rest.expr : callOp(ops, 'add', [rest.expr, call(f, [start])]);
    return made(letIn(f, closure, used), [...without(value.needs, p), ...without(rest.needs, f)]);
  };

  const matchIn = (scope: Scope): Made => {
    const [a, b] = [integer(scope), integer(scope)];
    const v = variable('m', int);
    const [some, none] = [integer({ ...scope, ints: [...scope.ints, v] }), integer(scope)];
    const cond = callOp(ops, 'less', [a.expr, b.expr]);
    const data = ifElse(cond, call(just, [a.expr]), call(nothing, []));
    const clauses = [
      clause(
        {
          _tag: 'PatternConstructor',
          ctor: just,
          patterns: [{ _tag: 'PatternVar', variable: v, span: undefined }],
          span: undefined,
        },
        some.expr,
      ),
      clause(
        { _tag: 'PatternConstructor', ctor: nothing, patterns: [], span: undefined },
        none.expr,
      ),
    ];
    const needs = [...needsOf(a, b, none), ...without(some.needs, v)];
    return made(match(data, clauses, true), needs);
  };

  const first = integer({ ints: [], functions: [] });
  const second = integer({ ints: [], functions: [] });
  const body = letIn(log, refCreate(number(0)), tuple([first.expr, second.expr, refRead(log)]));
  return func([], body);
}

const moduleOf = (main: Func) =>
  irModule({
    ops,
    functions: new Map([['main', main]]),
    typeDefinitions: new Map([['Maybe', maybe]]),
    constructors: new Map([
      ['Just', just],
      ['Nothing', nothing],
    ]),
  });

describe('programs that share anything with anything', () => {
  it('run as the oracle says, and leave the same traces', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 3, max: 60 }), (seed, size) => {
        const m = moduleOf(randomProgram(mulberry32(seed), size));
        orThrow(evaluate(m, [], { fuel: 200_000 }));
      }),
      { seed: 88_003, numRuns: amount(1500, { quick: 250 }) },
    );
  });
});
