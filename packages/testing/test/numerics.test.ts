import { isLeft, mulberry32, orThrow } from '@baton/base';
import { widen } from '@baton/equivalence';
import { evaluate, type Value } from '@baton/executor';
import { type Call, type Expr, type IRModule, opTable, postOrderExprs } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type DType, fromNumbers, isFloat, type Tensor, toNumbers } from '@baton/tensor';
import { type ProgramOptions, programOf } from '@baton/testing';
import { describe, expect, it } from 'vitest';

type Draw = (random: () => number) => number;

/** Arguments for `main`: floats as drawn, small integers. */
function inputs(m: IRModule, seed: number, float: Draw, widened: boolean): ReadonlyArray<Tensor> {
  const random = mulberry32(seed);
  return (m.functions.get('main')?.params ?? []).map(({ typeAnnotation: type }) => {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a static parameter');
    const shape = type.shape.map(Number);
    const dtype = type.dtype as DType;
    const draw: Draw = isFloat(dtype) ? float : (r) => Math.floor(r() * (dtype === 'bool' ? 2 : 4));
    const size = shape.reduce((n, d) => n * d, 1);
    const numbers = Array.from({ length: size }, () => draw(random));
    return fromNumbers(numbers, shape, widened && isFloat(dtype) ? 'float64' : dtype);
  });
}

const tensorsOf = (value: Value): ReadonlyArray<Tensor> => {
  if (value._tag === 'Tensor') return [value];
  if (value._tag !== 'Tuple') throw new Error('a tensor or a tuple of tensors');
  return value.fields.flatMap((field) => (field._tag === 'Tensor' ? [field] : []));
};

const floatsOf = (value: Value): ReadonlyArray<number> =>
  tensorsOf(value)
    .filter((t) => isFloat(t.dtype))
    .flatMap((t) => [...toNumbers(t)]);

const isCallOf = (expr: Expr, name: string): expr is Call =>
  expr._tag === 'Call' && expr.op._tag === 'Op' && expr.op.name === name;

/** Products, and operators that bring numbers into bounds. */
const products = opTable(
  'prod cumprod round clip multiply negative abs nn.relu copy add less greater'
    .split(' ')
    .flatMap((name) => standardOps.get(name) ?? []),
);

const callCount = (m: IRModule): number =>
  postOrderExprs([...m.functions.values()]).filter((e) => e._tag === 'Call').length;

describe('programs compute', () => {
  it.each<ProgramOptions>([
    { maxCalls: 30 },
    { maxCalls: 30, numerics: 'smooth' },
    { maxCalls: 20, focus: ['scale-chains', 'batch-norm', 'arith', 'constants'] },
    { maxCalls: 20, focus: ['padding', 'casts', 'movement', 'like', 'fusable'] },
    { maxCalls: 20, dtype: 'float16' },
    { maxCalls: 20, dtype: 'float64' },
  ])('finite numbers, 95 %% at least, where they have 15 calls or more: %j', (options) => {
    let elements = 0;
    let finite = 0;
    for (let seed = 0; seed < 150; seed++) {
      const { module } = programOf(seed, options);
      if (callCount(module) < 15) continue;
      const args = inputs(module, seed, (r) => 4 * r() - 2, false);
      for (const x of floatsOf(orThrow(evaluate(module, args)))) {
        elements++;
        if (Number.isFinite(x)) finite++;
      }
    }
    expect(elements).toBeGreaterThan(1000);
    expect(finite / elements).toBeGreaterThanOrEqual(0.95);
  });

  it('the same bits in float32 and in float64, where they are exact and so are the inputs', () => {
    const eighths: Draw = (r) => Math.floor(r() * 17 - 8) / 8;
    for (let seed = 0; seed < 200; seed++) {
      const { module } = programOf(seed, { numerics: 'exact' });
      const wide = widen(module);
      if (isLeft(wide)) continue;
      const narrow = floatsOf(orThrow(evaluate(module, inputs(module, seed, eighths, false))));
      const exact = floatsOf(orThrow(evaluate(wide.right, inputs(module, seed, eighths, true))));
      expect(narrow).toEqual(exact.slice(0, narrow.length));
    }
  });

  it('exact products, of few eighths and of many ones', () => {
    const eighths: Draw = (r) => Math.floor(r() * 17 - 8) / 8;
    const factors = { few: 0, many: 0 };
    for (let seed = 0; seed < 120; seed++) {
      const { module } = programOf(seed, { numerics: 'exact', ops: products });
      for (const node of postOrderExprs([...module.functions.values()])) {
        if (!isCallOf(node, 'prod') && !isCallOf(node, 'cumprod')) continue;
        if (node.args[0] && isCallOf(node.args[0], 'round')) factors.many++;
        else factors.few++;
      }
      const wide = orThrow(widen(module));
      const narrow = floatsOf(orThrow(evaluate(module, inputs(module, seed, eighths, false))));
      const exact = floatsOf(orThrow(evaluate(wide, inputs(module, seed, eighths, true))));
      expect(narrow).toEqual(exact);
    }
    expect(factors.few).toBeGreaterThan(20);
    expect(factors.many).toBeGreaterThan(20);
  });
});
