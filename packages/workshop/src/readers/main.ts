/** `pnpm fuzz:readers`: corrupted inputs through every reader; throws and high costs are findings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fnv1a32 } from '@baton/base';
import { makeProgress } from '@baton/cli';
import { begin } from '../begin.ts';
import { readState, writeState } from '../state-file.ts';
import { type ReadersCommand, readReadersCommand, USAGE } from './arguments.ts';
import { type Crew, makeCrew } from './crew.ts';
import { type Fault, faultOf, keptText, reduced } from './finding.ts';
import { type ReaderName, readerOf } from './readers.ts';
import {
  countedOf,
  countRange,
  freshState,
  inputsOf,
  type ReadersState,
  report,
  stateCodec,
} from './report.ts';

const EXIT_FINDINGS = 1;
const EXIT_USAGE = 2;

/** The inputs of one turn, for each unit of a reader's share. */
const INPUTS_A_SHARE = 5;

const TURNS_A_STEP = 10;

async function main(): Promise<number> {
  const command = readReadersCommand(process.argv.slice(2));
  if (typeof command === 'string') {
    process.stderr.write(`${command}\n\n${USAGE}\n`);
    return EXIT_USAGE;
  }
  const { seed, minutes, inputs, readers, from, folder } = command;
  const statePath = join(folder, `state-${seed}.json`);
  const state =
    from === undefined
      ? readState<ReadersState>(statePath, stateCodec, freshState(seed))
      : freshState(seed);
  if (from !== undefined) for (const name of readers) countedOf(state, name).next = from;
  const start = inputsOf(state);
  if (start > 0) process.stdout.write(`resumes after ${start} inputs\n`);
  const progress = makeProgress('lines');
  const crew = makeCrew();
  const end = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() >= end || inputsOf(state) >= start + inputs;
  for (let turns = 1; !isOver(); turns++) {
    for (const name of readers) {
      if (isOver()) break;
      const left = start + inputs - inputsOf(state);
      const count = Math.min(left, readerOf(name).share * INPUTS_A_SHARE);
      await turn(name, count, command, state, crew, (line) => progress.step(line));
      if (from === undefined) writeState(statePath, state);
    }
    if (turns % TURNS_A_STEP === 0) progress.step(summary(state));
  }
  crew.end();
  progress.done();
  process.stdout.write(`${report(state)}\n`);
  return Object.keys(state.found).length === 0 ? 0 : EXIT_FINDINGS;
}

const summary = (state: ReadersState): string =>
  `${inputsOf(state)} inputs, ${Object.keys(state.found).length} kinds of findings`;

async function turn(
  name: ReaderName,
  count: number,
  { seed, folder }: ReadersCommand,
  state: ReadersState,
  crew: Crew,
  tell: (line: string) => void,
): Promise<void> {
  const own = countedOf(state, name);
  const end = own.next + count;
  while (own.next < end) {
    const { next: from } = own;
    const task = { _tag: 'Range', reader: name, seed, from, count: end - from } as const;
    const answer = await crew.ask(task);
    const suspects: { readonly index: number; readonly fault: Fault | undefined }[] = [];
    if (answer._tag === 'Ended') {
      const { kind } = answer;
      const index = Math.max(answer.index, from);
      suspects.push({ index, fault: { kind, detail: kind } });
      own.inputs += index + 1 - from;
      own.next = index + 1;
    } else if (answer._tag === 'Range') {
      countRange(own, answer);
      for (const { index, thrown } of answer.suspects) suspects.push({ index, fault: thrown });
    }
    for (const { index, fault } of suspects) {
      const drawn = readerOf(name).draw(`${seed}:${index}`);
      // Costs that a fresh process does not repeat are those of other inputs.
      const sure = fault ?? (await faultOf(name, drawn, drawn.clean, crew, true));
      if (sure === undefined) continue;
      const kind = `${name}: ${sure.kind}`;
      state.found[kind] = (state.found[kind] ?? 0) + 1;
      tell(`${name} ${index}: ${sure.kind}`);
      if (state.found[kind] > REDUCED_A_KIND) continue;
      const input = await reduced(name, `${seed}:${index}`, drawn, sure, crew);
      const file = join(folder, `${name}-${fnv1a32(sure.kind).toString(16)}-${index}.json`);
      mkdirSync(folder, { recursive: true });
      const kept = { reader: name, seed: `${seed}:${index}`, ...sure, input };
      writeFileSync(file, keptText(kept));
      state.files[kind] ??= file;
    }
  }
}

const REDUCED_A_KIND = 2;

await begin(main);
