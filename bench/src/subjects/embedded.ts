/** The networks that ship with Baton: `pnpm bench` reports on them without arguments. */
import { isLeft, right } from '@baton/base';
import { withBlockWeights } from '@baton/onnx';
import type { Subject } from '@baton/report';
import { exportOnnx, type IRModule, importOnnx, models, optimize, orThrow, runPass } from 'batonjs';
import { seededInputs } from './inputs.ts';

const embedded = (name: string, build: () => IRModule): Subject => ({
  name,
  load: async () => {
    const module = build();
    const inputs = seededInputs(module, name);
    return isLeft(inputs) ? inputs : right({ module, inputs: inputs.right, weightsMs: 0 });
  },
  expected: undefined,
});

/** The zoo: networks as exporters write them, some milliseconds a run but for the first. */
const DEFAULTS: ReadonlyArray<Subject> = [
  embedded('resnet18', () => models.resnet18()),
  embedded('mobilenet_v2', () => models.mobilenetV2()),
  embedded('vit', () => models.vit()),
  embedded('bert', () => models.bert()),
  embedded('gpt2', () => models.gpt2()),
  embedded('lstm', () => models.lstm({ inputs: 64, hidden: 256 })),
  embedded('unet', () => models.unet()),
  embedded('detector', () => models.detector()),
];

/** Models reported only by name, which keeps the default report short. */
const ON_REQUEST: ReadonlyArray<Subject> = [
  embedded('mlp', () => models.mlp()),
  embedded('transformer_encoder', () =>
    models.transformerEncoder({ layers: 2, heads: 4, width: 128, sequenceLength: 32 }),
  ),
  embedded('resnet50', () => models.resnet50()),
  embedded('squeezenet', () => models.squeezenet()),
  embedded('densenet121', () => models.densenet121()),
  embedded('gpt2_124m', gpt2OfFullSize),
  embedded('gpt2_124m_4bit', () => withWeightsOf4Bits(gpt2OfFullSize())),
];

/** GPT-2 in its published size, of 124 million weights: a token after 64 others. */
function gpt2OfFullSize(): IRModule {
  return models.gpt2({ layers: 12, heads: 12, width: 768, vocabulary: 50_257, positions: 1024 });
}

/** The model as `baton quantize --weights-only 4` writes it. */
function withWeightsOf4Bits(m: IRModule): IRModule {
  const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
  return orThrow(importOnnx(orThrow(withBlockWeights(orThrow(exportOnnx(optimized))))));
}

/** The default models. */
export const embeddedDefaults = (): ReadonlyArray<Subject> => DEFAULTS;

/** Every network that ships with Baton. */
export const embeddedSubjects = (): ReadonlyArray<Subject> => [...DEFAULTS, ...ON_REQUEST];
