/** Models that ship in packages of registries, against onnxruntime. */
import { existsSync, readFileSync } from 'node:fs';
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

/**
 * A model of `real-models.json`: sizes of what its file leaves open, and the range of inputs other
 * than −1 to 1.
 */
interface RealModel {
  readonly file: string;
  readonly sizes: ReadonlyArray<Sizes>;
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /**
   * Whether the model rounds floats to bytes as they come. The last bit of a float then decides on
   * a byte, and the byte on all that follows: of several draws of inputs, one has to agree. Such a
   * bit comes from the sigmoid, which onnxruntime approximates: with one in float64 in its place,
   * common_old gives equal bits in every draw. A recurrence of 80 steps makes much of one byte.
   */
  readonly rounds?: true;
}

const REAL_MODELS: ReadonlyArray<RealModel> = JSON.parse(
  readFileSync(new URL('real-models.json', import.meta.url), 'utf8'),
);

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

const DRAWS = Array.from({ length: 16 }, (_, i) => (i === 0 ? '' : ` ${i + 1}`));

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
          const imported = different(here(m, inputs), wanted);
          if (imported.length > 0) return { imported };
          return {
            fused: different(here(fused, inputs), wanted),
            exported: different(await elsewhere(exported, inputs), written),
          };
        });
      },
    );

    it('computes it with all sizes left open', async () => {
      const bytes = new Uint8Array(await readFile(join(folder, model.file)));
      const m = orThrow(importOnnx(bytes, { source: model.file }));
      const optimized = orThrow(runPass(optimize({ level: 3 }))(m)).module;
      for (const dims of model.sizes) {
        const sized = orThrow(importOnnx(bytes, { dims }));
        await oneAgrees(model, async (draw) => {
          const inputs = inputsOf(sized, model, draw);
          const wanted = await elsewhere(bytes, inputs, model.rounds ? PRECISE : AS_WRITTEN);
          const imported = different(here(m, inputs), wanted);
          if (imported.length > 0) return { imported };
          return { optimized: different(here(optimized, inputs), wanted) };
        });
      }
    });
  });
}
