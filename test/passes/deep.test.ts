/** Every exported pass on programs that overflow any recursion. */
import { orThrow } from '@baton/base';
import {
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  ifElse,
  inferTypes,
  irModule,
  letIn,
  postOrderExprs,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type Pass, runPass } from '@baton/pass-manager';
import { type CompositePattern, optimize, passes } from '@baton/passes';
import { dataflow, rule } from '@baton/rewrites';
import { full, scalar } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';

const DEPTH = amount(8_000, { quick: 2_000 });
const LADDER = 1_000;

const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => callOp(standardOps, name, args);
const vector: Type = tensorType([2, 4], 'float32');
const one = (): Expr => constant(scalar(1, 'float32'));
const relu = (e: Expr): Expr => op('nn.relu', e);
const plusOne = (e: Expr): Expr => op('add', e, one());
const letAround = (e: Expr): Expr => {
  const v = variable('v');
  return letIn(v, e, relu(v));
};
const scale = (): Expr => constant(full([4], 'float32', 2));

/** `depth` applications of `step` to `start`. */
function chain(depth: number, start: Expr, step: (e: Expr) => Expr): Expr {
  let result = start;
  for (let i = 0; i < depth; i++) result = step(result);
  return result;
}

/** Functions, each of which binds and calls the next, and adds its own parameter to what this gives. */
function nested(depth: number, x: Expr): Expr {
  let inner = func([variable('z', vector)], x, { retType: vector });
  for (let i = 0; i < depth; i++) {
    const [y, f] = [variable('y', vector), variable('f')];
    inner = func([y], letIn(f, inner, op('add', call(f, [y]), y)), { retType: vector });
  }
  return call(inner, [x]);
}

function program(body: (x: Expr, w: Expr) => Expr): IRModule {
  const x = variable('x', vector);
  const w = variable('w', tensorType([4, 4], 'float32'));
  return irModule({ functions: new Map([['main', func([x, w], body(x, w))]]), ops: standardOps });
}

const letChain = (
  start: Expr,
  value: (previous: Expr) => Expr,
  use: (last: Expr) => Expr,
): Expr => {
  const values = Array.from({ length: DEPTH }, (_, i) => variable(`v${i}`));
  const body = use(values.at(-1) ?? start);
  return values.reduceRight<Expr>(
    (rest, v, i) => letIn(v, value(i === 0 ? start : (values[i - 1] ?? start)), rest),
    body,
  );
};

/** A recursive function that applies `nn.relu` after each call of itself. */
function countdown(depth: number, x: Expr): Expr {
  const f = variable('f');
  const n = variable('n', tensorType([], 'int32'));
  const number = (value: number): Expr => constant(scalar(value, 'int32'));
  const next = relu(call(f, [op('subtract', n, number(1))]));
  const body = func([n], ifElse(op('equal', n, number(0)), x, next), { retType: vector });
  return letIn(f, body, call(f, [number(depth)]));
}

/** Programs for every pass. */
const PROGRAMS: ReadonlyArray<readonly [string, () => IRModule]> = [
  ['chained calls', () => program((x) => chain(DEPTH, x, (e) => op('nn.relu', e)))],
  ['nested lets', () => program((x) => letChain(x, relu, (last) => last))],
  ['lets nested in values', () => program((x) => chain(DEPTH, x, letAround))],
  ['nested tuples', () => program((x) => chain(DEPTH, x, (e) => tupleGetItem(tuple([e, x]), 0)))],
  ['a ladder of diamonds', () => program((x) => chain(LADDER, x, (e) => op('add', e, e)))],
];

/** Programs that exercise one pass most, and the number of calls that it leaves. */
const FOCUSED: ReadonlyArray<readonly [string, Pass, number, () => IRModule]> = [
  [
    'chained sums of constants fold',
    passes.foldConstant,
    1,
    () => program((x) => op('add', x, chain(DEPTH, one(), plusOne))),
  ],
  [
    'nested lets of constants fold',
    passes.foldConstant,
    1,
    () => program((x) => letChain(one(), plusOne, (last) => op('add', x, last))),
  ],
  [
    'dead nested lets go',
    passes.deadCodeElimination,
    0,
    () => program((x) => letChain(x, relu, () => x)),
  ],
  [
    'nested lets used once are substituted',
    passes.deadCodeElimination({ inlineOnce: true }),
    DEPTH,
    () => program((x) => letChain(x, relu, (last) => last)),
  ],
  [
    'a recursion on a number is taken apart',
    passes.partialEvaluate,
    DEPTH,
    () => program((x) => countdown(DEPTH, x)),
  ],
  [
    'literals inside literals are lifted',
    passes.lambdaLift,
    2 * LADDER,
    () => program((x) => nested(2 * LADDER, x)),
  ],
  [
    'literals inside literals become data',
    passes.defunctionalize,
    2 * LADDER,
    () => program((x) => nested(2 * LADDER, x)),
  ],
  [
    'a scale passes many calls forward',
    passes.forwardFoldScaleAxis,
    DEPTH + 2,
    () => program((x, w) => op('nn.dense', chain(DEPTH, op('multiply', x, scale()), relu), w)),
  ],
  [
    'a scale passes many calls backward',
    passes.backwardFoldScaleAxis,
    DEPTH + 3,
    () => program((x, w) => op('multiply', chain(DEPTH, op('nn.dense', x, w), relu), scale())),
  ],
  [
    'a scale that nothing takes stays',
    passes.foldScaleAxis,
    DEPTH,
    () => program((x) => chain(DEPTH, x, (e) => op('multiply', e, scale()))),
  ],
];

const { isLet, isOp, isVar, wildcard: any } = dataflow;

/** Pairs of calls, and a pair that meets again far after a variable. */
const COMPOSITES: ReadonlyArray<CompositePattern> = [
  { name: 'pair', pattern: isOp('nn.relu')(isOp('nn.relu')(any())) },
  { name: 'bound', pattern: isLet(isVar(), any()(null), any()) },
  {
    name: 'sums',
    pattern: isVar().dominates(isOp('add')(any(), any()), isOp('add')(any(), any())),
  },
];

const ENROLLED: ReadonlyArray<readonly [string, Pass]> = [
  ...Object.entries(passes),
  ['deadCodeElimination, inlining', passes.deadCodeElimination({ inlineOnce: true })],
  ['optimize, level 3', optimize({ level: 3 })],
  ['mergeComposite, of calls', passes.mergeComposite(COMPOSITES)],
  [
    'rewrite, with a rule',
    passes.rewrite(rule('relu of relu', 'nn.relu(nn.relu(?x))', 'nn.relu(?x)')),
  ],
];

describe.each(PROGRAMS)('%s', (_name, build) => {
  const m = orThrow(inferTypes(build()));
  test.each(ENROLLED)('%s', (_pass, pass) => {
    const before = postOrderExprs([...m.functions.values()]).length;
    const { module } = orThrow(runPass(pass)(m));
    const after = postOrderExprs([...module.functions.values()]).length;
    expect(after).toBeLessThanOrEqual(before + 10 * DEPTH);
    expect(module.functions.get('main')?.params.length).toBe(2);
  });
});

test.each(FOCUSED)('%s', (_name, pass, calls, build) => {
  const { report } = orThrow(runPass(pass)(build()));
  expect(report.nodesAfter).toBe(calls);
});
