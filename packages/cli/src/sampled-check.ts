/**
 * Compares models that are too large for all kinds of inputs: runs both as compiled code on a few
 * generated inputs.
 */
import { diagnostic, fail, isLeft, type Limits, ok, type Result, right } from '@baton/base';
import { anyDim, bareAtom, type Dim, isStaticDim, type Var } from '@baton/ir';
import { measureModule } from '@baton/ops';
import { isTensor, type Tensor } from '@baton/tensor';
import { type Executor, evaluate, type IRModule, importOnnx, inferTypes, makeWasm } from 'batonjs';
import { madeUpInputs } from './arrays/inputs.ts';
import { namedOutputs } from './arrays/outputs.ts';
import { fileDimensions } from './dimension-names.ts';
import type { Host } from './host.ts';
import { type LikelySizes, likelySizes } from './likely-sizes.ts';
import { nameOf, type OnnxFile } from './model-file.ts';
import { differenceOf } from './onnxruntime.ts';
import { timeLeft } from './stages.ts';

/** A comparison on all kinds of inputs takes seconds up to this size. */
const MAX_FLOPS = 1e7;

/**
 * The approximate size that a comparison on all kinds of inputs uses for an open dimension, which
 * counts as 1.
 */
const FREE_SIZE = 4;

export function isSampled(m: IRModule): boolean {
  const typed = inferTypes(m);
  if (isLeft(typed)) return false;
  const open = new Set((m.functions.get('main')?.params ?? []).flatMap(dimsOf).map(bareAtom));
  open.delete(undefined);
  return measureModule(typed.right).flops * FREE_SIZE ** open.size > MAX_FLOPS;
}

const SAMPLES = 3;

/** **Units** milliseconds: after this time no further sample begins. */
const BUDGET_MS = 5_000;

/** Sizes of open dimensions: of first axes, which are mostly batches, and of the others. */
interface OpenSizes {
  readonly first: number;
  readonly other: number;
}

/**
 * The sizes to try for open dimensions after the likely ones: the first that both models accept.
 */
const OPEN_SIZES: ReadonlyArray<OpenSizes> = [
  ...[2, 1].map((size) => ({ first: size, other: size })),
  ...[16, 64, 224, 512].flatMap((other) => [2, 1].map((first) => ({ first, other }))),
  ...[16, 64, 224].map((size) => ({ first: size, other: size })),
];

export interface Sampled {
  /** The path of the original model, its program, and its file if it is an ONNX file. */
  readonly path: string;
  readonly model: IRModule;
  readonly original: OnnxFile | undefined;
  readonly output: string;
  readonly result: IRModule;
  readonly written: OnnxFile | undefined;
  readonly dims: Readonly<Record<string, number>>;
  readonly limits: Limits;
}

/**
 * Runs both models on the same generated inputs. Compiled code needs all sizes, so ONNX files are
 * read with sizes for their open dimensions.
 *
 * **Errors** `EQUIV_DIFFERENT`; `CLI_NOT_COMPARED` if a model does not run on any generated inputs.
 */
export function sampledCheck(host: Host, models: Sampled): Result<void> {
  const start = host.now();
  // Groups as FuseOps forms them: what the executor fuses further does not differ.
  const executor = makeWasm({ fusion: 'groups' });
  const known = likelySizes(models.model);
  let reason = 'they take no made-up inputs';
  for (const size of OPEN_SIZES) {
    const sized = withSizes({ ...models, known }, size);
    if (isLeft(sized)) continue;
    const { first, second, isOpen } = sized.right;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const spent = host.now() - start;
      if (sample > 0 && spent > BUDGET_MS) return ok(undefined);
      const time = timeLeft(spent, sample, SAMPLES);
      host.progress.step(`comparing: sample ${sample + 1} of ${SAMPLES}${time}`);
      const found = comparedOn(executor, models, { first, second, size: size.other, sample });
      if (isLeft(found) && found.left[0].code === 'EQUIV_DIFFERENT') return found;
      if (isLeft(found)) {
        reason = found.left[0].message;
        break;
      }
      if (sample === SAMPLES - 1) return found;
    }
    if (!isOpen) break;
  }
  return fail(
    diagnostic('CLI_NOT_COMPARED', `the models were not compared: ${reason}`, {
      hint: '`--dim` gives sizes; `--thorough` compares on inputs of all kinds',
    }),
  );
}

