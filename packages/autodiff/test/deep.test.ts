import { expandGradients } from '@baton/autodiff';
import { isRight, orThrow } from '@baton/base';
import {
  call,
  type Expr,
  func,
  globalVar,
  type IRModule,
  inferTypes,
  irModule,
  letIn,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { expect, test } from 'vitest';

/** Beyond the depth at which a recursive function overflows. */
const DEPTH = 4_000;

const T = tensorType([2], 'float32');

/** `main` as the gradient of a function with this body. */
function gradientOf(mode: string, body: (x: Expr) => Expr): IRModule {
  const [x, y] = [variable('x', T), variable('x', T)];
  const marker = callOp(standardOps, 'gradient', [globalVar('f')], { mode });
  const functions = new Map([
    ['f', func([x], body(x), { retType: T })],
    ['main', func([y], call(marker, [y]))],
  ]);
  return irModule({ functions, ops: standardOps });
}

const expands = (m: IRModule): boolean => {
  const expanded = orThrow(expandGradients(orThrow(inferTypes(m))));
  return isRight(inferTypes(expanded));
};

test.each(['first_order', 'higher_order'])('%s goes through deep chains and ladders', (mode) => {
  const chain = (x: Expr): Expr => {
    let value = x;
    for (let i = 0; i < DEPTH; i++) value = callOp(standardOps, 'sin', [value]);
    return value;
  };
  const ladder = (x: Expr): Expr => {
    let value = x;
    for (let i = 0; i < DEPTH; i++) value = callOp(standardOps, 'add', [value, value]);
    return value;
  };
  expect(expands(gradientOf(mode, chain))).toBe(true);
  expect(expands(gradientOf(mode, ladder))).toBe(true);
});

test('higher order goes through deep lets', () => {
  const lets = (x: Expr): Expr => {
    const variables = Array.from({ length: DEPTH }, (_, i) => variable(`x${i}`, T));
    return variables.reduceRight<Expr>(
      (rest, v, i) => letIn(v, callOp(standardOps, 'sin', [variables[i - 1] ?? x]), rest),
      variables.at(-1) ?? x,
    );
  };
  expect(expands(gradientOf('higher_order', lets))).toBe(true);
});
