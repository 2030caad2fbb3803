/** The networks that ship with Baton compute the same after optimization and after fusion. */
import { fnv1a32, mulberry32 } from '@baton/base';
import { compareTensors, toNumbers } from '@baton/tensor';
import {
  evaluate,
  type IRModule,
  inferTypes,
  models,
  optimize,
  orThrow,
  type Pass,
  passes,
  postOrderExprs,
  runPass,
  sequential,
  type Tensor,
  tensor,
} from 'batonjs';
import { describe, expect, it } from 'vitest';

/** The rounding change of float32 by folding constants. */
const MAX_RELATIVE_ERROR = 1e-4;

const image = { batch: 2, classes: 10 };

interface Subject {
  readonly module: IRModule;
  readonly shape: ReadonlyArray<number>;
  /** The last layer: it must not saturate, or errors would not show. */
  readonly ends: 'softmax' | 'normalization';
}

const classifier = (module: IRModule, ...shape: ReadonlyArray<number>): Subject => ({
  module,
  shape,
  ends: 'softmax',
});

const subjects: ReadonlyArray<readonly [string, Subject]> = [
  ['mlp', classifier(models.mlp({ batch: 2, inputs: 12, hidden: [8, 6] }), 2, 12)],
  ['resnet18', classifier(models.resnet18({ ...image, imageSize: 32, width: 4 }), 2, 3, 32, 32)],
  ['resnet50', classifier(models.resnet50({ ...image, imageSize: 32, width: 4 }), 2, 3, 32, 32)],
  [
    'mobilenetV2',
    classifier(
      models.mobilenetV2({ ...image, imageSize: 32, widthMultiplier: 0.25 }),
      2,
      3,
      32,
      32,
    ),
  ],
  ...(['1.0', '1.1'] as const).map((version): readonly [string, Subject] => [
    `squeezenet ${version}`,
    classifier(
      models.squeezenet({ ...image, version, imageSize: 63, widthMultiplier: 0.25 }),
      2,
      3,
      63,
      63,
    ),
  ]),
  [
    'densenet121',
    classifier(models.densenet121({ ...image, imageSize: 32, growth: 4 }), 2, 3, 32, 32),
  ],
  [
    'lstm',
    classifier(models.lstm({ batch: 2, steps: 4, inputs: 5, hidden: 6, layers: 2 }), 2, 4, 5),
  ],
  [
    'transformerEncoder',
    {
      module: models.transformerEncoder({
        batch: 2,
        sequenceLength: 5,
        layers: 2,
        heads: 2,
        width: 8,
      }),
      shape: [2, 5, 8],
      ends: 'normalization',
    },
  ],
];

const run = (m: IRModule, data: Tensor): Tensor => {
  const value = orThrow(evaluate(m, { data }));
  if (value._tag !== 'Tensor') throw new Error(`the network computes a ${value._tag}`);
  return value;
};

const apply = (pass: Pass, m: IRModule): IRModule => orThrow(runPass(pass, { level: 3 })(m)).module;

function noise(seed: string, shape: ReadonlyArray<number>): Tensor {
  const next = mulberry32(fnv1a32(seed));
  const size = shape.reduce((a, b) => a * b, 1);
  return tensor(
    Array.from({ length: size }, () => 2 * next() - 1),
    shape,
    'float32',
  );
}

const kernelCount = (m: IRModule): number =>
  postOrderExprs([...m.functions.values()]).filter(
    (e) => e._tag === 'Function' && e.attrs.Primitive !== undefined,
  ).length;

const fused = sequential([optimize({ level: 3 }), passes.fuseOps]);
const takenApart = sequential([fused, passes.defuseOps]);

describe.each(subjects)('%s', (name, { module, shape, ends }) => {
  const data = noise(name, shape);
  const typed = orThrow(inferTypes(module));
  const before = run(typed, data);

  it.each([
    ['optimization at level 3', optimize({ level: 3 })],
    ['fusion alone', passes.fuseOps],
    ['optimization and fusion', fused],
    ['fusion that is taken apart again', takenApart],
  ] as const)('computes the same after %s', (_, pass) => {
    const after = apply(pass, typed);
    expect(compareTensors(run(after, data), before).maxRelError).toBeLessThanOrEqual(
      MAX_RELATIVE_ERROR,
    );
  });

  it('has kernels after fusion only', () => {
    expect(kernelCount(apply(optimize({ level: 3 }), typed))).toBe(0);
    expect(kernelCount(apply(fused, typed))).toBeGreaterThan(1);
    expect(kernelCount(apply(takenApart, typed))).toBe(0);
  });

  it('answers differently to different data, and does not saturate', () => {
    const other = run(typed, noise(`${name}, another`, shape));
    expect(compareTensors(other, before).maxRelError).toBeGreaterThan(1e-3);
    const values = toNumbers(before);
    if (ends === 'softmax') {
      expect(Math.max(...values)).toBeLessThan(0.9);
      expect(Math.min(...values)).toBeGreaterThan(1e-4);
    } else {
      expect(Math.max(...values.map(Math.abs))).toBeLessThan(5);
    }
  });
});
