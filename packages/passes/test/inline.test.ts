import { orThrow } from '@baton/base';
import {
  call,
  type Expr,
  type Func,
  func,
  globalVar,
  type IRModule,
  irModule,
  postOrderExprs,
  scalarType,
  variable,
  wellFormed,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type Pass, passesRun, runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { expect, test } from 'vitest';

const DEPTH = 8_000;
const MAX_NODES = 5_000;
const int = scalarType('int32');
const MARKED = { attrs: { Inline: 1 }, retType: int };

const inlined = (functions: ReadonlyMap<string, Func>, pass: Pass = passes.inline) => {
  const { module, report } = orThrow(runPass(pass)(irModule({ functions, ops: standardOps })));
  const [entry] = passesRun(report);
  return { module, counts: entry?.counts ?? {} };
};

const one = (body: (x: Expr) => Expr, parts = {}) => {
  const x = variable('x', int);
  return func([x], body(x), { retType: int, ...parts });
};
const callNamed = (name: string, x: Expr): Expr => call(globalVar(name), [x]);
const sizeOf = (m: IRModule): number => postOrderExprs([...m.functions.values()]).length;

test('a chain of functions that each call the one before twice stops at the limit of nodes', () => {
  const functions = new Map([['f0', one((x) => callOp(standardOps, 'add', [x, x]), MARKED)]]);
  for (let i = 1; i <= 40; i++) {
    const previous = `f${i - 1}`;
    functions.set(
      `f${i}`,
      one((x) => callNamed(previous, callNamed(previous, x)), MARKED),
    );
  }
  functions.set(
    'main',
    one((x) => callNamed('f40', x)),
  );
  const { module, counts } = inlined(functions, passes.inline({ maxNodes: MAX_NODES }));
  expect(sizeOf(module)).toBeLessThanOrEqual(MAX_NODES);
  expect(sizeOf(module)).toBeGreaterThan(MAX_NODES / 8);
  expect(counts['kept: size']).toBeGreaterThan(0);
  expect(wellFormed(module)).toEqual([]);
});

test('calls nested deeper than any stack are inlined', () => {
  const functions = new Map([['f0', one((x) => callOp(standardOps, 'negative', [x]), MARKED)]]);
  functions.set(
    'main',
    one((x) => {
      let result = x;
      for (let i = 0; i < DEPTH; i++) result = callNamed('f0', result);
      return result;
    }),
  );
  const { module, counts } = inlined(functions);
  expect([...module.functions.keys()]).toEqual(['main']);
  expect(counts.call).toBe(DEPTH);
  const operators = postOrderExprs([...module.functions.values()]).filter(
    (e) => e._tag === 'Call' && e.op._tag === 'Op',
  );
  expect(operators.length).toBe(DEPTH);
});

test('a chain of functions is inlined to its end', () => {
  const length = 1_000;
  const functions = new Map([['f0', one((x) => callOp(standardOps, 'negative', [x]), MARKED)]]);
  for (let i = 1; i < length; i++) {
    functions.set(
      `f${i}`,
      one((x) => callNamed(`f${i - 1}`, x), MARKED),
    );
  }
  functions.set(
    'main',
    one((x) => callNamed(`f${length - 1}`, x)),
  );
  const { module } = inlined(functions);
  expect([...module.functions.keys()]).toEqual(['main']);
  expect(module.functions.get('main')?.body._tag).toBe('Call');
});
