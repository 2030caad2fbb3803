/** An input through its reader: how it ended, the processor time, and the growth of the memory. */
import { openSync, writeSync } from 'node:fs';
import { InvariantError } from '@baton/base';
import type { Input, Reader } from './reader.ts';

export interface Cost {
  /** Processor time of all threads of the process. */
  readonly ms: number;
  /** The growth of the process to its peak. **Units** bytes. */
  readonly bytes: number;
}

/** A throw: the kind distinguishes faults, without the numbers and names of an input. */
export interface Thrown {
  readonly kind: string;
  readonly detail: string;
}

export interface Measured extends Cost {
  readonly outcome: string;
  readonly thrown: Thrown | undefined;
}

/** The most that an input may cost beyond its clean one. */
export const MOST: Cost = { ms: 2_000, bytes: 200 * 2 ** 20 };

export async function measure(reader: Reader, input: Input): Promise<Measured> {
  forgetPeak();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  let outcome = 'throws';
  let thrown: Thrown | undefined;
  try {
    const read = reader.read(input);
    outcome = typeof read === 'string' ? read : await read;
  } catch (error) {
    thrown = thrownBy(error);
  }
  const { user, system } = process.cpuUsage(start);
  const bytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
  return { outcome, thrown, ms: (user + system) / 1000, bytes };
}

let peak: number | undefined;
let isWithout = false;

/** Linux forgets the peak of a process that writes here; elsewhere growth beyond it is known. */
function forgetPeak(): void {
  if (isWithout) return;
  try {
    peak ??= openSync('/proc/self/clear_refs', 'w');
    writeSync(peak, '5');
  } catch {
    isWithout = true;
  }
}

const ROOT = new URL('../../../../', import.meta.url).href;

/** The stack frames that a kind names. */
const FRAMES = 3;

function thrownBy(error: unknown): Thrown {
  if (!(error instanceof Error)) return { kind: `throws ${typeof error}`, detail: String(error) };
  const stack = error.stack ?? '';
  const frames = [...stack.matchAll(/^ +at (?:async )?(?:new )?([\w.#<>]+) \(/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'invariant');
  const isTold = error instanceof InvariantError && frames[0] === 'commanded';
  const message = error.message.split('\n', 1)[0] ?? '';
  const shape = message.replace(/'[^']*'|"[^"]*"|`[^`]*`|-?\d[\d.e+]*/g, '…').slice(0, 120);
  const where = isTold ? '' : ` at ${frames.slice(0, FRAMES).join(' < ')}`;
  // Files are named from the project's folder: a finding says nothing of the machine.
  const detail = stack.replaceAll(ROOT, '').slice(0, 3_000);
  return { kind: `${error.name}: ${shape}${where}`, detail };
}
