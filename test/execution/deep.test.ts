import { orThrow } from '@baton/base';
import { type HostValue, toData } from '@baton/executor';
import {
  adtConstructor,
  call,
  clause,
  constant,
  type Expr,
  func,
  globalTypeVar,
  globalVar,
  ifElse,
  irModule,
  letIn,
  match,
  type Pattern,
  refCreate,
  refRead,
  scalarType,
  type Type,
  tuple,
  tupleGetItem,
  typeCall,
  variable,
} from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { scalar } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { evaluate } from './support.ts';

const DEPTH = 8_000;
const STEPS = 1_000;

const int = scalarType('int32');
const bool = scalarType('bool');
const number = (value: number) => constant(scalar(value, 'int32'));
const add = (a: Expr, b: Expr) => callOp(ops, 'add', [a, b]);

/** Applies `step` a number of times. */
function nested(start: Expr, step: (inner: Expr, i: number) => Expr, times: number = DEPTH): Expr {
  let expr = start;
  for (let i = 0; i < times; i++) expr = step(expr, i);
  return expr;
}

const run = (body: Expr, params: ReadonlyArray<ReturnType<typeof variable>>, args: HostValue[]) =>
  toData(
    orThrow(
      evaluate(
        irModule({
          ops,
          functions: new Map([['main', func(params, body, { retType: int })]]),
        }),
        args,
      ),
    ),
  );

describe('programs 50,000 deep', () => {
  const x = variable('x', int);
  const c = variable('c', bool);

  it.each<readonly [string, Expr, number]>([
    ['calls of operators', nested(x, (e) => add(e, number(1))), DEPTH + 1],
    ['calls with the long argument on the right', nested(x, (e) => add(number(1), e)), DEPTH + 1],
    ['branches', nested(x, (e) => ifElse(c, e, number(0))), 1],
    ['conditions', nested(x, (e) => ifElse(callOp(ops, 'less', [e, number(5)]), x, x)), 1],
    ['tuples and projections', nested(x, (e) => tupleGetItem(tuple([e, c]), 0)), 1],
    ['references', nested(x, (e) => refRead(refCreate(e))), 1],
    ['calls of functions on the spot', nested(x, (e) => call(func([], e), [])), 1],
    ['lets in bodies', nested(x, (e) => letIn(variable('v', int), x, e)), 1],
    ['shared nodes of shared nodes', nested(x, (e) => callOp(ops, 'maximum', [e, e])), 1],
    [
      'lets in values',
      nested(x, (e) => {
        const v = variable('v', int);
        return letIn(v, e, add(v, number(1)));
      }),
      DEPTH + 1,
    ],
  ])('of %s run', (_, body, expected) => {
    expect(run(body, [x, c], [1, true])).toBe(expected);
  });

  it('of patterns run', () => {
    const header = globalTypeVar('nat');
    const nat: Type = typeCall(header, []);
    const zero = adtConstructor('zero', [], header, 0);
    const succ = adtConstructor('succ', [nat], header, 1);
    let pattern: Pattern = { _tag: 'PatternWildcard', span: undefined };
    let value: Expr = call(zero, []);
    for (let i = 0; i < DEPTH; i++) {
      pattern = { _tag: 'PatternConstructor', ctor: succ, patterns: [pattern], span: undefined };
      value = call(succ, [value]);
    }
    const other: Pattern = { _tag: 'PatternWildcard', span: undefined };
    const body = match(value, [clause(pattern, number(1)), clause(other, number(0))], false);
    const m = irModule({
      ops,
      functions: new Map([['main', func([], body, { retType: int })]]),
      typeDefinitions: new Map([
        [
          'nat',
          {
            _tag: 'TypeData',
            header,
            typeVars: [],
            constructors: [
              { name: 'zero', inputs: [] },
              { name: 'succ', inputs: [nat] },
            ],
            extern: false,
          },
        ],
      ]),
      constructors: new Map([
        ['zero', zero],
        ['succ', succ],
      ]),
    });
    expect(toData(orThrow(evaluate(m)))).toBe(1);
  });
});

describe('ladders of 1,000 steps', () => {
  const x = variable('x', int);
  const c = variable('c', bool);
  const zero = number(0);

  it.each<readonly [string, Expr, number]>([
    ['of sums', nested(x, (e) => add(add(e, e), add(zero, zero)), STEPS), 0],
    ['used in both branches', nested(x, (e) => ifElse(c, add(e, zero), add(zero, e)), STEPS), 1],
    [
      'used in a branch and after it',
      nested(x, (e) => callOp(ops, 'minimum', [ifElse(c, e, zero), e]), STEPS),
      1,
    ],
    [
      'used in a closure and around it',
      nested(x, (e) => callOp(ops, 'maximum', [call(func([], add(e, zero)), []), e]), STEPS),
      1,
    ],
    [
      'used in two closures',
      nested(
        x,
        (e) => callOp(ops, 'maximum', [call(func([], add(e, zero)), []), call(func([], e), [])]),
        STEPS,
      ),
      1,
    ],
    ['that end functions', nested(x, (e) => ifElse(c, e, ifElse(c, zero, e)), STEPS), 1],
  ])('%s are computed once', (_, body, expected) => {
    expect(run(body, [x, c], [1, true])).toBe(expected);
  });

  it('of functions that demand each other are computed once', () => {
    const shared = nested(x, (e) => add(callOp(ops, 'maximum', [e, e]), zero), STEPS);
    const inner = func([], call(func([], add(shared, shared)), []));
    const f = globalVar('f');
    const m = irModule({
      ops,
      functions: new Map([
        ['f', func([x], tupleGetItem(tuple([call(inner, []), shared]), 0), { retType: int })],
        ['main', func([], call(f, [number(3)]), { retType: int })],
      ]),
    });
    expect(toData(orThrow(evaluate(m)))).toBe(6);
  });
});
