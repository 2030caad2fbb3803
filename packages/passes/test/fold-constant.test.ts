import { orThrow } from '@baton/base';
import { constant, type Expr, func, inferTypes, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { passesRun, runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { tensor } from '@baton/tensor';
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
