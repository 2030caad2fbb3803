import { orThrow } from '@baton/base';
import {
  constant,
  type Expr,
  func,
  inferTypes,
  irModule,
  tensorType,
  tuple,
  variable,
} from '@baton/ir';
import { callOp, kernelColumn, standardOps } from '@baton/ops';
import { passesRun, runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { type DType, full, tensor } from '@baton/tensor';
import { expect, test } from 'vitest';

const SIZE = 4;
const weight = tensor(
  Float32Array.from({ length: SIZE * SIZE }, (_, i) => i),
  [SIZE, SIZE],
  'float32',
);
const data = variable('x', tensorType([2, SIZE], 'float32'));

const moduleOf = (body: Expr) =>
  orThrow(
    inferTypes(irModule({ ops: standardOps, functions: new Map([['main', func([data], body)]]) })),
  );

test('O.14 a transposed weight is folded without a copy', () => {
  const turned = callOp(standardOps, 'transpose', [constant(weight)], { axes: [1, 0] });
  const m = moduleOf(callOp(standardOps, 'nn.dense', [data, turned], {}));
  const { module } = orThrow(runPass(passes.foldConstant)(m));
  const body = module.functions.get('main')?.body;
  const folded = body?._tag === 'Call' ? body.args[1] : undefined;
  if (folded?._tag !== 'Constant') throw new Error('the weight is a constant');
  expect(folded.data.data).toBe(weight.data);
  expect(folded.data.strides).toEqual([1, SIZE]);
});

test('O.14 a weight that takes a scale is computed once, and a normalization folds nothing', () => {
  const vector = constant(tensor([1, 2, 3, 4], [SIZE], 'float32'));
  const normalized = callOp(standardOps, 'nn.layer_norm', [data, vector, vector], {});
  const dense = callOp(standardOps, 'nn.dense', [normalized, constant(weight)], {});
  const m = moduleOf(callOp(standardOps, 'multiply', [dense, vector], {}));
  const { module, report } = orThrow(runPass(optimize({ level: 3 }))(m));
  const body = module.functions.get('main')?.body;
  expect(body?._tag === 'Call' && body.op._tag === 'Op' ? body.op.name : '').toBe('nn.dense');
  const folds = passesRun(report).filter((p) => p.name === 'FoldConstant');
  // The scale is laid along the weight, and the two are multiplied.
  expect(folds.map((p) => p.counts.call ?? 0).reduce((a, b) => a + b, 0)).toBe(2);
});

const filled = (dims: ReadonlyArray<number>, dtype: DType = 'float32'): Expr =>
  constant(full(dims, dtype, 1));
const op = (name: string, args: ReadonlyArray<Expr>, attrs = {}): Expr =>
  callOp(standardOps, name, args, attrs);

/** Results up to 1 MiB, and results no larger than their arguments, are stored in any case. */
test.each<[string, Expr, string]>([
  ['as large as its argument', op('negative', [filled([600, 600])]), 'Constant'],
  ['twice as large', op('tile', [filled([600, 600])], { reps: [2, 1] }), 'Call'],
  ['1 MiB', op('broadcast_to', [filled([])], { shape: [512, 512] }), 'Constant'],
  ['a row more', op('broadcast_to', [filled([])], { shape: [513, 512] }), 'Call'],
  ['twice the bytes', op('broadcast_to', [filled([], 'float64')], { shape: [512, 512] }), 'Call'],
  [
    'as a tuple of arguments',
    op('concatenate', [tuple([filled([400, 400]), filled([400, 400])])]),
    'Constant',
  ],
  [
    'as its argument, in parts',
    op('split', [filled([600, 600])], { indices_or_sections: 2 }),
    'Tuple',
  ],
  ['small, in parts', op('meshgrid', [tuple([filled([9]), filled([9])])]), 'Tuple'],
  ['large, in parts', op('meshgrid', [tuple([filled([400]), filled([400])])]), 'Call'],
])('a result that is %s', (_title, body, tag) => {
  const { module } = orThrow(runPass(passes.foldConstant)(moduleOf(body)));
  expect(module.functions.get('main')?.body._tag).toBe(tag);
});

test.each([
  [false, 'Constant'],
  [true, 'Call'],
])('a call of an operator of the user, not computational: %s', (nonComputational, tag) => {
  const exp = standardOps.get('exp');
  const kernel = standardOps.read(kernelColumn, 'exp');
  if (exp === undefined || kernel === undefined) throw new Error('exp is an operator');
  const ops = standardOps
    .with({ ...exp, name: 'my.exp', nonComputational })
    .withColumn(kernelColumn, new Map([['my.exp', kernel]]));
  const body = callOp(ops, 'my.exp', [filled([2])]);
  const m = orThrow(inferTypes(irModule({ ops, functions: new Map([['main', func([], body)]]) })));
  const { module } = orThrow(runPass(passes.foldConstant)(m));
  expect(module.functions.get('main')?.body._tag).toBe(tag);
});
