/** The networks that ship with Baton compute the same after optimization and after fusion. */
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
} from 'batonjs';
import { describe, expect, it } from 'vitest';
import { seededInputs } from '../../bench/src/subjects/inputs.ts';

/** The rounding change of float32 by folding constants. */
const MAX_RELATIVE_ERROR = 1e-4;

const image = { batch: 2, classes: 10 };

interface Subject {
  readonly module: IRModule;
  /** The last layer: it must not saturate, or errors would not show. */
  readonly ends: keyof typeof BOUNDS;
}

/** Between what the size of a result lies. */
const BOUNDS = {
  softmax: [1e-4, 0.9],
  normalization: [0, 5],
  logits: [0, 20],
  // Pixels of an image of 64, and beyond.
  boxes: [0, 1000],
} as const;

const classifier = (module: IRModule): Subject => ({ module, ends: 'softmax' });

const small = { ...image, imageSize: 32 };

const subjects: ReadonlyArray<readonly [string, Subject]> = [
  ['mlp', classifier(models.mlp({ batch: 2, inputs: 12, hidden: [8, 6] }))],
  ['resnet18', classifier(models.resnet18({ ...small, width: 4 }))],
  ['resnet50', classifier(models.resnet50({ ...small, width: 4 }))],
  ['mobilenetV2', classifier(models.mobilenetV2({ ...small, widthMultiplier: 0.25 }))],
  ...(['1.0', '1.1'] as const).map((version): readonly [string, Subject] => [
    `squeezenet ${version}`,
    classifier(models.squeezenet({ ...image, version, imageSize: 63, widthMultiplier: 0.25 })),
  ]),
  ['densenet121', classifier(models.densenet121({ ...small, growth: 4 }))],
  ['lstm', classifier(models.lstm({ batch: 2, steps: 4, inputs: 5, hidden: 6, layers: 2 }))],
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
      ends: 'normalization',
    },
  ],
  ['vit', { module: models.vit({ ...small, layers: 2, heads: 2, width: 8 }), ends: 'logits' }],
  [
    'bert',
    {
      module: models.bert({ batch: 2, sequenceLength: 5, layers: 2, heads: 2, width: 8 }),
      ends: 'normalization',
    },
  ],
  [
    'gpt2',
    {
      module: models.gpt2({ batch: 2, past: 5, layers: 2, heads: 2, width: 8, positions: 16 }),
      ends: 'logits',
    },
  ],
  [
    'unet',
    { module: models.unet({ batch: 2, imageSize: 22, width: 4, depth: 2 }), ends: 'logits' },
  ],
  [
    'detector',
    { module: models.detector({ batch: 2, imageSize: 64, width: 4, classes: 3 }), ends: 'boxes' },
  ],
];

/** What the network computes for seeded inputs, tensor after tensor. */
function run(m: IRModule, seed: string): ReadonlyArray<Tensor> {
  const value = orThrow(evaluate(m, orThrow(seededInputs(m, seed))));
  return (value._tag === 'Tuple' ? value.fields : [value]).map((field) => {
    if (field._tag !== 'Tensor') throw new Error(`the network computes a ${field._tag}`);
    return field;
  });
}

const maxRelError = (found: ReadonlyArray<Tensor>, expected: ReadonlyArray<Tensor>): number =>
  Math.max(...expected.map((tensor, i) => compareTensors(found[i] as Tensor, tensor).maxRelError));

const apply = (pass: Pass, m: IRModule): IRModule => orThrow(runPass(pass, { level: 3 })(m)).module;

const kernelCount = (m: IRModule): number =>
  postOrderExprs([...m.functions.values()]).filter(
    (e) => e._tag === 'Function' && e.attrs.Primitive !== undefined,
  ).length;

const fused = sequential([optimize({ level: 3 }), passes.fuseOps]);
const takenApart = sequential([fused, passes.defuseOps]);

describe.each(subjects)('%s', (name, { module, ends }) => {
  const typed = orThrow(inferTypes(module));
  const before = run(typed, name);

  it.each([
    ['optimization at level 3', optimize({ level: 3 })],
    ['fusion alone', passes.fuseOps],
    ['optimization and fusion', fused],
    ['fusion that is taken apart again', takenApart],
  ] as const)('computes the same after %s', (_, pass) => {
    const after = run(apply(pass, typed), name);
    expect(maxRelError(after, before)).toBeLessThanOrEqual(MAX_RELATIVE_ERROR);
  });

  it('has kernels after fusion only', () => {
    expect(kernelCount(apply(optimize({ level: 3 }), typed))).toBe(0);
    expect(kernelCount(apply(fused, typed))).toBeGreaterThan(1);
    expect(kernelCount(apply(takenApart, typed))).toBe(0);
  });

  it('answers differently to different data, and does not saturate', () => {
    expect(maxRelError(run(typed, `${name}, another`), before)).toBeGreaterThan(1e-3);
    const sizes = before.flatMap((tensor) => [...toNumbers(tensor)].map(Math.abs));
    const [least, most] = BOUNDS[ends];
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...sizes)).toBeLessThan(most);
  });
});
