/** The options of the passes about layouts, and what they say of mistakes. */
import { isLeft, orThrow } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type Pass, runPass } from '@baton/pass-manager';
import { type LegalizedCall, passes } from '@baton/passes';
import { parseModule, printModule } from '@baton/text';
import { expect, test } from 'vitest';

const m = orThrow(
  inferTypes(
    orThrow(
      parseModule(
        `#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 6, 6), float32], %w: Tensor[(8, 4, 3, 3), float32]) { sqrt(nn.conv2d(%x, %w)) }`,
        { ops: standardOps, source: 'layouts.relay' },
      ),
    ),
  ),
);

const desire = (desired: Readonly<Record<string, ReadonlyArray<string>>>): Pass =>
  passes.convertLayout({ desired });

/** The input of a JavaScript program. */
const untyped = <A>(value: unknown): A => value as A;

test.each<[string, () => Pass, string, ReadonlyArray<string | undefined>]>([
  [
    'an operator that there is not',
    () => desire({ 'nn.conv': ['NHWC'] }),
    'LAYOUT_OPERATOR',
    ['expected an operator with layouts, found nn.conv'],
  ],
  [
    'an operator without layouts',
    () => desire({ 'nn.relu': ['NHWC'] }),
    'LAYOUT_OPERATOR',
    [
      'expected an operator with layouts, found nn.relu',
      'it takes over the layouts of its arguments',
    ],
  ],
  [
    'a default for data',
    () => desire({ 'nn.conv2d': ['default', 'OIHW'] }),
    'LAYOUT_UNKNOWN',
    [
      'expected a layout as data_layout of nn.conv2d, found "default"',
      'only a weight has a default, beside data in a plain layout',
    ],
  ],
  [
    'a default beside blocks',
    () => desire({ 'nn.conv2d': ['NCHW4c', 'default'] }),
    'LAYOUT_UNKNOWN',
    ['expected a layout as kernel_layout of nn.conv2d, found "default"'],
  ],
  [
    'a text that is no layout',
    () => desire({ 'nn.max_pool2d': ['nhwc'] }),
    'LAYOUT_UNKNOWN',
    ['expected a layout as layout of nn.max_pool2d, found "nhwc"'],
  ],
  [
    'too many layouts',
    () => desire({ 'nn.max_pool2d': ['NHWC', 'default'] }),
    'LAYOUT_UNKNOWN',
    ['expected at most 1 layouts of nn.max_pool2d, found 2', 'they are layout'],
  ],
  [
    'a layout without a list',
    () => passes.convertLayout(untyped({ desired: { 'nn.conv2d': 'NHWC' } })),
    'OPTION_TYPE',
    ['expected a list of layouts for each operator for option `desired` of ConvertLayout'],
  ],
  [
    'a layout without a list beside one with a list',
    () =>
      passes.convertLayout(
        untyped({ desired: { 'nn.conv2d': ['NHWC'], 'nn.max_pool2d': 'NHWC' } }),
      ),
    'OPTION_TYPE',
    ['expected a list of layouts for each operator for option `desired` of ConvertLayout'],
  ],
  [
    'an alteration that the operator does not have',
    () => passes.alterOpLayout({ alter: { 'nn.conv2d': () => ({ data_layout: 4 }) } }),
    'ATTR_TYPE',
    [],
  ],
  [
    'a rule of another type',
    () =>
      passes.legalize({
        rules: {
          sqrt: ({ call, module }) => callOp(module.ops, 'cast', call.args, { dtype: 'int32' }),
        },
      }),
    'LEGALIZE_TYPE',
    [
      'expected the rule of sqrt to keep Tensor[(1, 8, 4, 4), float32], found Tensor[(1, 8, 4, 4), int32]',
    ],
  ],
])('%s is a mistake', (_title, made, code, [message = '', hint]) => {
  const result = runPass(made())(m);
  if (!isLeft(result)) throw new Error('the pass accepts it');
  const [first] = result.left;
  expect(first.code).toBe(code);
  expect(first.message).toContain(message);
  if (hint !== undefined) expect(first.hint).toBe(hint);
});

test('a mistake in a call is reported where the call stands', () => {
  const pass = passes.alterOpLayout({ alter: { 'nn.conv2d': () => ({ data_layout: 4 }) } });
  const result = runPass(pass)(m);
  expect(result).toMatchObject({ left: [{ span: { line: 2, column: 88 } }] });
});

test('a rule whose result has a size that is not known where the call has one is no mistake', () => {
  const late = orThrow(
    parseModule(
      `#[version = "0.0.5"]
def @main(%x: Tensor[(?, 3), float32]) -> Tensor[(1, 3), float32] {
  (fn (%y) -> Tensor[(1, 3), float32] { sqrt(%y) })(%x)
}
`,
      { ops: standardOps },
    ),
  );
  const exps = { sqrt: ({ call, module }: LegalizedCall) => callOp(module.ops, 'exp', call.args) };
  const made = orThrow(runPass(passes.legalize({ rules: exps }))(late));
  expect(printModule(made.module)).toContain('exp(%y)');
});
