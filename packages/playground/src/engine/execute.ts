/** Runs programs, and times each kernel. */

import { isLeft, type Limits, type Result, right, type Span, spanLeaves } from '@baton/base';
import { cut, placeTexts } from '@baton/drawing';
import {
  type Executable,
  type Executor,
  interpreter,
  printValue,
  type Value,
} from '@baton/executor';
import { type Expr, type IRModule, irModule } from '@baton/ir';
import { type Kernel, kernelColumn } from '@baton/ops';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { timedKernels } from '@baton/wasm/checked';
import type {
  Execution,
  GivenInput,
  KernelRow,
  MemoryPicture,
  Picture,
  ShownValue,
} from '../protocol.ts';
import { inputsOf } from './inputs.ts';
import { drawn } from './programs.ts';

export interface RunChoices {
  readonly executor: 'reference' | 'wasm';
  readonly inputs: Readonly<Record<string, GivenInput>>;
  readonly limits: Limits;
  readonly now: () => number;
}

/** The most runs, and the time for them. **Units** milliseconds. */
const MOST_RUNS = 25;
const TIME_FOR_RUNS = 1_500;

const MAX_CHARACTERS = 4_000;

/** Runs a program several times to time it, and once more with clocks around its kernels. */
export function execute(m: IRModule, choices: RunChoices): Result<Execution> {
  const { limits, now } = choices;
  const inputs = inputsOf(m, choices.inputs);
  if (isLeft(inputs)) return inputs;
  const executor: Executor =
    choices.executor === 'wasm' ? makeWasm({ leastElements: 0 }) : interpreter;
  const started = now();
  const prepared = executor.prepare(m);
  if (isLeft(prepared)) return prepared;
  const prepareMs = now() - started;
  const once: RunOnce = (executable) => executable.run(inputs.right, limits);
  const first = once(prepared.right);
  if (isLeft(first)) return first;
  const times = timesOf(prepared.right, once, now);
  if (isLeft(times)) return times;
  prepared.right.dispose();
  const profile = choices.executor === 'wasm' ? compiledTimes : referenceTimes;
  const sorted = times.right.toSorted((a, b) => a - b);
  const ms = sorted[sorted.length >> 1] ?? 0;
  const runs = Math.min(
    MOST_PROFILED,
    Math.max(LEAST_PROFILED, Math.round(TIME_FOR_PROFILE / Math.max(ms, 0.01))),
  );
  const kernels = profile(m, { now, runs, once });
  if (isLeft(kernels)) return kernels;
  const { picture, nodes } = drawn(m);
  return right({
    outputs: shownValues(m, first.right),
    ms,
    low: sorted[0] ?? 0,
    high: sorted.at(-1) ?? 0,
    runs: sorted.length,
    prepareMs,
    kernels: placed(kernels.right, nodes, picture),
    memory: choices.executor === 'wasm' ? memoryOf(m) : undefined,
    picture,
  });
}

const MOST_BLOCKS = 5_000;

/** The memory plan of compiled code; `undefined` if parts of the program are not compiled. */
function memoryOf(m: IRModule): MemoryPicture | undefined {
  const facts = compiledFacts(m);
  if (facts === undefined) return undefined;
  const { arenaBytes, lowerBoundBytes, kernels, blocks } = facts;
  return {
    bytes: arenaBytes,
    leastBytes: lowerBoundBytes,
    kernels: kernels.map(({ name }) => cut(name)),
    blocks: blocks
      .filter(({ bytes, from, to }) => bytes > 0 && from <= to)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, MOST_BLOCKS)
      .map(({ offset, bytes, from, to }) => ({ offset, bytes, from, to })),
  };
}

/** The time of a run. Page clocks have steps of up to 0.1 ms, so short runs are timed together. */
function timesOf(
  executable: Executable,
  once: RunOnce,
  now: () => number,
): Result<ReadonlyArray<number>> {
  const times: number[] = [];
  let together = 1;
  for (let spent = 0; times.length < MOST_RUNS && spent < TIME_FOR_RUNS; ) {
    const start = now();
    for (let i = 0; i < together; i++) {
      const ran = once(executable);
      if (isLeft(ran)) return ran;
    }
    const ms = now() - start;
    spent += ms;
    if (ms < LEAST_SAMPLE && together < MOST_TOGETHER) together *= 4;
    else times.push(ms / together);
  }
  return right(times);
}

