/** Passes that change what `main` takes, and passes that label a program. */
import { orThrow } from '@baton/base';
import { evaluate, printValue, type Value, valuesAgree } from '@baton/executor';
import { type Func, type IRModule, inferTypes, structuralEqual, typeOf, type Var } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, runPass, sequential } from '@baton/pass-manager';
import { annotateSpans, changeBatch, labelOps, passes, simplifyFcTranspose } from '@baton/passes';
import { isTensor, tensor, toNumbers } from '@baton/tensor';
import { inputsFor, programOf } from '@baton/testing';
import { parseModule, printModule, printType } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';

const RUNS = amount(150, { quick: 40 });

const parse = (text: string): IRModule =>
  orThrow(inferTypes(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }))));
const run = (p: Pass, m: IRModule): IRModule => orThrow(runPass(p)(m)).module;
const mainOf = (m: IRModule): Func => m.functions.get('main') as Func;
const errors = (p: Pass, m: IRModule): ReadonlyArray<string> => {
  const result = runPass(p)(m);
  return result._tag === 'Left' ? result.left.map((d) => `${d.code}: ${d.message}`) : [];
};
const typeOfMain = (m: IRModule): string => {
  const type = typeOf(m, mainOf(m));
  return type === undefined ? '' : printType(type);
};
const body = (m: IRModule): string =>
  printModule(m, { header: false, showTypes: false, meta: 'omit' })
    .split('{\n')
    .slice(1)
    .join('{')
    .replaceAll(/\s+/g, ' ');

describe('SimplifyFCTranspose', () => {
  const twice =
    parse(`def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3, 4), float32], %v: Tensor[(4, 3), float32]) {
  (nn.dense(%x, transpose(%w, axes=[1, 0])), nn.dense(%x, transpose(%w)), nn.dense(%x, %v))
}`);

  test('takes a weight transposed that is only transposed', () => {
    const made = run(simplifyFcTranspose, twice);
    expect(mainOf(made).params.map((v) => v.typeAnnotation && printType(v.typeAnnotation))).toEqual(
      ['Tensor[(2, 3), float32]', 'Tensor[(4, 3), float32]', 'Tensor[(4, 3), float32]'],
    );
    expect(body(made)).toBe(
      ' %0 = nn.dense(%x, %w); %1 = nn.dense(%x, %w); %2 = nn.dense(%x, %v); (%0, %1, %2) } ',
    );
    const again = runPass(simplifyFcTranspose)(made);
    expect(orThrow(again).module).toBe(made);
  });

  test('gives other uses of a weight that is named its transpose', () => {
    const made = run(simplifyFcTranspose({ weights: ['v'] }), twice);
    expect(body(made)).toContain('transpose(%v, axes=[1, 0])');
    expect(typeOfMain(made)).toBe(
      typeOfMain(twice).replace('Tensor[(4, 3), float32])', 'Tensor[(3, 4), float32])'),
    );
  });

  test('refuses what is no parameter, and no matrix', () => {
    const m = parse('def @main(%x: Tensor[(2, 3, 4), float32]) { transpose(%x, axes=[0, 2, 1]) }');
    expect(run(simplifyFcTranspose, m)).toBe(m);
    expect(errors(simplifyFcTranspose({ weights: ['x', 'y'] }), m)).toEqual([
      'MAIN_PARAMETER: expected a parameter %y of @main, found none',
      'TRANSPOSE_MATRIX: expected a matrix as %x',
    ]);
  });

  const isMatrix = ({ typeAnnotation: t }: Var): boolean =>
    t?._tag === 'TensorType' && !('_tag' in t.shape) && t.shape.length === 2;

  test('random programs compute the same, given the transposes of all their matrices', () => {
    let changed = 0;
    for (let seed = 0; seed < RUNS; seed++) {
      const { module } = programOf(seed, { maxCalls: 10 });
      const { params } = mainOf(module);
      const weights = params.filter(isMatrix).map(({ nameHint }) => nameHint);
      const made = run(simplifyFcTranspose({ weights }), module);
      if (made !== module) changed++;
      const inputs = inputsFor(mainOf(module), seed);
      const others = inputs.map((value, i) => {
        const v = params[i];
        return v !== undefined && isMatrix(v) ? transposed(value) : value;
      });
      expect(printValue(orThrow(evaluate(made, others)))).toBe(
        printValue(orThrow(evaluate(module, inputs))),
      );
    }
    expect(changed).toBeGreaterThan(RUNS / 4);
  });

  function transposed(value: Value): Value {
    if (!isTensor(value)) throw new Error('a matrix is a tensor');
    const [rows = 0, columns = 0] = value.shape;
    const numbers = Array.from(toNumbers(value));
    const turned = numbers.map((_, k) => numbers[(k % rows) * columns + Math.floor(k / rows)] ?? 0);
    return tensor(turned, [columns, rows], value.dtype);
  }
});

