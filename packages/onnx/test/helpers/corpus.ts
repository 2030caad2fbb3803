/** The ONNX corpus, where this machine has it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fnv1a32, mulberry32 } from '@baton/base';
import { type Tensor, tensor } from '@baton/tensor';

const given = process.env.BATON_CORPUS;
const folder = given ?? join(import.meta.dirname, '../../../../../shared/corpus/onnx');

/** The folder of the corpus; `undefined` if there is none. A named folder must exist. */
export const corpus: string | undefined = existsSync(folder) ? folder : undefined;

if (given !== undefined && corpus === undefined) {
  throw new Error(`BATON_CORPUS names no folder: ${given}`);
}
if (corpus === undefined) console.log('The ONNX corpus is absent: its tests have nothing to do.');

/** One weight of a recipe. */
export interface WeightRecipe {
  readonly name: string;
  readonly dims: ReadonlyArray<number>;
  readonly seed: string;
  readonly lo: number;
  readonly hi: number;
}

/** The bytes of a model of the corpus. */
export function modelFile(root: string, model: string): Uint8Array {
  const directory = join(root, 'models', model);
  const file = readdirSync(directory).find((name) => name.endsWith('.onnx'));
  if (file === undefined) throw new Error(`no model in ${directory}`);
  return readFileSync(join(directory, file));
}

/** The weights of a model, made by recipe when they are asked for. */
export function recipeWeights(root: string, model: string): (name: string) => Tensor | undefined {
  const text = readFileSync(join(root, 'models', model, 'weights.json'), 'utf8');
  const { weights } = JSON.parse(text) as { readonly weights: ReadonlyArray<WeightRecipe> };
  const recipes = new Map(weights.map((weight) => [weight.name, weight]));
  return (name) => {
    const recipe = recipes.get(name);
    return recipe === undefined ? undefined : fromRecipe(recipe);
  };
}

/** The tensor of a recipe. */
export function fromRecipe({ dims, seed, lo, hi }: WeightRecipe): Tensor {
  const random = mulberry32(fnv1a32(seed));
  const count = dims.reduce((product, dim) => product * dim, 1);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++) data[i] = lo + (hi - lo) * random();
  return tensor(data, dims, 'float32');
}
