import { DEAD, LIVE } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { MatchBuffer } from './buffer.ts';
import type { Instruction, Program } from './program.ts';

/**
 * Finds matches, from root position `from` on, and writes each as its class, the classes of the
 * variables and, for proofs, the matched nodes. Stops when the buffer holds `stop` numbers, and
 * between two roots when it holds `pause`. Returns the next root position, or −1 at the end.
 *
 * Root positions count the nodes of the root's operator, or classes, or are one: see `rootCount`.
 * With `since` ≥ 0, only matches that use a row changed after that epoch are found.
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

/** How many root positions there are. */
export function rootCount(
  program: Program,
  store: Store,
  tables: Tables,
  operators: Int32Array,
): number {
  const [first] = program.instructions;
  if (first?._tag === 'ScanClasses') return store.size;
  if (first?._tag !== 'Scan') return 1;
  const op = operators[first.op] as number;
  return (tables.opStart[op + 1] as number) - (tables.opStart[op] as number);
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

/** A matcher that walks the program: what runs where code cannot be generated. */
export function interpret(program: Program, withNodes: boolean): Search {
  const machine = new Machine(program, withNodes);
  return (store, tables, operators, buffer, from, to, pause, stop, since) => {
    machine.store = store;
    machine.tables = tables;
    machine.operators = operators;
    machine.buffer = buffer;
    machine.stop = stop;
    machine.since = since;
    return machine.search(from, to, pause);
  };
}

class Machine {
  declare store: Store;
  declare tables: Tables;
  declare operators: Int32Array;
  declare buffer: MatchBuffer;
  stop = 0;
  since = -1;
  private readonly program: Program;
  private readonly withNodes: boolean;
  private readonly registers: Int32Array;
  private readonly slots: Int32Array;
  private readonly stride: number;

  constructor(program: Program, withNodes: boolean) {
    this.program = program;
    this.withNodes = withNodes;
    this.registers = new Int32Array(program.registers);
    this.slots = new Int32Array(program.slots);
    this.stride = 1 + program.variables.length + (withNodes ? program.slots : 0);
  }

  search(from: number, to: number, pause: number): number {
    const first = this.program.instructions[0] as Instruction;
    for (let at = from; at < to; at++) {
      if (this.buffer.length >= pause) return at;
      if (!this.root(first, at)) return -1;
    }
    return -1;
  }

  /** Matches at one root position; false when `stop` is reached. */
  private root(first: Instruction, at: number): boolean {
    const { store, tables, registers } = this;
    if (first._tag === 'ScanClasses') {
      if (store.uf[at] !== at) return true;
      registers[first.root] = at;
      return this.step(1, -1);
    }
    if (first._tag !== 'Scan') return this.step(0, -1);
    const op = this.operators[first.op] as number;
    const n = tables.byOp[(tables.opStart[op] as number) + at] as number;
    return this.scanned(first, n, 1, -1);
  }

  private scanned(
    step: Extract<Instruction, { _tag: 'Scan' }>,
    n: number,
    next: number,
    newest: number,
  ): boolean {
    const { store, registers } = this;
    registers[step.root] = store.find(n);
    for (let i = 0; i < step.arity; i++) registers[step.out + i] = store.child(n, i);
    this.slots[step.slot] = n;
    return this.step(next, Math.max(newest, store.stamp[n] as number));
  }

  private step(at: number, newest: number): boolean {
    const step = this.program.instructions[at];
    if (step === undefined) return this.since < 0 || newest > this.since ? this.emit() : true;
    const { store, registers } = this;
    switch (step._tag) {
      case 'Bind':
        return this.bindRows(step, at + 1, newest);
      case 'Same':
        return registers[step.a] !== registers[step.b] || this.step(at + 1, newest);
      case 'Leaf': {
        const n = store.find0(this.operators[step.op] as number);
        if (n < 0 || store.status[n] !== LIVE || store.find(n) !== registers[step.from])
          return true;
        this.slots[step.slot] = n;
        return this.step(at + 1, Math.max(newest, store.stamp[n] as number));
      }
      case 'Get': {
        const op = this.operators[step.op] as number;
        const n = store.lookup(
          op,
          step.args.map((register) => registers[register] as number),
        );
        if (n < 0 || store.status[n] === DEAD) return true;
        registers[step.out] = store.find(n);
        this.slots[step.slot] = n;
        return this.step(at + 1, Math.max(newest, store.stamp[n] as number));
      }
      case 'Scan': {
        const { opStart, byOp } = this.tables;
        const op = this.operators[step.op] as number;
        for (let i = opStart[op] as number; i < (opStart[op + 1] as number); i++) {
          if (!this.scanned(step, byOp[i] as number, at + 1, newest)) return false;
        }
        return true;
      }
      case 'ScanClasses': {
        for (let c = 0; c < store.size; c++) {
          if (store.uf[c] !== c) continue;
          registers[step.root] = c;
          if (!this.step(at + 1, newest)) return false;
        }
        return true;
      }
    }
  }

  private bindRows(
    step: Extract<Instruction, { _tag: 'Bind' }>,
    next: number,
    newest: number,
  ): boolean {
    const { store, registers } = this;
    const { index, rows, rowNode } = this.tables;
    const c = (registers[step.from] as number) << 1;
    const op = this.operators[step.op] as number;
    if (((index[c + 1] as number) & (1 << (op & 31))) === 0) return true;
    const end = index[c + 2] as number;
    for (let at = seek(rows, index[c] as number, end, op); at < end && rows[at << 2] === op; at++) {
      const n = rowNode[at] as number;
      for (let i = 0; i < step.arity; i++) registers[step.out + i] = store.child(n, i);
      this.slots[step.slot] = n;
      if (!this.step(next, Math.max(newest, store.stamp[n] as number))) return false;
    }
    return true;
  }

  /** Writes the match; false when the buffer is full enough. */
  private emit(): boolean {
    const { buffer, registers, slots } = this;
    const { places, root } = this.program;
    const data = buffer.reserve(this.stride);
    let at = buffer.length;
    data[at++] = registers[root] as number;
    for (let i = 0; i < places.length; i++) data[at++] = registers[places[i] as number] as number;
    if (this.withNodes) for (let i = 0; i < slots.length; i++) data[at++] = slots[i] as number;
    buffer.length = at;
    return at < this.stop;
  }
}