describe('ChangeBatch', () => {
  const network = (size: number) =>
    parse(`def @main(%x: Tensor[(${size}, 3, 6, 6), float32], %k: Tensor[(4, 3, 3, 3), float32], %w: Tensor[(5, 16), float32], %b: Tensor[(5), float32]) {
  let %c: Tensor[(${size}, 4, 4, 4), float32] = nn.relu(nn.conv2d(%x, %k));
  let %f = fn (%y) { nn.batch_flatten(%y) };
  nn.softmax(nn.bias_add(nn.dense(%f(nn.max_pool2d(%c, pool_size=[2, 2], strides=[2, 2])), %w), %b))
}`);

  test('of a network gives the network that is written for the batch', () => {
    const made = run(changeBatch({ data: { x: 0 }, batchSize: 3 }), network(1));
    expect(typeOfMain(made)).toBe(typeOfMain(network(3)));
    expect(run(changeBatch({ data: { x: 0 }, batchSize: 3 }), made)).toBe(made);
    const inputs = inputsFor(mainOf(made), 1);
    const [one, other] = [made, network(3)].map((m) => orThrow(evaluate(m, inputs)));
    expect(one !== undefined && other !== undefined && valuesAgree(one, other)).toBe(true);
  });

  test('counts axes from the end, too, and leaves what has the size already', () => {
    const made = run(changeBatch({ data: { x: -4 }, batchSize: 3 }), network(1));
    expect(typeOfMain(made)).toBe(typeOfMain(network(3)));
    const m = network(2);
    expect(run(changeBatch({ data: { x: 0 }, batchSize: 2 }), m)).toBe(m);
  });

  test('tells what it cannot change', () => {
    expect(errors(changeBatch({ data: { y: 0, x: 4 } }), network(1))).toEqual([
      'MAIN_PARAMETER: expected a parameter %y of @main, found none',
      'BATCH_AXIS: expected a tensor with an axis 4 as %x',
    ]);
    const m = parse('def @main(%x: Tensor[(1, 4), float32]) { reshape(%x, newshape=[1, 2, 2]) }');
    expect(errors(changeBatch({ data: { x: 0 }, batchSize: 3 }), m)[0]).toMatch(
      /^BATCH_STATED: the program states the size of its batches: /,
    );
  });
});

describe('labels', () => {
  const m = parse(`def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) {
  let %a = exp(%x + 1f);
  let %b = exp(%y + 1f);
  (%a, %b, negative(%a) * 2f)
}`);
  const fused = run(passes.fuseOps, m);

  test('LabelOps: equal kernels have equal labels, in every run', () => {
    const made = run(labelOps, fused);
    const labels = printModule(made).match(/hash="[0-9a-f]{8}"/g) ?? [];
    expect(labels).toHaveLength(3);
    expect(new Set(labels).size).toBe(2);
    expect(run(labelOps, made)).toBe(made);
    expect(run(labelOps, m)).toBe(m);
    const inputs = inputsFor(mainOf(m), 2);
    expect(printValue(orThrow(evaluate(made, inputs)))).toBe(
      printValue(orThrow(evaluate(m, inputs))),
    );
    // Parameters that came in another order have other variables, and the same structure.
    const reread = run(sequential([annotateSpans, labelOps]), fused);
    expect(printModule(reread).match(/hash="[0-9a-f]{8}"/g)).toEqual(labels);
  });

  test('AnnotateSpans: each node has its place in the text of the program', () => {
    const built = programOf(5).module;
    const made = run(annotateSpans, built);
    expect(structuralEqual(made, built)).toBe(true);
    const { span } = mainOf(made).body;
    expect(span?._tag === 'TextSpan' && span.source.name).toBe('GeneratedSource');
  });
});
