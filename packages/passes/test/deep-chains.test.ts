/** The work of each pass at depths that overflow any recursion. */
import { orThrow } from '@baton/base';
import {
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  postOrderExprs,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type Pass, runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { scalar } from '@baton/tensor';
import { expect, test } from 'vitest';
import { amount } from '../../../test/tier.ts';

const DEPTH = amount(8_000, { quick: 3_000 });
const EVERY_LEVEL = 9;

const op = (name: string, args: ReadonlyArray<Expr>, attrs = {}): Expr =>
  callOp(standardOps, name, args, attrs);
const number = (value: number): Expr => constant(scalar(value, 'int32'));

function chain(start: Expr, step: (e: Expr, at: number) => Expr): Expr {
  let result = start;
  for (let i = 0; i < DEPTH; i++) result = step(result, i);
  return result;
}

function program(body: (x: Expr) => Expr): IRModule {
  const x = variable('x', tensorType([2, 4], 'int32'));
  return irModule({ functions: new Map([['main', func([x], body(x))]]), ops: standardOps });
}

/** The number of calls of operators, each once. */
const calls = (m: IRModule): number =>
  postOrderExprs([...m.functions.values()]).filter((e) => e._tag === 'Call' && e.op._tag === 'Op')
    .length;

const rows: ReadonlyArray<readonly [string, Pass, number, () => IRModule]> = [
  [
    'equal chains are computed once',
    passes.eliminateCommonSubexpr,
    DEPTH + 1,
    () => {
      const negatives = (x: Expr): Expr => chain(x, (e) => op('negative', [e]));
      return program((x) => op('add', [negatives(x), negatives(x)]));
    },
  ],
  [
    'sums and products in turn become a product and a sum',
    passes.simplifyExpr,
    2,
    () =>
      program((x) => chain(x, (e, at) => op(at % 2 === 0 ? 'add' : 'multiply', [number(3), e]))),
  ],
  [
    'transposes become one',
    passes.simplifyExpr,
    1,
    () => program((x) => op('transpose', [chain(x, (e) => op('transpose', [e]))])),
  ],
  [
    'casts to the same type go',
    passes.simplifyExpr,
    0,
    () => program((x) => chain(x, (e) => op('cast', [e], { dtype: 'int32' }))),
  ],
];

test.each(rows)('%s', (_title, pass, expected, build) => {
  const { module } = orThrow(runPass(pass, { level: EVERY_LEVEL })(build()));
  expect(calls(module)).toBe(expected);
});