/** The least time of a sample, and its most runs. **Units** milliseconds. */
const LEAST_SAMPLE = 5;
const MOST_TOGETHER = 4_096;

interface Timed {
  readonly name: string;
  readonly span: Span | undefined;
  readonly ms: number;
}

type RunOnce = (executable: Executable) => Result<Value>;

interface Profile {
  readonly now: () => number;
  readonly runs: number;
  readonly once: RunOnce;
}

/** The number of runs with clocks around kernels, and the time for them. **Units** milliseconds. */
const LEAST_PROFILED = 3;
const MOST_PROFILED = 500;
const TIME_FOR_PROFILE = 200;

/** The kernels of compiled code. The first run is a warm-up. */
function compiledTimes(m: IRModule, { now, runs, once }: Profile): Result<Timed[]> {
  const { checks, kernels } = timedKernels(now);
  const prepared = makeWasm({ checks, leastElements: 0 }).prepare(m);
  if (isLeft(prepared)) return prepared;
  for (let i = 0; i < runs; i++) {
    const ran = once(prepared.right);
    if (isLeft(ran)) return ran;
  }
  prepared.right.dispose();
  return right(
    kernels().map(({ name, span, ms, runs: count, shape }) => ({
      name: `${name} ${shape.join('×')}`,
      span,
      ms: count === 0 ? 0 : ms / count,
    })),
  );
}

/** The kernels of the reference executor, by operator. */
function referenceTimes(m: IRModule, { now, runs, once }: Profile): Result<Timed[]> {
  const times = new Map<string, number>();
  const kernels = new Map<string, Kernel>();
  for (const op of m.ops.names) {
    const kernel = m.ops.read(kernelColumn, op);
    if (kernel === undefined) continue;
    kernels.set(op, (args, attrs, result) => {
      const start = now();
      const value = kernel(args, attrs, result);
      times.set(op, (times.get(op) ?? 0) + now() - start);
      return value;
    });
  }
  const watched = irModule({ ...m, ops: m.ops.withColumn(kernelColumn, kernels) });
  const prepared = interpreter.prepare(watched);
  if (isLeft(prepared)) return prepared;
  for (let i = 0; i < runs; i++) {
    const ran = once(prepared.right);
    if (isLeft(ran)) return ran;
  }
  return right([...times].map(([name, ms]) => ({ name, span: undefined, ms: ms / runs })));
}

/** The kernels, each with the rows of the drawing that share its origin, or its operator. */
function placed(
  kernels: ReadonlyArray<Timed>,
  cards: ReadonlyArray<ReadonlyArray<Expr>>,
  { drawing }: Picture,
): ReadonlyArray<KernelRow> {
  const byPlace = new Map<string, (readonly [number, number])[]>();
  const note = (key: string, at: readonly [number, number]): void => {
    byPlace.set(key, [...(byPlace.get(key) ?? []), at]);
  };
  cards.forEach((rows, card) => {
    rows.forEach((node, row) => {
      const isCall = drawing.cards[card]?.rows[row]?.call === true;
      if (!isCall || node._tag !== 'Call' || node.op._tag !== 'Op') return;
      note(node.op.name, [card, row]);
      for (const place of placeTexts(node.span)) note(`${node.op.name} ${place}`, [card, row]);
    });
  });
  return kernels.map(({ name, span, ms }) => {
    const [operator = ''] = name.split(' ');
    const places = placeTexts(span);
    const rows = places.flatMap((place) => byPlace.get(`${operator} ${place}`) ?? []);
    const isAlone = spanLeaves(span).length === 0 && !name.includes(' ');
    return {
      name: cut(name),
      place: cut(places[0] ?? ''),
      ms,
      rows: rows.length > 0 ? rows : isAlone ? (byPlace.get(operator) ?? []) : [],
    };
  });
}

function shownValues(m: IRModule, value: Value): ReadonlyArray<ShownValue> {
  const stated = m.functions.get('main')?.attrs.output_tensor_names;
  const names = Array.isArray(stated) ? stated.map(String) : [];
  const fields = value._tag === 'Tuple' ? value.fields : [value];
  return fields.map((field, i) => ({
    name: cut(names[i] ?? (fields.length === 1 ? 'output' : `output ${i}`)),
    type: field._tag === 'Tensor' ? `${field.dtype}[${field.shape.join(', ')}]` : field._tag,
    text: printValue(field, MAX_CHARACTERS),
  }));
}
