/** A call from two halves of its result, each computed from parts of the operands, bit by bit. */
import { type Executor, interpreter } from '@baton/executor';
import {
  type Call,
  call,
  type Expr,
  type Func,
  type IRModule,
  inferTypes,
  tuple,
  typeOf,
} from '@baton/ir';
import { callOp, dimsOf, type Form, formColumn, isOpCall, standardOps } from '@baton/ops';
import { rewriteFunc, visibleIn } from '@baton/pass-manager';
import { type CheckedExecutor, checkOperatorCalls, noOperators } from '@baton/testing';
import { orThrow } from 'batonjs';
import { expect, it } from 'vitest';
import { narrowing } from '../../packages/passes/src/bubble-up-slices/narrowed.ts';
import { isCut, partsIn } from '../../packages/passes/src/bubble-up-slices/parts.ts';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 10 });
const SEED = 38_100;

/** The narrowed calls, by the kind of their form. */
const narrowed = new Map<Form['_tag'], number>();

const withMain = (m: IRModule, main: Func): IRModule =>
  orThrow(inferTypes({ ...m, functions: new Map(m.functions).set('main', main) }));

const mainOf = (m: IRModule): Func => m.functions.get('main') as Func;

/** The call as a concatenation of slices, each of a call of its own, along one of its axes. */
function halved(
  m: IRModule,
  node: Call,
  args: ReadonlyArray<Expr>,
  turn: number,
): Expr | undefined {
  const dims = dimsOf(typeOf(m, node)) ?? [];
  const axis = turn % Math.max(dims.length, 1);
  const size = Number(dims[axis] ?? 0);
  if (size < 2) return undefined;
  const half = size >> 1;
  const bounds = [0, half, 2 * half, ...(size % 2 === 1 ? [size] : [])];
  const parts = bounds.slice(1).map((end, i) => {
    const own = call(node.op, args, { attrs: node.attrs, span: node.span });
    const attrs = { begin: [bounds[i] ?? 0], end: [end], axes: [axis] };
    return callOp(m.ops, 'strided_slice', [own], attrs);
  });
  return callOp(m.ops, 'concatenate', [tuple(parts)], { axis });
}

function inParts(m: IRModule): IRModule {
  let turn = 0;
  const split = withMain(
    m,
    rewriteFunc(mainOf(m), m, (node, get) =>
      isOpCall(node) ? halved(m, node, node.args.map(get), turn++) : undefined,
    ),
  );
  const main = mainOf(split);
  const { order } = visibleIn(main.body, split);
  const parts = partsIn(main, split, order);
  for (const [node, { box }] of parts) {
    const form = isOpCall(node) ? split.ops.read(formColumn, node.op.name) : undefined;
    if (form && isCut(box)) narrowed.set(form._tag, (narrowed.get(form._tag) ?? 0) + 1);
  }
  return withMain(split, rewriteFunc(main, split, narrowing(split, parts), order));
}

const byParts: Executor = {
  ...interpreter,
  name: 'parts',
  isCompiled: true,
  prepare: (m, limits) => interpreter.prepare(inParts(m), limits),
};

const subject: CheckedExecutor = { executor: byParts, isExact: true, covers: () => true };

const NAMES = standardOps.names.filter((name) => standardOps.read(formColumn, name) !== undefined);

it.each([0, 1, 2, 3])('parts of a call are parts of its result, part %i', (part) => {
  const problems = NAMES.filter((_, i) => i % 4 === part).flatMap((name) =>
    checkOperatorCalls(standardOps, name, { seed: SEED, count: CALLS }, subject, noOperators()),
  );
  expect(problems).toEqual([]);
});

it('calls of every form that has parts are narrowed', () => {
  const kinds = [...narrowed].filter(([, count]) => count >= 5).map(([kind]) => kind);
  expect(kinds.sort().join(' ')).toBe(
    'Concat Contract Convert Gather Map Pad Reduce Scan Softmax Steps View',
  );
});
