/** `baton optimize`: a model in, a smaller and faster one out. */
import { type Diagnostics, isLeft, type Left, type Result, right, table } from '@baton/base';
import { type Ports, portsOf } from '@baton/onnx';
import { si } from '@baton/report';
import { type Figures, figuresOf, renderDiagnostics } from 'batonjs';
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
import type { NewFile } from '../host.ts';
import { type ModelFiles, modelFiles, nameOf, openModel } from '../model-file.ts';
import { runtimeOption, sameInRuntime } from '../onnxruntime.ts';
import { type Optimized, optimizedBy } from '../optimized.ts';
import { PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';
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
    'keep-going': { type: 'boolean', doc: 'leave out passes that fail, and tell which' },
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: optimized,
};

async function optimized(session: Session): Promise<Result<ExitCode>> {
  const { host } = session;
  const output = session.text('output');
  if (output === undefined) return misuse('no output is named', '-o FILE.onnx');
  const opset = session.text('opset');
  if (opset !== undefined && !/^\d+$/.test(opset)) {
    return misuse(`--opset expects a number, found ${opset}`);
  }
  const start = host.now();
  const work = await improved(session);
  if (isLeft(work)) return foundOrFailed(session, work);
  const { done, before, page } = work.right;
  const made = await checkedFiles(session, output, work.right);
  if (isLeft(made)) return foundOrFailed(session, made);
  host.progress.step(`writing ${nameOf(output)}`);
  const writing = host.write([...made.right.files, ...page]);
  // The system writes while the figures are computed.
  const after = figuresOf(done.module);
  const written = await writing;
  if (isLeft(written)) return written;
  if (isLeft(after)) return after;
  tellWhat(session, output, { done, before, after: after.right, ms: host.now() - start });
  return right(done.leftOut.length === 0 ? EXIT.ok : EXIT.findings);
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
  const original = { ports, program, allowsUnread, shouldStop };
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
  readonly page: ReadonlyArray<NewFile>;
  /** The inputs and outputs that the file must have. */
  readonly ports: Ports;
}

/** The optimized model. The original is not kept: its weights may take gigabytes. */
async function improved(session: Session): Promise<Result<Work>> {
  const { host, operands } = session;
  const pipeline = await pipelineOf(session, { keepsSmaller: true });
  if (isLeft(pipeline)) return pipeline;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  const before = figuresOf(model.right);
  if (isLeft(before)) return before;
  const ports = portsOf(model.right);
  if (isLeft(ports)) return ports;
  const isReported = session.text('report') !== undefined;
  const reported = isReported ? await measured(session, model.right, {}) : right({ page: [] });
  if (isLeft(reported)) return reported;
  const choices = {
    verified: session.has('verify'),
    keepsGoing: session.has('keep-going'),
    limits: session.limits,
  };
  const done = optimizedBy(pipeline.right, model.right, host, choices);
  if (isLeft(done)) return done;
  // Passes of the settings may change the types of inputs and outputs; the others do not.
  const hasOwn = session.settings.passes.length > 0;
  const wanted = hasOwn ? portsOf(done.right.module) : ports;
  if (isLeft(wanted)) return wanted;
  const { page } = reported.right;
  return right({ done: done.right, before: before.right, page, ports: wanted.right });
}

/** Says what was done, on the terminal or as JSON. */
function tellWhat(
  { host, has }: Session,
  output: string,
  { done, before, after, ms }: Pick<Work, 'done' | 'before'> & { after: Figures; ms: number },
): void {
  host.progress.done();
  const say = output === '-' ? host.tell : host.print;
  for (const { pass, problems } of done.leftOut) {
    host.tell(`${renderDiagnostics(problems)}\nthe pass ${pass} is left out`);
  }
  if (has('json')) {
    const { passes } = done.report;
    const leftOut = done.leftOut.map(({ pass }) => pass);
    const result = { schema: SCHEMA, output, before, after, passes, leftOut, ms: Math.round(ms) };
    say(JSON.stringify(result));
  } else {
    say(figures(before, after));
    say(`${nameOf(output)} is written, after ${(ms / 1000).toFixed(1)} s`);
  }
}

const SCHEMA = 'baton.optimize/1';

/** The figures before and after as a table. */
const figures = (before: Figures, after: Figures): string =>
  table(
    ['', 'before', 'after', 'change'],
    (Object.keys(after) as (keyof Figures)[]).map((name) => [
      name,
      si(before[name]),
      si(after[name]),
      change(before[name], after[name]),
    ]),
  );

const change = (before: number, after: number): string =>
  before === after || before === 0 ? '' : `${(100 * (after / before - 1)).toFixed(1)} %`;
