import { opRef } from '@baton/ir';
import { toNested } from '@baton/tensor';
import { encodeModule } from '@baton/text';
import {
  call,
  evaluate,
  fromJson,
  ir,
  irModule,
  models,
  moduleFromExpr,
  optimize,
  orThrow,
  parseExpr,
  parseModule,
  passes,
  printExpr,
  printModule,
  runPass,
  sequential,
  standardOps,
  structuralEqual,
  tensor,
  toJson,
  variable,
} from 'batonjs';
import { describe, expect, it } from 'vitest';

describe('the facade', () => {
  it('runs the pipeline of the README on text', () => {
    const m = orThrow(
      parseModule(`#[version = "0.0.5"]
        def @main(%x: Tensor[(3), float32]) {
          let %a = add(1f, 1f);
          let %b = multiply(%a, 2f);
          add(%x, %b)
        }`),
    );
    const pipeline = sequential([
      passes.simplifyInference,
      passes.foldConstant,
      passes.foldScaleAxis,
    ]);
    const { module } = orThrow(runPass(pipeline)(m));
    expect(printModule(module, { showTypes: false })).toContain('add(%x, 4f)');
    const value = orThrow(evaluate(module, { x: tensor([1, 2, 3], [3], 'float32') }));
    expect(value._tag === 'Tensor' && toNested(value)).toEqual([5, 6, 7]);
  });

  it('binds the standard operators, and takes others', () => {
    expect(parseExpr('free_var %x: Tensor[(2, 2), float32]; nn.relu(%x)')._tag).toBe('Right');
    const renamed = standardOps.with({ ...orThrowOp('exp'), name: 'my_exp' });
    const text = 'free_var %x: float32; my_exp(%x)';
    expect(parseExpr(text)._tag).toBe('Left');
    expect(parseExpr(text, { ops: renamed })._tag).toBe('Right');
  });

  it('binds the standard operators of modules that are built or read', () => {
    const sum = moduleFromExpr(orThrow(parseExpr('1 + 2')));
    expect(sum.ops).toBe(standardOps);
    expect(orThrow(evaluate(sum))).toMatchObject({ dtype: 'int32' });
    expect(irModule({ functions: sum.functions }).ops).toBe(standardOps);
    expect(structuralEqual(orThrow(fromJson(toJson(sum))), sum)).toBe(true);
    expect(structuralEqual(orThrow(ir.decodeModule(encodeModule(sum))), sum)).toBe(true);
  });

  it('leaves default attributes out of an expression, too (C058)', () => {
    const x = 'free_var %x: Tensor[(2, 3, 4), float32];';
    const print = (call: string): string => printExpr(orThrow(parseExpr(`${x} ${call}`)));
    expect(print('nn.softmax(%x, axis=-1)')).toContain('\nnn.softmax(%x)');
    expect(print('nn.softmax(%x, axis=2)')).toContain('\nnn.softmax(%x, axis=2)');
    expect(print('reshape(%x, newshape=[-1])')).toContain('\nreshape(%x, newshape=[-1])');
  });

  it('takes attributes that a call leaves out for their defaults', () => {
    const x = variable('x');
    const bare = call(opRef('nn.softmax'), [x]);
    const last = call(opRef('nn.softmax'), [x], { attrs: { axis: -1 } });
    expect(structuralEqual(bare, last)).toBe(true);
    expect(structuralEqual(last, bare)).toBe(true);
    const first = call(opRef('nn.softmax'), [x], { attrs: { axis: 0 } });
    expect(structuralEqual(bare, first)).toBe(false);
  });

  it('U.17 has helpers for tensors in a namespace, which is also the function that makes one', () => {
    const row = tensor([1, 2, 3], [3], 'float32');
    expect(tensor.toNested(tensor.expandDims(row, 0))).toEqual([[1, 2, 3]]);
    expect(tensor.isDense(tensor.zeros([2], 'int8'))).toBe(true);
  });

  it('U.2 times a run unless it is given a clock', () => {
    const m = moduleFromExpr(orThrow(parseExpr('1 + 2')));
    expect(orThrow(runPass(optimize())(m)).report.ms).toBeGreaterThan(0);
    expect(orThrow(runPass(optimize(), { now: () => 7 })(m)).report.ms).toBe(0);
  });

  it('prints what it reads, and reads what it prints', () => {
    const m = models.mobilenetV2({ imageSize: 32, widthMultiplier: 0.1, classes: 3 });
    const { module } = orThrow(runPass(optimize({ level: 3 }))(m));
    const again = orThrow(parseModule(printModule(module)));
    expect(structuralEqual(module, orThrow(runPass(sequential([]))(again)).module)).toBe(true);
  });
});

function orThrowOp(name: string) {
  const op = standardOps.get(name);
  if (op === undefined) throw new Error(`no operator ${name}`);
  return op;
}
