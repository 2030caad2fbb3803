/** Operators of which only the definition is stated. */
import { DiagnosticsError, isLeft, orThrow } from '@baton/base';
import { evaluate, toData } from '@baton/executor';
import { type IRModule, inferTypes, type OpInfo, typeOf } from '@baton/ir';
import { exportOnnx, importOnnx } from '@baton/onnx';
import { attr, attrs, compositeOp, define, standardOps, withDefault } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { greedy, ruleFromDefinition } from '@baton/rewrites';
import { checkDefinition, checkGradient, testRule } from '@baton/testing';
import { parseModule, printModule, printType } from '@baton/text';
import { compiledFacts, wasm } from '@baton/wasm';
import { expect, it } from 'vitest';

const swish = compositeOp(standardOps, {
  name: 'my.swish',
  inputs: ['x'],
  attrs: attrs({ beta: withDefault(attr.float, 1) }),
  definition: define('?x * sigmoid(?x * ?beta)'),
});

/** An operator whose definition computes axes, and is made of another composite. */
const gated = compositeOp(standardOps.with(swish), {
  name: 'my.gated_norm',
  inputs: ['data', 'gate'],
  attrs: attrs({ epsilon: withDefault(attr.float, 1e-5) }),
  definition: define(
    `%0 = ?data - mean(?data, axis=?last, keepdims=True);
     %0 / sqrt(mean(%0 * %0, axis=?last, keepdims=True) + ?epsilon) * my.swish(?gate)`,
    { let: { last: ({ rank }: { readonly rank: (i: number) => number }) => [rank(0) - 1] } },
  ),
});

const ops = standardOps.with(swish).with(gated);

const parsed = (body: string, dtype = 'float32'): IRModule =>
  orThrow(
    parseModule(
      `#[version = "0.0.5"]
       def @main(%x: Tensor[(2, 3), ${dtype}], %y: Tensor[(3), ${dtype}]) { ${body} }`,
      { ops },
    ),
  );

const resultOf = (m: IRModule, options = {}): ReadonlyArray<number> => {
  const inputs = {
    x: [
      [1, 2, 4],
      [0, -1, 3],
    ],
    y: [1, 0.5, -2],
  };
  return (
    toData(orThrow(evaluate(m, inputs, options))) as ReadonlyArray<ReadonlyArray<number>>
  ).flat();
};

const BODIES = ['my.swish(%x, beta=2f)', 'my.gated_norm(%x, %y)'];

it.each(BODIES)('%s has a type, and its value compiled', (body) => {
  const m = orThrow(inferTypes(parsed(body)));
  const main = m.functions.get('main');
  const type = main && typeOf(m, main.body);
  expect(type && printType(type)).toBe('Tensor[(2, 3), float32]');
  const [interpreted, compiled] = [resultOf(m), resultOf(m, { executor: wasm })];
  expect(compiled.every((value, i) => Math.abs(value - (interpreted[i] ?? 0)) < 1e-5)).toBe(true);
});

it.each(BODIES)('%s has a gradient', (body) => {
  // Differences are taken in float64.
  const wide = parsed(body, 'float64');
  expect(checkGradient(wide)).toMatchObject({ _tag: 'Agrees' });
});

it.each(BODIES)('%s is compiled without its reference kernel', (body) => {
  const kernels = compiledFacts(orThrow(inferTypes(parsed(body))))?.kernels ?? [];
  expect(kernels.length).toBeGreaterThan(0);
  expect(kernels.filter(({ isCompiled }) => !isCompiled)).toEqual([]);
});

it.each(BODIES)('%s is exported', (body) => {
  const m = parsed(body);
  const again = orThrow(importOnnx(orThrow(exportOnnx(m)), { ops: standardOps }));
  expect(resultOf(again).every((value, i) => Math.abs(value - (resultOf(m)[i] ?? 0)) < 1e-5)).toBe(
    true,
  );
});

it.each([swish, gated])('$name is its definition on random calls', (op) => {
  const counts = { operators: new Set<string>(), calls: 0, regimes: 0 };
  expect(checkDefinition(ops, op.name, { seed: 1, count: 10 }, counts)).toEqual([]);
});

it('a rule spells the operator out, another recognizes it', () => {
  const expands = ruleFromDefinition(swish);
  const recognizes = ruleFromDefinition(swish, { recognizes: true });
  for (const one of [expands, recognizes]) {
    expect(orThrow(testRule(one, { ops, count: 20 })).instances).toBe(20);
  }
  const spelled = orThrow(
    runPass(greedy(expands, { cost: () => 0 }))(parsed(BODIES[0] as string)),
  ).module;
  expect(printModule(spelled)).not.toContain('my.swish');
  expect(printModule(orThrow(runPass(greedy(recognizes))(spelled)).module)).toContain('beta=2f');
});

it('what is no definition is refused', () => {
  const made = (text: string) =>
    compositeOp(standardOps, { name: 'my.op', inputs: ['x'], definition: define(text) as never });
  expect(() => made('?x +')).toThrow(DiagnosticsError);
  expect(() => made('nothing(?x)')).toThrow('nothing');
  expect(() => made('my.op(?x)')).toThrow('my.op');
  expect(() => made('cast_hint(ref_read(?x))')).toThrow();
  // @ts-expect-error `?y` is no input
  compositeOp(standardOps, { name: 'my.op', inputs: ['x'], definition: define('?x + ?y') });
  expect(isLeft(ruleFromDefinition(standardOps.get('nn.relu') as OpInfo))).toBe(true);
});

it('a call with arguments of other types is an error of the program', () => {
  const wrong = inferTypes(
    orThrow(
      parseModule(
        '#[version = "0.0.5"] def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4), float32]) { my.gated_norm(%x, %y) }',
        { ops },
      ),
    ),
  );
  expect(isLeft(wrong)).toBe(true);
});
