/** A process that runs inputs, and may end or hang without harm to the others. */
import { openSync, writeSync } from 'node:fs';
import process from 'node:process';
import { type Cost, type Measured, MOST, measure } from './measure.ts';
import { readerOf } from './readers.ts';
import type { Answer, RangeResult, Suspect, Task } from './task.ts';

/** The file that holds the index of the input that runs. */
const place = openSync(process.argv[2] ?? '/dev/null', 'w');
const index = new Float64Array(1);

/** Inputs of a reader that are run before any is measured: V8 compiles what all use. */
const WARM_UP = 40;

const warm = new Set<string>();

async function range(task: Extract<Task, { _tag: 'Range' }>): Promise<RangeResult> {
  const { seed, from, count } = task;
  const reader = readerOf(task.reader);
  await warmUp(task.reader);
  const outcomes: Record<string, number> = {};
  const suspects: Suspect[] = [];
  const least = { ms: 0, bytes: 0, index: from };
  let slowest = least;
  let largest = least;
  for (let i = from; i < from + count; i++) {
    index[0] = i;
    writeSync(place, index, 0, 8, 0);
    const { outcome, thrown, ...cost } = await measure(reader, reader.draw(`${seed}:${i}`));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (cost.ms > slowest.ms) slowest = { ...cost, index: i };
    if (cost.bytes > largest.bytes) largest = { ...cost, index: i };
    if (thrown !== undefined || isMuch(cost)) suspects.push({ index: i, thrown, cost });
    // The memory of a costly input may still be held.
    if (isMuch(cost)) break;
  }
  const ran = (index[0] ?? from) - from + 1;
  return { _tag: 'Range', ran, outcomes, suspects, slowest, largest };
}

const isMuch = ({ ms, bytes }: Cost): boolean => ms > MOST.ms || bytes > MOST.bytes;

async function warmUp(name: Task['reader']): Promise<void> {
  if (warm.has(name)) return;
  warm.add(name);
  const reader = readerOf(name);
  for (let i = 0; i < WARM_UP; i++) {
    const { clean, depth } = reader.draw(`warm:${i}`);
    await measure(reader, { parts: clean, depth });
  }
}

/** Times that the clean input runs, so that its code is compiled. */
const CLEAN_RUNS = 3;

async function check({ reader: name, input, clean }: Extract<Task, { _tag: 'Check' }>) {
  const reader = readerOf(name);
  const sound = { parts: clean, depth: input.depth };
  let cost: Measured = await measure(reader, sound);
  for (let i = 1; i < CLEAN_RUNS; i++) {
    const again = await measure(reader, sound);
    cost = { ...again, bytes: Math.max(again.bytes, cost.bytes) };
  }
  return { _tag: 'Check', clean: cost, input: await measure(reader, input) } as const;
}

process.on('message', async (task: Task) => {
  const answer: Answer = task._tag === 'Range' ? await range(task) : await check(task);
  process.send?.(answer);
});

process.on('disconnect', () => process.exit());
