/**
 * Nodes that stay whole: a small node of each such operator is imported, and what its kernel
 * computes is what onnxruntime computes for the node in the exported file.
 */
import { fnv1a32, mulberry32, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import type { TensorType, Var } from '@baton/ir';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import {
  allClose,
  type DType,
  describeTensor,
  isFloat,
  shapeSize,
  type Tensor,
  tensor,
} from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { onnxImporters } from '../../packages/onnx/src/catalogue.ts';
import { catalogue, graphOf, nameOf } from '../../packages/onnx/test/helpers/catalogue.ts';
import { modelBytes } from '../../packages/onnx/test/helpers/encode.ts';
import { runElsewhere } from './oracle.ts';

const SEED = 20_261_123;
const ROUNDS = 5;

/** The latest operator set that onnxruntime runs. */
const LATEST = 26;

const operators = [...onnxImporters.values()]
  .filter(({ kernelSince }) => kernelSince !== undefined)
  .map((operator) => ({ name: nameOf(operator), operator }));

describe('a node that stays whole computes what onnxruntime computes', () => {
  test.each(operators)('$name', async ({ name, operator }) => {
    const small = catalogue[name];
    if (small === undefined) throw new Error(`no small node of ${name}`);
    const bytes = modelBytes(graphOf(operator, small), small.opset ?? 21);
    const module = orThrow(importOnnx(bytes, { ops: standardOps }));
    const file = orThrow(exportOnnx(module));
    const nodes = orThrow(decodeModel(file)).graph?.nodes ?? [];
    // Some nodes stay whole only if their sizes are open, or all their results are used.
    const isWhole =
      operator.kernelWhen === undefined || printModule(module).includes('Primitive=1');
    if (isWhole) {
      expect(nodes.map(({ opType, domain }) => [domain, opType])).toEqual([
        [operator.domain ?? '', operator.opType],
      ]);
    }
    // The numbers that onnxruntime draws are others.
    if ((operator.kernelSince ?? 0) > LATEST || operator.isRandom === true) return;
    const params = module.functions.get('main')?.params ?? [];
    for (let round = 0; round < ROUNDS; round++) {
      const random = mulberry32((SEED + round) ^ fnv1a32(name));
      const inputs = params.map((param) => inputOf(param, random));
      const found = leavesOf(orThrow(evaluate(module, inputs)));
      const named = new Map(params.map(({ nameHint }, i) => [nameHint, inputs[i] as Tensor]));
      const wanted = [...(await runElsewhere(file, { inputs: named })).values()];
      expect(differences(found, wanted)).toEqual([]);
    }
  });
});

const differences = (
  found: ReadonlyArray<Tensor>,
  wanted: ReadonlyArray<Tensor>,
): ReadonlyArray<string> =>
  wanted.flatMap((expected, i) => {
    const value = found[i];
    // Onnxruntime reads functions of bytes from tables: they may be one step away.
    const atol = expected.dtype === 'uint8' ? 1 : 1e-5;
    const isSame =
      value?.dtype === expected.dtype && allClose(value, expected, { atol, rtol: 1e-4 });
    return isSame ? [] : [`${value && describeTensor(value)}, not ${describeTensor(expected)}`];
  });

/**
 * Numbers for a parameter. Integers are indices and lengths, too; a single float is a scale. Bytes
 * have six bits: on some processors onnxruntime adds products of bytes in 16 bits.
 */
function inputOf({ typeAnnotation }: Var, random: () => number): Tensor {
  const { shape, dtype } = typeAnnotation as TensorType & { readonly dtype: DType };
  const sizes = (shape as ReadonlyArray<number>).map(Number);
  const number = (): number => {
    if (dtype === 'bool') return Math.round(random());
    if (isFloat(dtype)) return sizes.length === 0 ? 0.02 + random() / 10 : 2 * random() - 1;
    return dtype === 'uint8' ? Math.floor(64 * random()) : 1 + Math.floor(2 * random());
  };
  return tensor(Array.from({ length: shapeSize(sizes) }, number), sizes, dtype);
}
