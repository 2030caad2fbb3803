/**
 * `Resize` and `Upsample` by scales that are not whole, in the operator sets that define them
 * differently: the importer takes the places that onnxruntime takes.
 */
import { mulberry32, orThrow, type Random } from '@baton/base';
import { evaluate } from '@baton/executor';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { isTensor, type Tensor, tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { difference } from './compare.ts';
import { type Attributes, modelBytes } from './onnx-writer.ts';
import { runElsewhere } from './oracle.ts';

const pick = <A>(random: Random, of: ReadonlyArray<A>): A =>
  of[Math.floor(random() * of.length)] as A;

/** Tenths, and quotients of small numbers: of both some are exact in float32, and some are not. */
const factor = (random: Random): number =>
  random() < 0.5
    ? (1 + Math.floor(random() * 34)) / 10
    : (1 + Math.floor(random() * 9)) / (1 + Math.floor(random() * 9));

const COORDINATES = ['half_pixel', 'asymmetric', 'pytorch_half_pixel'];
const NEAREST = ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'];

interface Drawn {
  readonly attributes: Attributes;
  readonly data: Tensor;
  readonly scales: ReadonlyArray<number>;
}

/** A node whose sizes change: from 11 on onnxruntime copies data whose sizes do not. */
function drawn(random: Random, modes: ReadonlyArray<string>, hasModes: boolean): Drawn {
  const rank = 1 + Math.floor(random() * 4);
  const shape = Array.from({ length: rank }, (_, i) => (i < rank - 2 ? 1 : 2 + random() * 10) | 0);
  const length = shape.reduce((a, b) => a * b, 1);
  const data = tensor(
    Array.from({ length }, (_, i) => Math.sin(i)),
    shape,
    'float32',
  );
  const scales = shape.map((_, i) => (i < rank - 2 ? 1 : Math.fround(factor(random))));
  const mode = pick(random, modes);
  const places = hasModes
    ? {
        coordinate_transformation_mode: pick(random, COORDINATES),
        nearest_mode: pick(random, NEAREST),
      }
    : {};
  const sizes = shape.map((size, i) => Math.floor(Math.fround(size * (scales[i] ?? 1))));
  const isFit = sizes.every((size) => size > 0) && sizes.some((size, i) => size !== shape[i]);
  // Along some axes only, onnxruntime interpolates linearly and cubically.
  const isImage = rank === 4 || mode === 'nearest';
  return isFit && isImage
    ? { attributes: { mode, ...places }, data, scales }
    : drawn(random, modes, hasModes);
}

interface Kind {
  readonly opType: string;
  readonly opset: number;
  readonly modes: ReadonlyArray<string>;
  readonly hasModes: boolean;
  readonly least: number;
}

const KINDS: ReadonlyArray<Kind> = [
  { opType: 'Upsample', opset: 9, modes: ['nearest', 'linear'], hasModes: false, least: 1 },
  { opType: 'Resize', opset: 10, modes: ['nearest', 'linear'], hasModes: false, least: 0 },
  { opType: 'Resize', opset: 13, modes: ['nearest', 'linear', 'cubic'], hasModes: true, least: 0 },
  { opType: 'Resize', opset: 19, modes: ['nearest', 'linear', 'cubic'], hasModes: true, least: 0 },
];

const RUNS = 120;

describe.each([
  ['W7: resizes by any scale', false],
  ['O: resizes of sizes that only the run knows', true],
] as const)('%s', (_, isFree) => {
  test.each(KINDS)('$opType of operator set $opset', async (kind) => {
    const random = mulberry32(kind.opset);
    const differences: string[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { attributes, data, scales } = drawn(random, kind.modes, kind.hasModes);
      if (scales.some((scale) => scale < kind.least)) continue;
      const parts = {
        opset: kind.opset,
        nodes: [
          {
            opType: kind.opType,
            inputs: kind.hasModes ? ['x', '', 's'] : ['x', 's'],
            outputs: ['y'],
            attributes,
          },
        ],
        inputs: new Map([['x', data]]),
        constants: new Map([['s', tensor(scales, [scales.length], 'float32')]]),
        outputs: ['y'],
      };
      const wanted = (await runElsewhere(modelBytes({ ...parts, isFree: true }), parts)).get('y');
      const found = orThrow(
        evaluate(orThrow(importOnnx(modelBytes({ ...parts, isFree }), { ops: standardOps })), [
          data,
        ]),
      );
      const differs =
        wanted !== undefined && isTensor(found) ? difference(found, wanted, 64, 1) : 'no tensor';
      if (differs !== undefined) {
        differences.push(`${data.shape} by ${scales} ${JSON.stringify(attributes)}: ${differs}`);
      }
    }
    expect(differences).toEqual([]);
  });
});
