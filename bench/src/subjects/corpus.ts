/**
 * Models of a corpus folder: `<name>/*.onnx`, with the recipe of the weights in `weights.json` and
 * the expected output in `*.f32`. The recipe: h = FNV-1a-32 of the seed, mulberry32(h) yields u,
 * value = fround(lo + (hi − lo)·u), row-major. A model without a recipe is a transformer with its
 * own weights: token ids are floor(u·256) from mulberry32(7), the last 3 of the mask 0.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft, mulberry32, right } from '@baton/base';
import type { Subject } from '@baton/report';
import type { Tolerance } from '@baton/tensor';
import { Mistake } from '@baton/workshop';
import { type IRModule, importOnnx, type Tensor, tensor } from 'batonjs';
import * as t from 'io-ts';
import { PathReporter } from 'io-ts/lib/PathReporter.js';
import { uniformData } from './inputs.ts';

const recipe = t.type({
  name: t.string,
  dims: t.array(t.number),
  seed: t.string,
  lo: t.number,
  hi: t.number,
});

const recipes = t.type({ input: recipe, output: t.string, weights: t.array(recipe) });

type Recipe = t.TypeOf<typeof recipe>;

const TOLERANCE: Tolerance = { atol: 1e-5, rtol: 1e-3 };

/** Bounds of deeper networks, which accumulate more rounding. */
const TOLERANCES: ReadonlyMap<string, Tolerance> = new Map([
  ['densenet121', { atol: 1e-4, rtol: 1e-3 }],
]);

/** Every model below `folder`, in alphabetical order. */
export async function corpusSubjects(
  folder: string,
  dims: Readonly<Record<string, number>> = {},
): Promise<ReadonlyArray<Subject>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((e) => e.isDirectory()).map((e) => e.name);
  const subjects = await Promise.all(names.sort().map((name) => corpusSubject(folder, name, dims)));
  return subjects.filter((s) => s !== undefined);
}

async function corpusSubject(
  folder: string,
  name: string,
  dims: Readonly<Record<string, number>>,
): Promise<Subject | undefined> {
  const files = await readdir(join(folder, name));
  const model = files.find((f) => f.endsWith('.onnx'));
  const output = files.find((f) => f.endsWith('.f32'));
  if (model === undefined) return undefined;
  const at = (file: string) => join(folder, name, file);
  return {
    name,
    load: () =>
      load(name, at(model), files.includes('weights.json') ? at('weights.json') : undefined, dims),
    expected:
      output === undefined
        ? undefined
        : async () => ({
            output: floats(await readFile(at(output))),
            tolerance: TOLERANCES.get(name) ?? TOLERANCE,
          }),
  };
}

const load = async (
  name: string,
  model: string,
  weightsFile: string | undefined,
  dims: Readonly<Record<string, number>>,
): ReturnType<Subject['load']> => {
  const bytes = await readFile(model);
  const plan = weightsFile === undefined ? undefined : await readRecipes(weightsFile);
  const byName = new Map(plan?.weights.map((w) => [w.name, w]));
  let weightsMs = 0;
  const imported = importOnnx(bytes, {
    source: name,
    // Networks of images have fixed sizes.
    dims: plan === undefined ? { ...TOKEN_DIMS, ...dims } : {},
    weights: (value) => {
      const found = byName.get(value);
      if (found === undefined) return undefined;
      const start = performance.now();
      const made = cook(found);
      weightsMs += performance.now() - start;
      return made;
    },
  });
  if (isLeft(imported)) return imported;
  if (plan !== undefined) {
    const inputs = { [plan.input.name]: cook(plan.input) };
    return right({ module: imported.right, inputs, weightsMs });
  }
  return right({ module: imported.right, inputs: tokenInputs(imported.right), weightsMs });
};

const TOKEN_DIMS: Readonly<Record<string, number>> = { batch: 1, seq: 16 };

const MASKED = 3;

/** Token ids and a mask, of the sizes of the parameters. */
function tokenInputs(m: IRModule): Readonly<Record<string, Tensor>> {
  const inputs: Record<string, Tensor> = {};
  for (const { nameHint, typeAnnotation } of m.functions.get('main')?.params ?? []) {
    if (typeAnnotation?._tag !== 'TensorType' || '_tag' in typeAnnotation.shape) continue;
    const shape = typeAnnotation.shape.map((dim) => (typeof dim === 'number' ? dim : 1));
    const length = shape[shape.length - 1] ?? 1;
    const next = mulberry32(7);
    const values = Array.from({ length: shape.reduce((n, d) => n * d, 1) }, (_, i) =>
      nameHint.includes('mask') ? Number(i % length < length - MASKED) : Math.floor(next() * 256),
    );
    inputs[nameHint] = tensor(values, shape, 'int64');
  }
  return inputs;
}

async function readRecipes(file: string): Promise<t.TypeOf<typeof recipes>> {
  const decoded = recipes.decode(JSON.parse(await readFile(file, 'utf8')));
  if (isLeft(decoded)) throw new Mistake(`${file}: ${PathReporter.report(decoded).join('; ')}`);
  return decoded.right;
}

const cook = ({ seed, dims, lo, hi }: Recipe): Tensor =>
  tensor(
    uniformData(
      seed,
      dims.reduce((n, d) => n * d, 1),
      lo,
      hi,
    ),
    dims,
    'float32',
  );

function floats(bytes: Uint8Array): Tensor {
  const data = new Float32Array(bytes.byteLength >> 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < data.length; i++) data[i] = view.getFloat32(4 * i, true);
  return tensor(data, [data.length], 'float32');
}
