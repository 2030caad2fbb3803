/** `baton reduce`: finds the smallest program on which passes still fail or change results. */
import { dirname, relative } from 'node:path';
import { fail, isLeft, type Result, renderDiagnostics, right, stoppedByHost } from '@baton/base';
import { check, type IRModule, type Pass, printModule } from 'batonjs';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { inOptions, misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { NewFile } from '../host.ts';
import { openModel } from '../model-file.ts';
import { inOrder, type OwnPass, passesIn } from '../own-passes.ts';
import { PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';

export const reduce: Command = {
  name: 'reduce',
  doc: 'shrinks a model on which passes fail or change results, to a small program that shows it',
  operands: ['MODEL'],
  options: {
    pass: {
      type: 'string',
      multiple: true,
      value: 'FILE.mjs',
      doc: 'a module that exports passes, which run instead of a level and rules',
    },
    ...outputOption('the file for the program, as Relay text. Default: standard output'),
    test: {
      type: 'string',
      value: 'FILE.mjs',
      doc: 'the file for a test of the passes on the program, for `node --test`',
    },
    attempts: {
      type: 'string',
      value: 'N',
      doc: 'the most programs that are tried. Default: 5000',
    },
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: reduced,
};

const SCHEMA = 'baton.reduce/1';

async function reduced(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, limits, text } = session;
  const attempts = text('attempts');
  if (attempts !== undefined && !/^[1-9]\d*$/.test(attempts)) {
    return misuse(`--attempts expects a number, found ${attempts}`);
  }
  const chosen = await passesOf(session);
  if (isLeft(chosen)) return chosen;
  const { own, pipeline } = chosen.right;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  host.progress.step(`running ${pipeline.name}`);
  const { shouldStop } = limits;
  const fault = check.faultOf(pipeline, model.right, { shouldStop });
  if (fault === undefined) {
    if (shouldStop?.() === true) return fail(stoppedByHost('the search for a fault'));
    host.progress.done();
    const result = { schema: SCHEMA, pass: pipeline.name, fault: null };
    const sentence = `${pipeline.name} changes nothing that the model computes`;
    host.print(session.has('json') ? JSON.stringify(result) : sentence);
    return right(EXIT.ok);
  }
  let tried = 0;
  const stillFails = (m: IRModule): boolean => {
    if (shouldStop?.() === true) return false;
    host.progress.step(`shrinking the program (${++tried} tried)`);
    return check.faultOf(pipeline, m, { shouldStop })?.kind === fault.kind;
  };
  const options = attempts === undefined ? {} : { maxAttempts: Number(attempts) };
  const found = check.reduce(model.right, stillFails, options);
  host.progress.done();
  if (isLeft(found)) return found;
  return await told(session, { own, pipeline, fault, reduction: found.right });
}

async function passesOf(
  session: Session,
): Promise<Result<{ readonly own: ReadonlyArray<OwnPass>; readonly pipeline: Pass }>> {
  const paths = session.texts('pass');
  if (paths.length > 0) {
    const own = await passesIn(session.host, paths);
    return isLeft(own) ? own : right({ own: own.right, pipeline: inOrder(own.right) });
  }
  if (session.text('test') !== undefined) {
    return misuse('--test needs --pass FILE.mjs', 'the test imports the passes of these modules');
  }
  const pipeline = await pipelineOf(session);
  return isLeft(pipeline) ? pipeline : right({ own: [], pipeline: pipeline.right });
}

interface Found {
  readonly own: ReadonlyArray<OwnPass>;
  readonly pipeline: Pass;
  readonly fault: check.Fault;
  readonly reduction: check.Reduction;
}

async function told(session: Session, found: Found): Promise<Result<ExitCode>> {
  const { host, text, has } = session;
  const { own, pipeline, fault, reduction } = found;
  const { calls, attempts, stop } = reduction;
  const program = printModule(reduction.module, { showTypes: false });
  const [output, testPath] = [text('output'), text('test')];
  const test = own.length === 0 ? undefined : testOf(found, program, testPath ?? '');
  const files: NewFile[] = [];
  if (output !== undefined) files.push({ path: output, pieces: [program] });
  if (testPath !== undefined && test !== undefined) files.push({ path: testPath, pieces: [test] });
  if (files.length > 0) {
    const written = await host.write(files);
    if (isLeft(written)) return written;
  }
  if (has('json')) {
    const result = { schema: SCHEMA, pass: pipeline.name, fault: fault.sentence };
    host.print(JSON.stringify({ ...result, calls, attempts, stop, program, test: test ?? null }));
  } else {
    if (output === undefined) host.print(program.trimEnd());
    if (testPath === undefined && test !== undefined) host.print(`\n${test.trimEnd()}`);
  }
  const left = `${calls} operator call${calls === 1 ? ' is' : 's are'} left`;
  const end = stop === 'minimal' ? 'no step makes it smaller' : 'the attempts ran out';
  host.tell(`${fault.sentence}: ${left} after ${attempts} programs, and ${end}`);
  if (fault.problems.length > 0) host.tell(renderDiagnostics(fault.problems.map(inOptions)));
  return right(EXIT.findings);
}

function testOf({ own, pipeline, fault }: Found, program: string, path: string): string {
  const paths = [...new Set(own.map((one) => one.path))];
  const imports = paths.map((from) => {
    const names = own.flatMap((one, i) =>
      one.path === from ? [`${one.exported} as pass${i + 1}`] : [],
    );
    const way = relative(dirname(path), from).replaceAll('\\', '/');
    return `import { ${names.join(', ')} } from '${way.startsWith('.') ? way : `./${way}`}';`;
  });
  const list = own.map((_, i) => `pass${i + 1}`).join(', ');
  const escaped = program.trimEnd().replace(/[\\`]|\$\{/g, '\\$&');
  return `// Made by \`baton reduce\`: ${fault.sentence}.
import assert from 'node:assert/strict';
import test from 'node:test';
import { check, orThrow, parseModule, sequential } from 'batonjs';
${imports.join('\n')}

const PROGRAM = \`${escaped}
\`;

test(${JSON.stringify(`${pipeline.name} keeps what the program computes`)}, () => {
  const found = check.bisect(sequential([${list}]), orThrow(parseModule(PROGRAM)));
  assert.equal(found.left?.[0].code, 'EQUIV_NO_FAULT');
});
`;
}
