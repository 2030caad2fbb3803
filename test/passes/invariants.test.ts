import { orThrow, spanLeaves } from '@baton/base';
import { type Expr, type IRModule, inferTypes, postOrderExprs } from '@baton/ir';
import { resnet18 } from '@baton/models';
import { standardOps } from '@baton/ops';
import { type Pass, passesRun, runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const read = (text: string): IRModule =>
  orThrow(
    inferTypes(
      orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps, source: 'net.ir' })),
    ),
  );

const run = (pass: Pass, m: IRModule, level = 3): IRModule =>
  orThrow(runPass(pass, { level })(m)).module;

const nodesOf = (m: IRModule): ReadonlyArray<Expr> => postOrderExprs([...m.functions.values()]);

const opsOf = (m: IRModule): ReadonlyArray<string> =>
  nodesOf(m).flatMap((e) => (e._tag === 'Call' && e.op._tag === 'Op' ? [e.op.name] : []));

const NORMALIZED = `
def @main(%x: Tensor[(1, 2, 4, 4), float32]) {
  %0 = nn.conv2d(%x, Constant(2f, (2, 2, 1, 1), float32), kernel_size=[1, 1]);
  %1 = nn.batch_norm(%0, Constant(2f, (2), float32), Constant(1f, (2), float32),
    Constant(0f, (2), float32), Constant(4f, (2), float32));
  nn.relu(%1.0)
}`;

describe('every pass', () => {
  const all: ReadonlyArray<readonly [string, Pass]> = Object.entries(passes);

  test.each(all)('%s gives back the object that it has nothing to do with', (_name, pass) => {
    const m = read('def @main(%c: bool, %x: int32) { if (%c) { (%x, %x) } else { (%x, 1) } }');
    // A-normal form binds even these tuples, and ToCPS converts them; then nothing is left to do.
    const isAlways = pass === passes.toANormalForm || pass === passes.toCps;
    const done = isAlways ? run(pass, m) : m;
    expect(run(pass, done)).toBe(done);
  });

  test.each(all)('%s leaves a function alone that asks for it', (_name, pass) => {
    const m = read(`
def @main(%x: Tensor[(2, 3), float32], SkipOptimization=1) {
  let %dead = 1;
  let %y = add(1f, 2f);
  nn.dropout(nn.dense(multiply(%x, 2f), Constant(1f, (4, 3), float32))).0
}`);
    expect(run(pass, m)).toBe(m);
  });

  test.each(all)('%s leaves its input as it was', (_name, pass) => {
    const m = read(NORMALIZED);
    const before = nodesOf(m);
    run(pass, m);
    expect(nodesOf(m).every((node, i) => node === before[i])).toBe(true);
  });
});

describe('provenance', () => {
  /** The lines of the source text that a node names. */
  const linesOf = (node: Expr | undefined): ReadonlyArray<number> =>
    spanLeaves(node?.span)
      .flatMap((leaf) => (leaf._tag === 'TextSpan' ? [leaf.line] : []))
      .sort((a, b) => a - b);

  test('a convolution and its weight name the normalization that they took in', () => {
    const m = run(optimize({ level: 3 }), read(NORMALIZED));
    const conv = nodesOf(m).find((e) => e._tag === 'Call' && opName(e) === 'nn.conv2d');
    const weight = conv?._tag === 'Call' ? conv.args[1] : undefined;
    expect(linesOf(conv)).toEqual(expect.arrayContaining([4, 5]));
    expect(linesOf(weight)).toEqual(expect.arrayContaining([4, 5]));
  });

  test('a constant names all that it was computed from', () => {
    const m = run(
      passes.foldConstant,
      read('def @main(%x: float32) {\n%0 = add(1f, 2f);\n%1 = multiply(%0, 3f);\nadd(%x, %1)\n}'),
    );
    const folded = nodesOf(m).find((e) => e._tag === 'Constant');
    expect(linesOf(folded)).toEqual(expect.arrayContaining([3, 4]));
  });

  test('every node of an optimized network has an origin', () => {
    const m = run(optimize({ level: 3 }), resnet18({ ops: standardOps, imageSize: 32, width: 4 }));
    const nameless = nodesOf(m).filter((e) => e._tag === 'Call' && spanLeaves(e.span).length === 0);
    expect(nameless).toEqual([]);
  });

  const opName = (e: Expr): string | undefined =>
    e._tag === 'Call' && e.op._tag === 'Op' ? e.op.name : undefined;
});

describe('sharing', () => {
  test.each([
    ['foldConstant', passes.foldConstant],
    ['simplifyInference', passes.simplifyInference],
    ['forwardFoldScaleAxis', passes.forwardFoldScaleAxis],
    ['backwardFoldScaleAxis', passes.backwardFoldScaleAxis],
    ['deadCodeElimination', passes.deadCodeElimination({ inlineOnce: true })],
  ])('%s keeps a shared node shared', (_name, pass) => {
    const m = read(`
def @main(%x: Tensor[(2, 4), float32], %w: Tensor[(4, 4), float32]) {
  let %dead = add(1f, 2f);
  let %k = add(%x, add(1f, 1f));
  %0 = nn.dropout(nn.relu(multiply(%k, 2f))).0;
  %1 = nn.dense(%0, %w);
  %2 = multiply(%1, Constant(4f, (4), float32));
  add(nn.relu(%2), nn.leaky_relu(%2))
}`);
    const count = (name: string, of: IRModule) => opsOf(of).filter((op) => op === name).length;
    const after = run(pass, m);
    expect(count('nn.dense', after)).toBe(1);
    expect(count('nn.relu', after)).toBe(2);
  });
});

describe('optimize', () => {
  const m = read(NORMALIZED);

  test.each([
    [0, 'nn.batch_norm nn.conv2d nn.relu'],
    [1, 'nn.batch_norm nn.conv2d nn.relu'],
    [2, 'nn.batch_norm nn.conv2d nn.relu'],
    [3, 'add nn.conv2d nn.relu'],
  ] as const)('level %i leaves %s', (level, names) => {
    const found = opsOf(orThrow(runPass(optimize({ level }))(m)).module);
    expect([...new Set(found)].sort().join(' ')).toBe(names);
  });

  test('the level of the context does not gate it', () => {
    const found = orThrow(runPass(optimize({ level: 3 }), { level: 0 })(m)).module;
    expect(opsOf(found)).toEqual(['nn.conv2d', 'add', 'nn.relu']);
  });

  test('a pass that the context disables stays out', () => {
    const parts = { disabledPasses: ['FoldScaleAxis'] };
    const { module, report } = orThrow(runPass(optimize({ level: 3 }), parts)(m));
    expect(opsOf(module)).toContain('multiply');
    expect(passesRun(report).map((p) => p.name)).not.toContain('BackwardFoldScaleAxis');
  });

  test('level 2 is the default', () => {
    expect(orThrow(runPass(optimize())(m)).module.functions.size).toBe(1);
    expect(opsOf(orThrow(runPass(optimize())(m)).module)).toContain('nn.batch_norm');
  });
});
