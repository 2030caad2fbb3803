/** `baton optimize`: a model in, a smaller and faster one out. */
import { type Diagnostics, isLeft, type Left, type Result, right, table } from '@baton/base';
import { type Ports, portsOf } from '@baton/onnx';
import { si } from '@baton/report';
import { type Figures, figuresOf, type Pass, renderDiagnostics } from 'batonjs';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { checkFile } from '../file-check.ts';
import { type FileFigures, fileFigures, isLarger } from '../file-figures.ts';
import type { Host, NewFile } from '../host.ts';
import { constantRoom, type ModelFiles, modelFiles, nameOf, openModel } from '../model-file.ts';
import { runtimeOption, sameInRuntime } from '../onnxruntime.ts';
import { type Optimized, optimizedBy } from '../optimized.ts';
import { gentlerPipelines, PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';
import { measured, REPORT_OPTION } from '../report-file.ts';

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
    verify: { type: 'boolean', doc: 'run both models, and write nothing if they differ' },
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

/** The page of a report, if one is asked for. */
async function pageOf(session: Session): Promise<Result<ReadonlyArray<NewFile>>> {
  if (session.text('report') === undefined) return right([]);
  const model = await openModel(session, session.operands[0] ?? '-');
  if (isLeft(model)) return model;
  const reported = await measured(session, model.right, {});
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
  if (isLeft(work)) return work;
  const made = await checkedFiles(session, output, work.right);
  if (isLeft(made)) return made;
  const { onnx } = made.right;
  const before = work.right.file;
  const after = onnx && before && fileFigures(onnx.bytes());
  const sizes = before && after && { before, after };
  return right({ ...work.right, ...made.right, sizes });
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
  for (const { level, pipeline } of gentlerPipelines(session)) {
    const less = await attempted(session, output, pipeline);
    if (isLeft(less) || isTooLarge(less.right)) continue;
    tellGrowth(host, `only level ${level} was applied, without rules`, asked);
    return less.right;
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
  host.tell(renderDiagnostics(problems.left));
  return right(EXIT.findings);
}

/** The files of the optimized model; an ONNX file was read again, and run if it is verified. */
async function checkedFiles(
  session: Session,
  output: string,
  { done, ports }: Work,
): Promise<Result<ModelFiles>> {
  const opset = session.text('opset');
  const made = modelFiles(done.module, output, {
    opset: opset === undefined ? undefined : Number(opset),
    external: session.has('external-data'),
    limits: session.limits,
  });
  if (isLeft(made) || made.right.onnx === undefined) return made;
  const program = session.has('verify') ? done.module : undefined;
  const allowsUnread = session.has('unchecked');
  const { shouldStop } = session.limits;
  const room = constantRoom(session);
  if (isLeft(room)) return room;
  const maxConstantBytes = room.right;
  const original = { ports, program, allowsUnread, shouldStop, maxConstantBytes };
  const checked = checkFile(session.host, made.right.onnx, output, original);
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

interface Work {
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
  const choices = {
    verified: session.has('verify'),
    keepsGoing: session.has('keep-going'),
    limits: session.limits,
  };
  const done = optimizedBy(pipeline, model.right, host, choices);
  if (isLeft(done)) return done;
  // Passes of the settings may change the types of inputs and outputs; the others do not.
  const hasOwn = session.settings.passes.length > 0;
  const wanted = hasOwn ? portsOf(done.right.module) : ports;
  if (isLeft(wanted)) return wanted;
  return right({ done: done.right, before: before.right, file, ports: wanted.right });
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
    host.tell(`${renderDiagnostics(problems)}\nthe pass ${pass} is left out`);
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
