/** An attempt at optimizing a model: the result of a pipeline, and its files, read again. */
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

export interface Attempt extends Work, ModelFiles {
  /** The figures of the model's file and of the new one, if both are ONNX files. */
  readonly sizes: Sizes | undefined;
  /** Whether the file is a copy of the model's own. */
  readonly isCopy?: boolean;
}

export interface Sizes {
  readonly before: WorkFigures;
  readonly after: WorkFigures;
}

export async function attempted(
  session: Session,
  output: string,
  pipeline: Pass,
): Promise<Result<Attempt>> {
  const work = await improved(session, pipeline);
  return isLeft(work) ? work : written(session, output, work.right, 'full');
}

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

interface CheckedFiles extends ModelFiles {
  readonly figures: FileFigures | undefined;
  /** The estimated time of a run of the program that the file is read as. */
  readonly seconds: number | undefined;
}

/** The files of the optimized model; an ONNX file is read again, and run if verified. */
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
    // No sizes were found that suit all kinds of inputs; a few larger ones may do.
    const compared = await sampledWith(session, model, { output, result: done.module, written });
    if (isLeft(compared) && compared.left[0].code !== 'CLI_NOT_COMPARED') return compared;
    for (const problem of isLeft(compared) ? compared.left : []) {
      session.host.tell(renderDiagnostics([{ ...problem, severity: 'warning' }]));
    }
  }
  // The import may read a node as several calls, such as a Gemm as two.
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

export interface Work {
  /** A line for each of the user's own rules that was not used. */
  readonly unused: ReadonlyArray<string>;
  /** The original model, if it is compared with the result. */
  readonly model: IRModule | undefined;
  readonly isSampled: boolean;
  readonly done: Optimized;
  readonly before: Figures;
  readonly file: WorkFigures | undefined;
  readonly ports: Ports;
}

/** The optimized model, with the original only if they are compared: weights may be gigabytes. */
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
  // A comparison after each pass finds the pass that changes values.
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
  // Only passes of the settings may change the types of inputs and outputs.
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
