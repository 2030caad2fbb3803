/** `baton optimize`: reads a model and writes a smaller and faster one. */
import { type Diagnostics, isLeft, type Left, type Result, right, table } from '@baton/base';
import { ms, si } from '@baton/report';
import { type Figures, figuresOf, renderDiagnostics } from 'batonjs';
import { type Attempt, attempted, type Sizes } from '../attempt.ts';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { inOptions, misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { WorkFigures } from '../file-figures.ts';
import type { Host, NewFile } from '../host.ts';
import { nameOf, openModel } from '../model-file.ts';
import { neverLarger } from '../never-larger.ts';
import { runtimeOption } from '../onnxruntime.ts';
import { PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';
import { measured, REPORT_OPTION } from '../report-file.ts';
import { TARGET_OPTION, wantedTarget } from '../target.ts';

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
      doc: 'the version of ONNX’s operators to write. Default: 18, or the model’s own if it is later or has 16-bit floats',
    },
    ...TARGET_OPTION,
    'external-data': { type: 'boolean', doc: 'write the weights into FILE.data next to the model' },
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
    unchecked: { type: 'boolean', doc: 'allow an ONNX file that cannot be read again' },
    'allow-growth': {
      type: 'boolean',
      doc: 'allow an ONNX file with more nodes, bytes or estimated time than the model’s',
    },
    'keep-going': { type: 'boolean', doc: 'skip passes that fail, and report them' },
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
  if (wantedTarget(session) === undefined) {
    const given = session.text('target');
    return misuse(`--target expects ${TARGET_OPTION.target.value}, found ${given}`);
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
  // The system writes the file while the figures are computed.
  const after = best.isCopy === true ? right(before) : figuresOf(done.module);
  const written = await writing;
  if (isLeft(written)) return written;
  if (isLeft(after)) return after;
  tellWhat(session, output, { done, before, after: after.right, sizes, ms: host.now() - start });
  return right(done.leftOut.length === 0 ? EXIT.ok : EXIT.findings);
}

/** A host whose standard input can be read twice, and that prints only the first time. */
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
    // The caller may change the bytes.
    return isLeft(bytes) ? bytes : right(bytes.right.slice());
  };
  return { ...host, tell, read: (path) => (path === '-' ? read() : host.read(path)) };
}

/** The outcomes of `--verify` for a page: nothing is written if models differ. */
const VERIFICATION = {
  name: 'verification',
  doc: 'The optimized model, read again from its file, compared with the original.',
  verdict: 'equivalent',
  detail: '--verify found no difference',
} as const;

/** The page of a report, if one is requested. */
async function pageOf(session: Session): Promise<Result<ReadonlyArray<NewFile>>> {
  if (session.text('report') === undefined) return right([]);
  const model = await openModel(session, session.operands[0] ?? '-');
  if (isLeft(model)) return model;
  const checks = session.has('verify') ? [VERIFICATION] : [];
  const reported = await measured(session, model.right, {}, undefined, { checks });
  return isLeft(reported) ? reported : right(reported.right.page);
}

/** A model that computes something else is a finding; other problems are failures. */
function foundOrFailed({ host }: Session, problems: Left<Diagnostics>): Result<ExitCode> {
  if (!problems.left.some(({ code }) => code === 'EQUIV_DIFFERENT')) return problems;
  host.tell(renderDiagnostics(problems.left.map(inOptions)));
  return right(EXIT.findings);
}

/** Reports what was done, as text or as JSON. */
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

const figuresIn = ({ nodes, bytes, seconds }: WorkFigures) => ({ nodes, bytes, seconds });

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
            ...timeRow(sizes),
          ]),
    ],
  );

function timeRow({ before, after }: Sizes): ReadonlyArray<ReadonlyArray<string>> {
  const [a, b] = [before.seconds, after.seconds];
  if (a === undefined || b === undefined) return [];
  return [['estimated time', timeText(a), timeText(b), change(a, b)]];
}

const timeText = (seconds: number): string => `${ms(1000 * seconds)} ms`;

const row = (name: string, before: number, after: number): ReadonlyArray<string> => [
  name,
  si(before),
  si(after),
  change(before, after),
];

const change = (before: number, after: number): string =>
  before === after || before === 0 ? '' : `${(100 * (after / before - 1)).toFixed(1)} %`;
