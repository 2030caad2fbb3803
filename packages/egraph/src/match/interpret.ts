/** The interpreter of matching programs. */
import type { MatchBuffer } from '../store/arrays.ts';
import { LIVE } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { Loop, Program } from './program.ts';

/**
 * Finds matches from root position `from` on, and writes each as its class, the classes of the
 * variables and, for proofs, the matched nodes. Stops when the buffer holds `stop` numbers, and
 * between two roots when it holds `pause`. Returns the next root position, `to` when it is done.
 *
 * Root positions are places of the root's operator in the tables, or classes: see `rootRange`. With
 * `since` ≥ 0, only matches that use a row changed after that epoch are found.
 */
export type Search = (
  store: Store,
  tables: Tables,
  operators: Int32Array,
  buffer: MatchBuffer,
  from: number,
  to: number,
  pause: number,
  stop: number,
  since: number,
) => number;

/** The first root position and the one after the last. */
export function rootRange(
  { instructions }: Program,
  store: Store,
  tables: Tables,
  operators: Int32Array,
): readonly [number, number] {
  const [first] = instructions;
  return first ? rangeOf(first as Loop, store, tables, operators, 0) : [0, 0];
}

/** The first of the rows from `low` to `high`, sorted by operator, whose operator is `op`. */
export function seek(rows: Int32Array, start: number, end: number, op: number): number {
  let low = start;
  let high = end;
  while (high - low > 8) {
    const middle = (low + high) >> 1;
    if ((rows[middle << 2] as number) < op) low = middle + 1;
    else high = middle;
  }
  while (low < high && (rows[low << 2] as number) < op) low++;
  return low;
}

/** A matcher that walks the program, for the time before code generation or without it. */
export function interpret(program: Program, withNodes: boolean): Search {
  const { instructions, operators: all, places } = program;
  const registers = new Int32Array(program.registers);
  const slots = new Int32Array(all.length);
  const nodePlaces = withNodes ? [...slots.keys()] : [];
  // The arguments of the current search. They stay until the next one: engines throw optimized code
  // away when the hidden classes that it relies on die with their last object.
  let store: Store;
  let tables: Tables;
  let operators: Int32Array;
  let buffer: MatchBuffer;
  let [from, to, pause, stop, since] = [0, 0, 0, 0, 0];

  const turn = (step: Loop, at: number, next: number, newest: number): boolean => {
    if (step._tag === 'Classes') {
      registers[step.root] = at;
      return store.uf[at] !== at || run(next, newest);
    }
    let n = at;
    if (step.payload < 0) n = (step._tag === 'Scan' ? tables.byOp : tables.rowNode)[at] as number;
    else {
      const op = store.nodes[n << 2] as number;
      if (store.status[n] !== LIVE || store.family[op] !== operators[step.slot]) return true;
      registers[step.payload] = store.payload[op] as number;
    }
    registers[step.root] = store.find(n);
    for (let i = 0; i < step.arity; i++) registers[step.out + i] = store.child(n, i);
    slots[step.slot] = n;
    return run(next, Math.max(newest, store.stamp[n] as number));
  };

  /** Matches from a step on; false when the buffer is full enough. */
  const run = (place: number, newest: number): boolean => {
    const step = instructions[place];
    const next = place + 1;
    if (!step) {
      if (newest > since) {
        emit(buffer, places, registers);
        emit(buffer, nodePlaces, slots);
      }
      return buffer.length < stop;
    }
    if (step._tag === 'Same') {
      return registers[step.root] !== registers[step.other] || run(next, newest);
    }
    if (step._tag === 'Get') {
      const args = step.args.map((register) => registers[register] as number);
      const n = store.lookup(operators[step.slot] as number, args);
      // A leaf stands for its class, so the class must hold it.
      if (n < 0 || (args.length === 0 && store.status[n] !== LIVE)) return true;
      registers[step.root] = store.find(n);
      slots[step.slot] = n;
      return run(next, Math.max(newest, store.stamp[n] as number));
    }
    const c = registers[step.root] as number;
    if (step._tag === 'Bind' && step.payload >= 0) {
      let n = c;
      do {
        if (!turn(step, n, next, newest)) return false;
        n = store.next[n] as number;
      } while (n !== c);
      return true;
    }
    const [start, end] = rangeOf(step, store, tables, operators, c);
    for (let at = start; at < end; at++) if (!turn(step, at, next, newest)) return false;
    return true;
  };

  return (...given) => {
    [store, tables, operators, buffer, from, to, pause, stop, since] = given;
    const first = instructions[0] as Loop;
    for (let at = from; at < to; at++) {
      if (buffer.length >= pause) return at;
      if (!turn(first, at, 1, 0)) break;
    }
    return to;
  };
}

function emit(buffer: MatchBuffer, places: ReadonlyArray<number>, from: Int32Array): void {
  const data = buffer.reserve(places.length);
  for (const place of places) data[buffer.length++] = from[place] as number;
}

/** The positions of a loop, in class `c` for a `Bind`. */
function rangeOf(
  step: Loop,
  store: Store,
  { opStart, index, rows }: Tables,
  operators: Int32Array,
  c: number,
): readonly [number, number] {
  if (step._tag === 'Classes' || step.payload >= 0) return [0, store.size];
  const op = operators[step.slot] as number;
  if (step._tag === 'Scan') return [opStart[op] as number, opStart[op + 1] as number];
  const end = index[c * 2 + 2] as number;
  const start = seek(rows, index[c * 2] as number, end, op);
  return [start, seek(rows, start, end, op + 1)];
}
