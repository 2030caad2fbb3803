/** An attempt at optimizing a model: a pipeline's result, and its files, read again and compared. */
import { isLeft, type Result, right } from '@baton/base';
import { type Ports, portsOf } from '@baton/onnx';
import {
  type Figures,
  figuresOf,
  type IRModule,
  modelForm,
  type Pass,
  renderDiagnostics,
  rewrites,
} from 'batonjs';
import type { Session } from './command.ts';
import { checkFile } from './file-check.ts';
import { type FileFigures, fileFigures, type WorkFigures } from './file-figures.ts';
import {
  constantRoom,
  type ModelFiles,
  modelFiles,
  nameOf,
  openModel,
  type WriteOptions,
} from './model-file.ts';
import { sameInRuntime } from './onnxruntime.ts';
import { type Optimized, optimizedBy } from './optimized.ts';
import { readDims } from './pairs.ts';
import { ownRules } from './pipeline.ts';
import { isSampled, type Sampled, sampledCheck } from './sampled-check.ts';
import { targetOf } from './target.ts';
import { watchRules } from './unused-rules.ts';

/** A pipeline's result, and the files of it. */
export interface Attempt extends Work, ModelFiles {
  /** The figures of the model's file and of the new one, if both are ONNX files. */
  readonly sizes: Sizes | undefined;
  /** Whether the file is the model's own. */
  readonly isCopy?: boolean;
}

export interface Sizes {
  readonly before: WorkFigures;
  readonly after: WorkFigures;
}

/** The result of a pipeline on the session's model, and its files. */
export async function attempted(
  session: Session,
  output: string,
  pipeline: Pass,
): Promise<Result<Attempt>> {
  const work = await improved(session, pipeline);
  return isLeft(work) ? work : written(session, output, work.right, 'full');
}

/** The files of a result, with full or with short names. */
export async function written(
  session: Session,
  output: string,
  work: Work,
  names: WriteOptions['names'],
): Promise<Result<Attempt>> {
  const made = await checkedFiles(session, output, work, names);
  if (isLeft(made)) return made;
  const before = work.file;
  const { seconds, figures: after } = made.right;
  const sizes = before && after && { before, after: { ...after, seconds } };
  return right({ ...work, ...made.right, sizes });
}

/** Files, with the figures of an ONNX file. */
interface CheckedFiles extends ModelFiles {
  readonly figures: FileFigures | undefined;
  /** The estimated time of a run of the program that it is read as. */
  readonly seconds: number | undefined;
}

/** The files of the optimized model; an ONNX file was read again, and run if it is verified. */
async function checkedFiles(
  session: Session,
  output: string,
  { done, ports, model, isSampled: isFew }: Work,
  names: WriteOptions['names'],
): Promise<Result<CheckedFiles>> {
  const opset = session.text('opset');
  const made = modelFiles(done.module, output, {
    opset: opset === undefined ? undefined : Number(opset),
    external: session.has('external-data'),
    limits: session.limits,
    names,
    target: targetOf(session),
  });
  if (isLeft(made)) return made;
  const { onnx: written } = made.right;
  if (isFew && model !== undefined) {
    const compared = await sampledWith(session, model, { output, result: done.module, written });
    if (isLeft(compared)) return compared;
  }
  if (written === undefined) {
    return right({ ...made.right, figures: undefined, seconds: undefined });
  }
  // The pieces of the file are joined once: its weights are not in memory twice.
  const bytes = written.bytes();
  const figures = fileFigures(bytes);
  const program = model === undefined || isFew ? undefined : done.module;
  const allowsUnread = session.has('unchecked');
  const { shouldStop } = session.limits;
  const room = constantRoom(session);
  if (isLeft(room)) return room;
  const maxConstantBytes = room.right;
  const original = { ports, program, allowsUnread, shouldStop, maxConstantBytes };
  const checked = checkFile(session.host, { ...written, bytes: () => bytes }, output, original);
  if (isLeft(checked)) return checked;
  const { module: reread, isCompared } = checked.right;
  if (program !== undefined && model !== undefined && reread !== undefined && !isCompared) {
    // Sizes that fit all kinds of inputs were not found; a few larger ones may do.
    const compared = await sampledWith(session, model, { output, result: done.module, written });
    if (isLeft(compared) && compared.left[0].code !== 'CLI_NOT_COMPARED') return compared;
    for (const problem of isLeft(compared) ? compared.left : []) {
      session.host.tell(renderDiagnostics([{ ...problem, severity: 'warning' }]));
    }
  }
  // The import may read a node as more calls than the program has for it, such as a Gemm as two.
  const programs = reread === undefined ? [] : [reread, done.module];
  const times = programs.map(rewrites.estimatedSeconds);
  const seconds = times.length === 0 ? undefined : Math.min(...times);
  const timed = right({ ...made.right, figures, seconds });
  const runtime = session.text('verify-with');
  if (runtime === undefined) return timed;
  const [path = '-'] = session.operands;
  const same = await sameInRuntime(session.host, runtime, done.module, [
    { name: nameOf(path), source: path },
    { name: nameOf(output), source: made.right.files },
  ]);
  return isLeft(same) ? same : timed;
}

