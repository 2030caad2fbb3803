/**
 * Windows whose `auto_pad` depends on sizes that only the run knows: random ones are imported without
 * sizes, and the program and the written file compute what onnxruntime computes for the node.
 */
import { mulberry32, orThrow, type Random } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { isTensor, shapeSize, type Tensor, tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';
import { difference } from './compare.ts';
import { type Attributes, modelBytes } from './onnx-writer.ts';
import { runElsewhere } from './oracle.ts';

const from = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

const numbers = (random: Random, shape: ReadonlyArray<number>): Tensor =>
  tensor(
    Array.from({ length: shapeSize(shape) }, () => from(random, -16, 16) / 8),
    shape,
    'float32',
  );

interface Drawn {
  readonly attributes: Attributes;
  readonly data: Tensor;
  readonly constants: ReadonlyMap<string, Tensor>;
}

/** A node over a small image. Runtimes have no pools whose steps leave places out. */
function drawn(random: Random, opType: string): Drawn {
  const rank = from(random, 1, opType === 'Conv' ? 3 : 2);
  const each = (least: number, most: number): ReadonlyArray<number> =>
    Array.from({ length: rank }, () => from(random, least, most));
  const kernel = each(1, 4);
  const strides = opType === 'Conv' ? each(1, 4) : kernel.map((size) => from(random, 1, size));
  const attributes = {
    auto_pad: random() < 0.5 ? 'SAME_UPPER' : 'SAME_LOWER',
    kernel_shape: kernel,
    strides,
    ...(opType === 'AveragePool' ? { count_include_pad: from(random, 0, 1) } : {}),
  };
  const data = numbers(random, [from(random, 1, 2), 2, ...each(1, 9)]);
  const weight = ['w', numbers(random, [3, 2, ...kernel])] as const;
  return { attributes, data, constants: new Map(opType === 'Conv' ? [weight] : []) };
}

const RUNS = amount(120, { quick: 40 });

describe('O: windows over sizes that only the run knows', () => {
  test.each(['Conv', 'MaxPool', 'AveragePool', 'LpPool'])('%s', async (opType) => {
    const random = mulberry32(opType.length);
    const differences: string[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { attributes, data, constants } = drawn(random, opType);
      const inputs = new Map([['x', data]]);
      const nodes = [{ opType, inputs: ['x', ...constants.keys()], outputs: ['y'], attributes }];
      const parts = { opset: 18, nodes, inputs, constants, outputs: ['y'], isFree: true };
      const bytes = modelBytes(parts);
      const m = orThrow(importOnnx(bytes, { ops: standardOps }));
      const file = orThrow(exportOnnx(m));
      const wanted = (await runElsewhere(bytes, { inputs })).get('y');
      const written = (await runElsewhere(file, { inputs })).get('y');
      const found = orThrow(evaluate(m, [data]));
      const count = orThrow(decodeModel(file)).graph?.nodes.length;
      const compared = [found, written].map((value) =>
        wanted && value && isTensor(value) ? difference(value, wanted, 64, 1) : 'no tensor',
      );
      const faults = [...compared, count === 1 ? undefined : `${count} nodes`];
      for (const fault of faults.filter((one) => one !== undefined)) {
        differences.push(`${data.shape} ${JSON.stringify(attributes)}: ${fault}`);
      }
    }
    expect(differences).toEqual([]);
  });
});
