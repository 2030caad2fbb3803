import { orThrow } from '@baton/base';
import {
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  irModule,
  postOrderExprs,
  structuralEqual,
  tensorType,
  variable,
  wellFormed,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';

const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => callOp(standardOps, name, args);

function program(body: (x: Expr) => Expr): IRModule {
  const x = variable('x', tensorType([2], 'float32'));
  return irModule({ functions: new Map([['main', func([x], body(x))]]), ops: standardOps });
}

const chain = (depth: number, x: Expr): Expr => {
  let result = x;
  for (let i = 0; i < depth; i++) result = op('exp', result);
  return result;
};

const diamonds = (count: number, x: Expr): Expr => {
  let result = x;
  for (let i = 0; i < count; i++) result = op('add', chain(5, result), chain(5, result));
  return result;
};

const fused = (m: IRModule, maxDepth?: number): IRModule => {
  const config: Record<string, number> = {};
  if (maxDepth !== undefined) config['relay.FuseOps.max_depth'] = maxDepth;
  return orThrow(runPass(passes.fuseOps, { level: 3, config })(m)).module;
};

/** The number of calls in each kernel, in order of evaluation. */
const kernelSizes = (m: IRModule): ReadonlyArray<number> =>
  postOrderExprs([...m.functions.values()])
    .filter((e): e is Func => e._tag === 'Function' && e.attrs.Primitive === 1)
    .map((f) => postOrderExprs([f.body]).filter((e) => e._tag === 'Call').length);

describe('kernels grow no larger than the limit', () => {
  const rows: ReadonlyArray<readonly [string, (x: Expr) => Expr, number | undefined, number[]]> = [
    ['300 calls, by default (C265)', (x) => chain(300, x), undefined, [256, 44]],
    ['20 calls, at most 10 (C265)', (x) => chain(20, x), 10, [10, 10]],
    ['three diamonds of 11 calls (C266)', (x) => diamonds(3, x), 11, [11, 11, 11]],
  ];
  test.each(rows)('%s', (_title, body, maxDepth, sizes) => {
    expect(kernelSizes(fused(program(body), maxDepth))).toEqual(sizes);
  });
});

test('fusing leaves the input as it was, and fusing again changes nothing', () => {
  const m = program((x) => diamonds(2, x));
  const before = [...m.functions.values()];
  const once = fused(m);
  expect([...m.functions.values()]).toEqual(before);
  expect(fused(once)).toBe(once);
});

test('taking kernels apart gives the program back (C269)', () => {
  const m = orThrow(runPass(passes.inferType)(program((x) => diamonds(3, x)))).module;
  const back = orThrow(runPass(passes.defuseOps, { level: 3 })(fused(m, 11))).module;
  expect(structuralEqual(back, m)).toBe(true);
});

test('long ways between uses do not slow fusion down', () => {
  const depth = 8_000;
  const m = program((x) => {
    const up: Expr[] = [x];
    for (let i = 0; i < depth; i++) up.push(op('exp', up[i] ?? x));
    // Each later call uses one that is as far below the middle as it is above.
    return up.reduceRight((sum, value) => op('add', sum, value));
  });
  const sizes = kernelSizes(fused(m));
  expect(sizes.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(2 * depth);
});

test.each([
  [false, 3],
  [true, 2],
])(
  'relay.FuseOps.link_params=%s keeps constants, and nothing else, inside kernels',
  (link, count) => {
    const y = variable('y', tensorType([2], 'float32'));
    const x = variable('x', tensorType([2], 'float32'));
    const scale = constant(tensor([3, 5], [2], 'float32'));
    const body = op('add', op('multiply', op('exp', x), scale), y);
    const m = irModule({ functions: new Map([['main', func([x, y], body)]]), ops: standardOps });
    const config = { 'relay.FuseOps.link_params': link };
    const made = orThrow(runPass(passes.fuseOps, { level: 3, config })(m)).module;
    const main = made.functions.get('main');
    const kernels = postOrderExprs(main === undefined ? [] : [main.body]).filter(
      (e) => e._tag === 'Function',
    );
    expect(kernels.map((kernel) => kernel.params.length)).toEqual([count]);
    expect(wellFormed(made)).toEqual([]);
  },
);