/** Compares the result with the model as it came, on a few inputs. */
async function sampledWith(
  session: Session,
  model: IRModule,
  result: Pick<Sampled, 'output' | 'result' | 'written'>,
): Promise<Result<void>> {
  const { host, operands, limits } = session;
  const [path = '-'] = operands;
  const dims = readDims(session.texts('dim'));
  if (isLeft(dims)) return dims;
  const file = await host.read(path);
  if (isLeft(file)) return file;
  const bytes = (): Uint8Array => file.right.slice();
  const original =
    modelForm(file.right) === 'onnx' ? { bytes, weights: host.beside(path) } : undefined;
  return sampledCheck(host, { path, model, original, ...result, dims: dims.right, limits });
}

/** What a pipeline makes of a model. */
export interface Work {
  /** Lines about the user's own rules that were not used. */
  readonly unused: ReadonlyArray<string>;
  /** The model as it came, if it is compared with the result. */
  readonly model: IRModule | undefined;
  /** Whether it is compared on a few inputs. */
  readonly isSampled: boolean;
  readonly done: Optimized;
  /** The figures of the model as it came. */
  readonly before: Figures;
  /** Those of its file, if it is an ONNX file. */
  readonly file: WorkFigures | undefined;
  /** The inputs and outputs that the file must have. */
  readonly ports: Ports;
}

/** The optimized model. The original is kept for a comparison alone: its weights may take gigabytes. */
async function improved(session: Session, pipeline: Pass): Promise<Result<Work>> {
  const { host, operands } = session;
  let file: FileFigures | undefined;
  const model = await openModel(session, operands[0] ?? '-', (bytes) => {
    file = fileFigures(bytes);
  });
  if (isLeft(model)) return model;
  const before = figuresOf(model.right);
  if (isLeft(before)) return before;
  const seconds = rewrites.estimatedSeconds(model.right);
  const ports = portsOf(model.right);
  if (isLeft(ports)) return ports;
  const isVerified = session.has('verify');
  // A pass that changes values is named by a comparison after each pass.
  const isWhole = session.has('thorough') || session.has('keep-going');
  const isFew = isVerified && !isWhole && isSampled(model.right);
  const rules = watchRules(await ownRules(session));
  const choices = {
    instruments: [rules.instrument],
    verified: isVerified && !isFew,
    keepsGoing: session.has('keep-going'),
    limits: session.limits,
  };
  const done = optimizedBy(pipeline, model.right, host, choices);
  if (isLeft(done)) return done;
  const unused = rules.unused(done.right.report);
  // Passes of the settings may change the types of inputs and outputs; the others do not.
  const hasOwn = session.settings.passes.length > 0;
  const wanted = hasOwn ? portsOf(done.right.module) : ports;
  if (isLeft(wanted)) return wanted;
  return right({
    done: done.right,
    before: before.right,
    file: file && { ...file, seconds },
    ports: wanted.right,
    model: isVerified ? model.right : undefined,
    isSampled: isFew,
    unused,
  });
}
