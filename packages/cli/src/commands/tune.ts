/** `baton tune`: measures the calls of a model, and writes their times. */
import { fail, isLeft, type Result, right, stoppedByHost, table } from '@baton/base';
import { isOpCall, type OpCall, staticTensor } from '@baton/ops';
import { ms } from '@baton/report';
import {
  type IRModule,
  ir,
  type KernelTime,
  kernelsOf,
  kernelTimes,
  postOrderExprs,
  rewrites,
  typeOf,
  wasm,
} from 'batonjs';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { nameOf, openModel } from '../model-file.ts';
import { optimizedBy } from '../optimized.ts';
import { costsOf, PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';

export const tune: Command = {
  name: 'tune',
  doc: 'measures the calls of an optimized model as compiled code, and writes their times',
  operands: ['MODEL'],
  options: {
    ...outputOption('where the times go, as JSON for --costs; - prints them'),
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: tuned,
};

async function tuned(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, limits } = session;
  const output = session.text('output');
  if (output === undefined) return misuse('no output is named', '-o costs.json');
  const costs = await costsOf(session);
  if (isLeft(costs)) return costs;
  const pipeline = await pipelineOf(session);
  if (isLeft(pipeline)) return pipeline;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  const choices = { verified: false, keepsGoing: false, limits };
  const optimized = optimizedBy(pipeline.right, model.right, host, choices);
  if (isLeft(optimized)) return optimized;
  const { module } = optimized.right;
  host.progress.step('measuring calls');
  const known = costs.right.times ?? {};
  const times = rewrites.timeCalls(module, {
    now: host.now,
    known,
    executor: { prepare: (m) => wasm.prepare(m, limits) },
    alternatives: kernelsOf,
  });
  if (limits.shouldStop?.() === true) return fail(stoppedByHost('measuring calls'));
  host.progress.step(`writing ${nameOf(output)}`);
  const text = `${JSON.stringify(times, null, 1)}\n`;
  const written = await host.write([{ path: output, pieces: [text] }]);
  if (isLeft(written)) return written;
  tell(session, output, {
    measured: Object.keys(times).length - Object.keys(known).length,
    open: callsIn(module).filter((call) => !isSized(module, call)).length,
    choices: choicesIn(module, times),
  });
  return right(EXIT.ok);
}

const callsIn = (m: IRModule): ReadonlyArray<OpCall> =>
  postOrderExprs([...m.functions.values()]).filter(isOpCall);

/** Whether the sizes of a call's result are known before a run. */
function isSized(m: IRModule, call: OpCall): boolean {
  const type = typeOf(m, call);
  const parts = type?._tag === 'TupleType' ? type.fields : type ? [type] : [];
  return parts.every((part) => staticTensor(part) !== undefined);
}

/** A call that several algorithms compute, with the algorithm that the pipeline gave it. */
interface Choice {
  readonly call: string;
  readonly given: KernelTime;
  readonly fastest: KernelTime;
}

/** The choices, one for calls with the same attributes and types. */
function choicesIn(m: IRModule, times: rewrites.CallTimes): ReadonlyArray<Choice> {
  const choices = new Map<string, Choice>();
  for (const call of callsIn(m)) {
    const type = typeOf(m, call);
    const found = kernelTimes(call, m, times);
    const given = found.find(({ algorithm }) => algorithm === (call.attrs.algorithm || 'direct'));
    const [fastest, ...slower] = found;
    if (type === undefined || given === undefined || fastest === undefined) continue;
    if (slower.length === 0) continue;
    const text = `${call.op.name}: ${ir.describeType(type)}`;
    choices.set(rewrites.callKey(call, type, m), { call: text, given, fastest });
  }
  return [...choices.values()];
}

interface Tuned {
  readonly measured: number;
  /** The number of calls whose sizes only the run knows. */
  readonly open: number;
  readonly choices: ReadonlyArray<Choice>;
}

function tell({ host, has }: Session, output: string, tuned: Tuned): void {
  const { measured, open, choices } = tuned;
  host.progress.done();
  const say = output === '-' ? host.tell : host.print;
  if (has('json')) {
    say(JSON.stringify({ schema: SCHEMA, output, ...tuned }));
    return;
  }
  const other = choices.filter(({ given, fastest }) => given.algorithm !== fastest.algorithm);
  if (other.length > 0) {
    const rows = other.map(({ call, given, fastest }) => [call, timed(given), timed(fastest)]);
    say(table(['call', 'chosen', 'fastest'], rows));
  }
  say(
    `${measured} calls are measured; ${other.length} of ${choices.length} have a faster algorithm`,
  );
  if (open > 0) say(`${open} calls have sizes that only the run knows: state them with --dim`);
  say(`${nameOf(output)} is written: give it to --costs`);
}

const timed = ({ algorithm, microseconds }: KernelTime): string =>
  `${algorithm}, ${ms(microseconds / 1000)} ms`;

const SCHEMA = 'baton.tune/1';