interface Sizes {
  readonly first: IRModule;
  readonly second: IRModule;
  readonly isOpen: boolean;
}

/** The models, with their likely sizes. */
interface Sizing extends Sampled {
  readonly known: LikelySizes;
}

function withSizes(models: Sizing, size: OpenSizes): Result<Sizes> {
  const first = sizedProgram(models.model, models.original, models, size);
  if (isLeft(first)) return first;
  const second = sizedProgram(models.result, models.written, models, size);
  if (isLeft(second)) return second;
  const isOpen = first.right !== models.model;
  return right({ first: first.right, second: second.right, isOpen });
}

/**
 * The program of a file with sizes for its open dimensions; the program itself if it has none.
 * Dimensions with a number in the original program keep it; others have a likely size.
 */
function sizedProgram(
  m: IRModule,
  file: OnnxFile | undefined,
  { dims, limits, model, known }: Sizing,
  size: OpenSizes,
): Result<IRModule> {
  if (file === undefined) return ok(m);
  const bytes = file.bytes();
  const params = new Map(
    (model.functions.get('main')?.params ?? []).map((param) => [param.nameHint, dimsOf(param)]),
  );
  const sizes: Record<string, number> = {};
  for (const [input, names] of fileDimensions(bytes)) {
    for (const [axis, name] of names.entries()) {
      if (name === undefined) continue;
      const dim = params.get(input)?.[axis] ?? anyDim;
      const atom = isStaticDim(dim) ? undefined : bareAtom(dim);
      const variable = atom?._tag === 'TypeVar' ? atom : undefined;
      const needed = variable === undefined ? dim : known.likely.get(variable);
      const least = variable === undefined ? 1 : (known.least.get(variable) ?? 1);
      if (Object.hasOwn(dims, name)) sizes[name] = dims[name] ?? 0;
      else if (typeof needed === 'number') sizes[name] = needed;
      else sizes[name] ??= Math.max(least, axis === 0 ? size.first : size.other);
    }
  }
  const externalData = file.weights;
  return importOnnx(bytes, { dims: sizes, externalData, ownsBytes: true, limits });
}

const dimsOf = ({ typeAnnotation: type }: Var): ReadonlyArray<Dim> =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : [];

function comparedOn(
  executor: Executor,
  { path, output, limits }: Sampled,
  { first, second, size, sample }: Omit<Sizes, 'isOpen'> & { size: number; sample: number },
): Result<void> {
  const inputs = madeUpInputs(first, size, sample);
  if (isLeft(inputs)) return inputs;
  const args = Object.fromEntries(inputs.right);
  const outputs: ReadonlyMap<string, Tensor>[] = [];
  for (const m of [first, second]) {
    const value = evaluate(m, args, { executor, ...limits });
    if (isLeft(value)) return value;
    const named = Object.entries(namedOutputs(m, value.right));
    outputs.push(new Map(named.flatMap(([name, v]) => (isTensor(v) ? [[name, v]] : []))));
  }
  const [wanted = new Map(), found = new Map()] = outputs;
  const difference = differenceOf(wanted, found);
  if (difference === undefined) return ok(undefined);
  const [one, other] = [nameOf(path), nameOf(output)];
  const message = `${other} does not compute what ${one} computes: ${difference}`;
  return fail(diagnostic('EQUIV_DIFFERENT', message, { hint: '`--thorough` names the pass' }));
}
