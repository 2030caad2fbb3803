/** What a file is for: `onnx` has operators of ONNX alone, in no spelling of one runtime. */
import { mulberry32, orThrow } from '@baton/base';
import { isStaticDim } from '@baton/ir';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { allClose, fromNumbers, isDType, isFloat, shapeSize, type Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';
import { onnxImporters } from '../src/catalogue.ts';
import { catalogue, graphOf, nameOf } from './helpers/catalogue.ts';
import { modelBytes } from './helpers/encode.ts';
import { mainOf } from './helpers/import.ts';
import { run } from './helpers/run.ts';

const foreign = [...onnxImporters.values()]
  .filter(({ domain = '' }) => domain !== '')
  .map((operator) => ({ name: nameOf(operator), operator }));

test.each(foreign)('$name is written by operators of ONNX', ({ name, operator }) => {
  const small = catalogue[name];
  if (small === undefined) throw new Error(`no small node of ${name}`);
  const bytes = modelBytes(graphOf(operator, small), small.opset ?? 21);
  const m = orThrow(importOnnx(bytes, { ops: standardOps }));
  const file = orThrow(exportOnnx(m, { target: 'onnx' }));
  const model = orThrow(decodeModel(file));
  expect(model.graph?.nodes.map(({ domain }) => domain).join('')).toBe('');
  expect(model.opsetImports.map(({ domain }) => domain)).toEqual(['']);
  const next = mulberry32(20_261_127);
  const inputs = mainOf(m).params.map(({ typeAnnotation: type }): Tensor => {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape || !isDType(type.dtype)) {
      throw new Error('an input of another type');
    }
    const shape = type.shape.filter(isStaticDim);
    const draw = isFloat(type.dtype) ? () => 0.1 + next() : () => Math.floor(3 * next());
    return fromNumbers(Float64Array.from({ length: shapeSize(shape) }, draw), shape, type.dtype);
  });
  const wanted = run(mainOf(m), inputs);
  const found = run(mainOf(orThrow(importOnnx(file, { ops: standardOps }))), inputs);
  expect(found).toHaveLength(wanted.length);
  for (const [i, tensor] of wanted.entries()) {
    expect(allClose(found[i] as Tensor, tensor, { atol: 1e-5, rtol: 1e-4 })).toBe(true);
  }
});

test('spellings for fusion are those of the default target alone', () => {
  const text = `#[version = "0.0.5"]
    def @main(%x: Tensor[(2, 4), float32]) { erf(%x * 0.70710677f) }`;
  const m = orThrow(parseModule(text, { ops: standardOps }));
  const types = (target?: 'onnx' | 'onnxruntime') =>
    orThrow(decodeModel(orThrow(exportOnnx(m, target && { target })))).graph?.nodes.map(
      ({ opType }) => opType,
    );
  expect(types()).toEqual(['Div', 'Erf']);
  expect(types('onnxruntime')).toEqual(['Div', 'Erf']);
  expect(types('onnx')).toEqual(['Mul', 'Erf']);
});
