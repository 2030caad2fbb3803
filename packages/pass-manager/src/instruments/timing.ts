/** An instrument that measures the time of each pass. */
import type { Instrument } from '../instrument.ts';

export interface PassTiming extends Instrument {
  /**
   * One line per pass, nested ones indented: total and own time, and their share of the whole and
   * of the surrounding pass. The table shows the current or last run; it is empty before the first.
   */
  readonly render: () => string;
}

interface Timed {
  readonly name: string;
  readonly start: number;
  end: number;
  readonly children: Timed[];
}

/** An instrument that times passes. `now` is a clock in milliseconds. */
export function passTiming(now: () => number): PassTiming {
  let roots: Timed[] = [];
  let running: Timed[] = [];
  return {
    name: 'PassTiming',
    enter: () => {
      roots = [];
      running = [];
    },
    beforePass: (_m, pass) => {
      const start = now();
      const entry: Timed = { name: pass.name, start, end: start, children: [] };
      (running.at(-1)?.children ?? roots).push(entry);
      running.push(entry);
    },
    afterPass: () => {
      const entry = running.pop();
      if (entry !== undefined) entry.end = now();
    },
    render: () => renderTree(roots),
  };
}

const duration = (entry: Timed): number => entry.end - entry.start;

const sum = (entries: ReadonlyArray<Timed>): number =>
  entries.reduce((total, entry) => total + duration(entry), 0);

const percent = (part: number, whole: number): string =>
  `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(2)}%`;

const micros = (ms: number): string => `${Math.round(ms * 1000)}us`;

function renderTree(roots: ReadonlyArray<Timed>): string {
  const whole = sum(roots);
  const lines: string[] = [];
  const pending = roots.map((entry) => ({ entry, depth: 0, around: whole })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, depth, around } = next;
    const total = duration(entry);
    const own = total - sum(entry.children);
    lines.push(
      `${'  '.repeat(depth)}${entry.name}: ${micros(total)} [${micros(own)}] ` +
        `(${percent(total, whole)}; ${percent(total, around)})`,
    );
    for (const child of [...entry.children].reverse()) {
      pending.push({ entry: child, depth: depth + 1, around: total });
    }
  }
  return lines.join('\n');
}
