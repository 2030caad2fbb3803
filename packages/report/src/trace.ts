/**
 * A timeline in the Trace Event Format, for Perfetto and Chrome's about:tracing. Slices nest by
 * time; each model has its own row.
 *
 * **Source** Trace Event Format, Google, 2016: complete events (X), counters (C), metadata (M).
 */
import { cut } from '@baton/drawing';
import type { Instrument, IRModule } from 'batonjs';

/** One event of a trace. Times are microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly cat?: string;
  readonly ph: 'X' | 'C' | 'M';
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: Readonly<Record<string, string | number>>;
}

export interface TraceFile {
  readonly displayTimeUnit: 'ms';
  readonly traceEvents: ReadonlyArray<TraceEvent>;
}

/** The kind of a slice: the viewer colours and filters by it. */
export type TraceKind = 'phase' | 'pass' | 'kernel';

export interface Tracer {
  readonly now: () => number;
  readonly startRow: (name: string) => void;
  readonly slice: (kind: TraceKind, name: string, start: number, end: number) => void;
  /** An instrument that makes a slice of each pass and, given a counter, counts nodes after it. */
  readonly instrument: (countNodes?: (m: IRModule) => number) => Instrument;
  readonly file: () => TraceFile;
}

export function makeTracer(now: () => number): Tracer {
  const origin = now();
  const micros = (time: number): number => Math.round((time - origin) * 1000);
  const events: TraceEvent[] = [
    { name: 'process_name', ph: 'M', ts: 0, pid: PROCESS, tid: 0, args: { name: 'Baton' } },
  ];
  let tid = 0;
  let model = '';
  const slice: Tracer['slice'] = (kind, name, start, end) => {
    const ts = micros(start);
    events.push({
      name: cut(name),
      cat: kind,
      ph: 'X',
      ts,
      dur: micros(end) - ts,
      pid: PROCESS,
      tid,
    });
  };
  const counter = (nodes: number): void => {
    const name = `nodes of ${model}`;
    events.push({ name, ph: 'C', ts: micros(now()), pid: PROCESS, tid, args: { nodes } });
  };
  return {
    now,
    startRow: (name) => {
      tid += 1;
      model = cut(name);
      events.push({
        name: 'thread_name',
        ph: 'M',
        ts: 0,
        pid: PROCESS,
        tid,
        args: { name: model },
      });
    },
    slice,
    instrument: (countNodes) => {
      const starts: number[] = [];
      return {
        name: 'Trace',
        beforePass: (m) => {
          if (starts.length === 0 && countNodes !== undefined) counter(countNodes(m));
          starts.push(now());
        },
        afterPass: (m, pass) => {
          slice('pass', pass.name, starts.pop() ?? now(), now());
          if (countNodes !== undefined && !pass.isPipeline) counter(countNodes(m));
        },
      };
    },
    file: () => ({ displayTimeUnit: 'ms', traceEvents: events }),
  };
}

const PROCESS = 1;
