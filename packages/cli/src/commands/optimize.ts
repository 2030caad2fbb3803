/** `baton optimize`: a model in, a smaller and faster one out. */
import { type Diagnostics, isLeft, type Left, type Result, right, table } from '@baton/base';
import { type Ports, portsOf } from '@baton/onnx';
import { si } from '@baton/report';
import { type Figures, figuresOf, type IRModule, type Pass, renderDiagnostics } from 'batonjs';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { inOptions, misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { checkFile } from '../file-check.ts';
import { type FileFigures, fileFigures, isLarger } from '../file-figures.ts';
import type { Host, NewFile } from '../host.ts';
import {
  constantRoom,
  isOnnx,
  type ModelFiles,
  modelFiles,
  nameOf,
  openModel,
  type WriteOptions,
} from '../model-file.ts';
import { runtimeOption, sameInRuntime } from '../onnxruntime.ts';
import { type Optimized, optimizedBy } from '../optimized.ts';
import { readDims } from '../pairs.ts';
import { gentlerPipelines, ownRules, PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';
import { measured, REPORT_OPTION } from '../report-file.ts';
import { isSampled, type Sampled, sampledCheck } from '../sampled-check.ts';
import { watchRules } from '../unused-rules.ts';

export const optimize: Command = {
  name: 'optimize',
  doc: 'makes a model smaller and faster, and writes it',
  operands: ['MODEL'],
  options: {
    ...outputOption('where the model goes: .onnx, .relay or .json; - prints it as ONNX'),
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
    opset: {
      type: 'string',
      value: 'N',
      doc: 'the version of ONNX’s operators to write. Default: 18, or the model’s own if it is later',
    },
    'external-data': { type: 'boolean', doc: 'write the weights into FILE.data beside the model' },
    ...REPORT_OPTION,
    verify: {
      type: 'boolean',
      doc: 'run both models, and write nothing if they differ; large models run as compiled code on a few inputs',
    },
    thorough: {
      type: 'boolean',
      doc: 'with --verify: run models of any size on inputs of all kinds, however long it takes',
    },
    'verify-with': runtimeOption(
      'run both ONNX files in onnxruntime too, if `onnxruntime-node` is installed',
    ),
    unchecked: { type: 'boolean', doc: 'write an ONNX file that cannot be read again, too' },
    'allow-growth': {
      type: 'boolean',
      doc: 'write an ONNX file of more nodes or bytes than the model’s, too',
    },
    'keep-going': { type: 'boolean', doc: 'leave out passes that fail, and tell which' },
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: optimized,
};

async function optimized(given: Session): Promise<Result<ExitCode>> {
  const session = { ...given, host: readingTwice(given.host) };
  const { host } = session;
  const output = session.text('output');
  if (output === undefined) return misuse('no output is named', '-o FILE.onnx');
  const opset = session.text('opset');
  if (opset !== undefined && !/^\d+$/.test(opset)) {
    return misuse(`--opset expects a number, found ${opset}`);
  }
  const start = host.now();
  const keepsSmaller = !session.has('allow-growth');
  const pipeline = await pipelineOf(session, { keepsSmaller });
  if (isLeft(pipeline)) return pipeline;
  const page = await pageOf(session);
  if (isLeft(page)) return page;
  const asked = await attempted(session, output, pipeline.right);
  if (isLeft(asked)) return foundOrFailed(session, asked);
  for (const line of asked.right.unused) host.tell(line);
  const best = await neverLarger(session, output, asked.right);
  const { done, before, files, sizes } = best;
  host.progress.step(`writing ${nameOf(output)}`);
  const writing = host.write([...files, ...page.right]);
  // The system writes while the figures are computed.
  const after = best.isCopy === true ? right(before) : figuresOf(done.module);
  const written = await writing;
  if (isLeft(written)) return written;
  if (isLeft(after)) return after;
  tellWhat(session, output, { done, before, after: after.right, sizes, ms: host.now() - start });
  return right(done.leftOut.length === 0 ? EXIT.ok : EXIT.findings);
}

/** The host, of which standard input can be read again, and which then is told nothing again. */
function readingTwice(host: Host): Host {
  const told = new Set<string>();
  const tell = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    host.tell(text);
  };
  let input: Promise<Result<Uint8Array>> | undefined;
  const read = async (): Promise<Result<Uint8Array>> => {
    input ??= host.read('-');
    const bytes = await input;
    // The bytes are the reader's to change.
    return isLeft(bytes) ? bytes : right(bytes.right.slice());
  };
  return { ...host, tell, read: (path) => (path === '-' ? read() : host.read(path)) };
}

/** What `--verify` has found where a page is written: nothing is written if models differ. */
const VERIFICATION = {
  name: 'verification',
  doc: 'The optimized model, read again from its file, against the model as it came.',
  verdict: 'equivalent',
  detail: '--verify found no difference',
} as const;

/** The page of a report, if one is asked for. */
async function pageOf(session: Session): Promise<Result<ReadonlyArray<NewFile>>> {
  if (session.text('report') === undefined) return right([]);
  const model = await openModel(session, session.operands[0] ?? '-');
  if (isLeft(model)) return model;
  const checks = session.has('verify') ? [VERIFICATION] : [];
  const reported = await measured(session, model.right, {}, undefined, { checks });
  return isLeft(reported) ? reported : right(reported.right.page);
}

/** A pipeline's result, and the files of it. */
interface Attempt extends Work, ModelFiles {
  /** The figures of the model's file and of the new one, if both are ONNX files. */
  readonly sizes: Sizes | undefined;
  /** Whether the file is the model's own. */
  readonly isCopy?: boolean;
}

interface Sizes {
  readonly before: FileFigures;
  readonly after: FileFigures;
}

async function attempted(
  session: Session,
  output: string,
  pipeline: Pass,
): Promise<Result<Attempt>> {
  const work = await improved(session, pipeline);
  return isLeft(work) ? work : written(session, output, work.right, 'full');
}

/** The files of a result, with full or with short names. */
async function written(
  session: Session,
  output: string,
  work: Work,
  names: WriteOptions['names'],
): Promise<Result<Attempt>> {
  const made = await checkedFiles(session, output, work, names);
  if (isLeft(made)) return made;
  const { onnx } = made.right;
  const before = work.file;
  const after = onnx && before && fileFigures(onnx.bytes());
  const sizes = before && after && { before, after };
  return right({ ...work, ...made.right, sizes });
}

/** The same result with short names, if its file then is no larger than the model's. */
async function inShort(
  session: Session,
  output: string,
  attempt: Attempt,
): Promise<Attempt | undefined> {
  const { sizes } = attempt;
  if (sizes === undefined || sizes.after.nodes > sizes.before.nodes) return undefined;
  const short = await written(session, output, attempt, 'short');
  return isLeft(short) || isTooLarge(short.right) ? undefined : short.right;
}

const isTooLarge = ({ sizes }: Attempt): boolean =>
  sizes !== undefined && isLarger(sizes.after, sizes.before);

/**
 * A result whose file takes no more nodes and no more bytes than the model's: what was asked for, or
 * less, or at last the model as it came. What was asked for stays where none is so, and for those who
 * want it.
 */
async function neverLarger(session: Session, output: string, asked: Attempt): Promise<Attempt> {
  const { host, operands } = session;
  const path = operands[0] ?? '-';
  if (!isTooLarge(asked) || session.has('allow-growth')) return asked;
  const short = await inShort(session, output, asked);
  if (short !== undefined) {
    tellGrowth(host, 'nodes and values have short names', asked);
    return short;
  }
  for (const { level, pipeline } of gentlerPipelines(session)) {
    const less = await attempted(session, output, pipeline);
    if (isLeft(less)) continue;
    const fitting = isTooLarge(less.right)
      ? await inShort(session, output, less.right)
      : less.right;
    if (fitting === undefined) continue;
    tellGrowth(host, `only level ${level} was applied, without rules`, asked);
    return fitting;
  }
  const copy = isLike(session, asked) ? await host.read(path) : undefined;
  if (copy === undefined || isLeft(copy)) {
    tellGrowth(host, 'the file has grown', asked);
    return asked;
  }
  tellGrowth(host, 'the model stays as it came', asked);
  const sizes = asked.sizes && { before: asked.sizes.before, after: asked.sizes.before };
  const files = [{ path: output, pieces: [copy.right] }];
  return { ...asked, files, sizes, isCopy: true };
}

/** Whether the model's own file is one that was asked for. */
const isLike = ({ texts, text, has, settings }: Session, { sizes }: Attempt): boolean =>
  sizes?.before.hasExternal === false &&
  texts('dim').length === 0 &&
  text('opset') === undefined &&
  !has('external-data') &&
  settings.passes.length === 0;

/** What a file says of itself beside its graph. */
const HEADER_BYTES = 64;

function tellGrowth(host: Host, what: string, { sizes }: Attempt): void {
  if (sizes === undefined) return;
  const { before, after } = sizes;
  // Nothing was gained, and the header alone is longer.
  if (after.nodes === before.nodes && after.bytes < before.bytes + HEADER_BYTES) return;
  const grown = `${after.nodes} nodes of ${before.nodes}, ${after.bytes} bytes of ${before.bytes}`;
  host.tell(`${what}: all that was asked for makes ${grown}; --allow-growth writes it`);
}

/** A model that computes something else is a finding; other problems are failures. */
function foundOrFailed({ host }: Session, problems: Left<Diagnostics>): Result<ExitCode> {
  if (!problems.left.some(({ code }) => code === 'EQUIV_DIFFERENT')) return problems;
  host.tell(renderDiagnostics(problems.left.map(inOptions)));
  return right(EXIT.findings);
}

/** The files of the optimized model; an ONNX file was read again, and run if it is verified. */
async function checkedFiles(
  session: Session,
  output: string,
  { done, ports, sampled }: Work,
  names: WriteOptions['names'],
): Promise<Result<ModelFiles>> {
  const opset = session.text('opset');
  const made = modelFiles(done.module, output, {
    opset: opset === undefined ? undefined : Number(opset),
    external: session.has('external-data'),
    limits: session.limits,
    names,
  });
  if (isLeft(made)) return made;
  const { onnx: written } = made.right;
  if (sampled !== undefined) {
    const compared = await sampledWith(session, sampled, { output, result: done.module, written });
    if (isLeft(compared)) return compared;
  }
  if (written === undefined) return made;
  const program = session.has('verify') && sampled === undefined ? done.module : undefined;
  const allowsUnread = session.has('unchecked');
  const { shouldStop } = session.limits;
  const room = constantRoom(session);
  if (isLeft(room)) return room;
  const maxConstantBytes = room.right;
  const original = { ports, program, allowsUnread, shouldStop, maxConstantBytes };
  const checked = checkFile(session.host, written, output, original);
  if (isLeft(checked)) return checked;
  const runtime = session.text('verify-with');
  if (runtime === undefined) return made;
  const [path = '-'] = session.operands;
  const same = await sameInRuntime(session.host, runtime, done.module, [
    { name: nameOf(path), source: path },
    { name: nameOf(output), source: made.right.files },
  ]);
  return isLeft(same) ? same : made;
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
  const original = isOnnx(file.right) ? { bytes, weights: host.beside(path) } : undefined;
  return sampledCheck(host, { path, model, original, ...result, dims: dims.right, limits });
}

interface Work {
  /** Lines about the user's own rules that were not used. */
  readonly unused: ReadonlyArray<string>;
  /** The model as it came, if it is compared on a few inputs. */
  readonly sampled: IRModule | undefined;
  readonly done: Optimized;
  /** The figures of the model as it came. */
  readonly before: Figures;
  /** Those of its file, if it is an ONNX file. */
  readonly file: FileFigures | undefined;
  /** The inputs and outputs that the file must have. */
  readonly ports: Ports;
}

/** The optimized model. The original is not kept: its weights may take gigabytes. */
async function improved(session: Session, pipeline: Pass): Promise<Result<Work>> {
  const { host, operands } = session;
  let file: FileFigures | undefined;
  const model = await openModel(session, operands[0] ?? '-', (bytes) => {
    file = fileFigures(bytes);
  });
  if (isLeft(model)) return model;
  const before = figuresOf(model.right);
  if (isLeft(before)) return before;
  const ports = portsOf(model.right);
  if (isLeft(ports)) return ports;
  const isLarge = session.has('verify') && !session.has('thorough') && isSampled(model.right);
  // A pass that changes values is named by a comparison after each pass.
  const sampled = isLarge && !session.has('keep-going') ? model.right : undefined;
  const rules = watchRules(await ownRules(session));
  const choices = {
    instruments: [rules.instrument],
    verified: session.has('verify') && sampled === undefined,
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
    file,
    ports: wanted.right,
    sampled,
    unused,
  });
}

/** Says what was done, on the terminal or as JSON. */
function tellWhat(
  { host, has }: Session,
  output: string,
  {
    done,
    before,
    after,
    sizes,
    ms,
  }: Pick<Attempt, 'done' | 'before' | 'sizes'> & { after: Figures; ms: number },
): void {
  host.progress.done();
  const say = output === '-' ? host.tell : host.print;
  for (const { pass, problems } of done.leftOut) {
    host.tell(`${renderDiagnostics(problems.map(inOptions))}\nthe pass ${pass} is left out`);
  }
  if (has('json')) {
    const { passes } = done.report;
    const leftOut = done.leftOut.map(({ pass }) => pass);
    const file = sizes && { before: figuresIn(sizes.before), after: figuresIn(sizes.after) };
    const result = { schema: SCHEMA, output, before, after, file, passes, leftOut };
    say(JSON.stringify({ ...result, ms: Math.round(ms) }));
  } else {
    say(figures(before, after, sizes));
    say(`${nameOf(output)} is written, after ${(ms / 1000).toFixed(1)} s`);
  }
}

const SCHEMA = 'baton.optimize/1';

const figuresIn = ({ nodes, bytes }: FileFigures) => ({ nodes, bytes });

/** The figures of the programs and of their files, before and after, as a table. */
const figures = (before: Figures, after: Figures, sizes: Sizes | undefined): string =>
  table(
    ['', 'before', 'after', 'change'],
    [
      ...(Object.keys(after) as (keyof Figures)[]).map((name) =>
        row(name, before[name], after[name]),
      ),
      ...(sizes === undefined
        ? []
        : [
            row('nodes of the file', sizes.before.nodes, sizes.after.nodes),
            row('bytes of the file', sizes.before.bytes, sizes.after.bytes),
          ]),
    ],
  );

const row = (name: string, before: number, after: number): ReadonlyArray<string> => [
  name,
  si(before),
  si(after),
  change(before, after),
];

const change = (before: number, after: number): string =>
  before === after || before === 0 ? '' : `${(100 * (after / before - 1)).toFixed(1)} %`;
