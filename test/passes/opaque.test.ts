/** Inner functions that passes must not enter. */
import { orThrow } from '@baton/base';
import { type Expr, type Func, type IRModule, inferTypes, postOrderExprs } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const EVERY_LEVEL = 9;

/** A function inside `@main` in which every pass finds something to do. */
const program = (attr: string): IRModule =>
  orThrow(
    inferTypes(
      orThrow(
        parseModule(
          `#[version = "0.0.5"]
def @same(%x: float32, Inline=1) -> float32 { %x }
def @main(%x: Tensor[(1, 2, 4, 4), float32]) {
  let %f = fn (%y: Tensor[(1, 2, 4, 4), float32]${attr}) -> Tensor[(1, 2, 4, 4), float32] {
    let %dead = 1;
    let %w = Constant(1f, (2, 2, 1, 1), float32);
    let %convolutions = (nn.conv2d(%y, %w), nn.conv2d(%y, %w), nn.conv2d(%y, %w));
    let %a = reshape(%y, newshape=[8, 4]);
    let %v = Constant(1f, (4, 4), float32);
    let %layers = (nn.dense(%a, %v), nn.dense(%a, %v), nn.dense(%a, %v));
    let %b = reshape(%y, newshape=[2, 4, 4]);
    let %products = (nn.batch_matmul(%b, %b, transpose_b=True),
      nn.batch_matmul(%b, %b, transpose_b=True), nn.batch_matmul(%b, %b, transpose_b=True));
    let %k = Constant(1f, (1, 1, 4, 4), float32);
    let %first = take(nn.dense(%a, %v), 0, axis=0);
    let %three = add(1f, 2f);
    let %fourth = %y / 4f;
    let %dilated = nn.batch_to_space_nd(nn.conv2d(
      nn.space_to_batch_nd(%y, block_shape=[2, 2], paddings=[[0, 0], [0, 0]]), %k, data_layout="NHWC", kernel_layout="HWIO"), block_shape=[2, 2], crops=[[0, 0], [0, 0]]);
    let %square = nn.conv2d(reshape(%y, newshape=[1, 8, 2, 2]), Constant(1f, (8, 8, 3, 3), float32), padding=[2, 2, 2, 2]);
    let %ones = dyn.ones([2i64], dtype="float32");
    let %bytes = qnn.quantize(nn.relu(qnn.dequantize(qnn.quantize(%y, 0.5f, 0), 0.5f, 0)), 0.25f, 0);
    let %integers = nn.dense(qnn.dequantize(qnn.quantize(%a, 0.5f, 0), 0.5f, 0), qnn.dequantize(Constant(1i8, (4, 4), int8), 0.5f, 0));
    let %zeros = (nn.dense(%a, Constant(0f, (4, 4), float32)), nn.conv2d(%y, Constant(0f, (2, 2, 1, 1), float32)));
    let %marked = relay.op.annotation.simulated_quantize(%y, 0f, 0f, 0f);
    let %scaled = relay.op.annotation.simulated_quantize(%y, 0.5f, -7f, 7f);
    %0 = multiply(%y, Constant(2f, (2, 1, 1), float32));
    %1 = nn.conv2d(%0, Constant(1f, (2, 2, 1, 1), float32), kernel_size=[1, 1]);
    %2 = multiply(%1, Constant(3f, (2, 1, 1), float32));
    %3 = nn.batch_norm(%2, Constant(2f, (2), float32), Constant(1f, (2), float32),
      Constant(0f, (2), float32), Constant(4f, (2), float32));
    %4 = nn.pad(%3.0, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]);
    %5 = nn.conv2d(%4, Constant(1f, (2, 2, 3, 3), float32), kernel_size=[3, 3]);
    %6 = nn.bias_add(%5, Constant(1f, (2), float32));
    %7 = nn.relu(%6) + (nn.relu(%6) + 0f) * %three;
    %8 = cast(%7, dtype="float64");
    %9 = cast(abs(%8) + negative(%8), dtype="float32");
    let %g = @same;
    if (True) { tanh(%9) * @same(2f) + %g(1f) } else { %9 }
  };
  nn.relu(%f(%x)) + %f(nn.relu(%x))
}`,
          { ops: standardOps },
        ),
      ),
    ),
  );

const run = (pass: Pass, m: IRModule): IRModule =>
  orThrow(runPass(pass, { level: EVERY_LEVEL })(m)).module;

/** The inner function, before a pass and after it. */
const inner = (m: IRModule): Func | undefined =>
  postOrderExprs([...m.functions.values()]).find(
    (e: Expr): e is Func => e._tag === 'Function' && e.params[0]?.nameHint === 'y',
  );

const attributes: ReadonlyArray<readonly [string, string]> = [
  ['SkipOptimization', ', SkipOptimization=1'],
  ['Compiler', ', Compiler="other"'],
  ['Extern', ', Extern=1'],
  ['Primitive', ', Primitive=1'],
];
const all: ReadonlyArray<readonly [string, Pass]> = [
  ...Object.entries(passes),
  ['deadCodeElimination, inlining', passes.deadCodeElimination({ inlineOnce: true })],
  ['optimize', optimize({ level: 3 })],
];
/** These passes handle whole functions, or do not depend on their bodies. */
const bystanders = new Set([
  ...['inferType', 'removeUnusedFunctions', 'defuseOps'],
  // These do nothing by themselves, or for few arguments.
  ...['mergeComposite', 'rewrite', 'alterOpLayout', 'convertLayout', 'legalize', 'splitArgs'],
  'expandGradient',
  // The name of a function as a value keeps its type, so that the whole stays as it is.
  'lazyGradientInit',
]);

describe.each(attributes)('a function inside with %s', (name, attr) => {
  test.each(all)('is not changed by %s', (passName, pass) => {
    const m = program(attr);
    const after = run(pass, m);
    expect(inner(after)).toBe(inner(m));
    if (name === 'SkipOptimization' && !bystanders.has(passName)) {
      const free = program('');
      expect(inner(run(pass, free))).not.toBe(inner(free));
    }
  });
});

test('a kernel that is compiled elsewhere is not taken apart', () => {
  const kernel = (attr: string): IRModule =>
    orThrow(
      inferTypes(
        orThrow(
          parseModule(
            `#[version = "0.0.5"]
def @main(%x: float32) { (fn (%y: float32, Primitive=1${attr}) { exp(%y) })(%x) }`,
            { ops: standardOps },
          ),
        ),
      ),
    );
  const whole = kernel(', Compiler="other"');
  expect(run(passes.defuseOps, whole)).toBe(whole);
  expect(inner(run(passes.defuseOps, kernel('')))).toBeUndefined();
});
