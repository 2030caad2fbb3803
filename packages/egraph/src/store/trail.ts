type Cells = Int32Array | Uint8Array;

/** The arrays of a store whose entries are restored one by one. */
type Field =
  | 'uf'
  | 'next'
  | 'parTail'
  | 'parCount'
  | 'parNext'
  | 'poolNext'
  | 'status'
  | 'nodes'
  | 'pool'
  | 'slots';

/** What is restored as a whole. What was appended to the store meanwhile is cut off by that. */
const COUNTERS = ['size', 'liveNodes', 'classes', 'poolSize', 'slotsUsed', 'unions'] as const;

type Arrays = Readonly<Record<Field, Cells>>;
type Counters = Record<(typeof COUNTERS)[number], number>;

/** The state of a store at a `push`. */
interface Mark {
  readonly entries: number;
  readonly counters: ReadonlyArray<number>;
  readonly unmodified: ReadonlyArray<number>;
  readonly extra: unknown;
}

/** What a trail knows of a store. */
interface Undoable extends Arrays, Counters {
  changes: number;
  readonly unmodified: number[];
}

/** What to do to undo changes: old values to write back, or functions, undone from the end. */
export class Trail {
  private readonly entries: (Field | (() => void))[] = [];
  /** For each entry that is a field, the index and the old value. */
  private readonly values: number[] = [];
  private readonly marks: Mark[] = [];

  get depth(): number {
    return this.marks.length;
  }

  /** Remembers this moment, and `extra` with it. */
  mark(s: Undoable, extra: unknown): void {
    this.marks.push({
      entries: this.entries.length,
      counters: COUNTERS.map((name) => s[name]),
      unmodified: [...s.unmodified],
      extra,
    });
  }

  /** Restores the last mark and returns its `extra`; `undefined` if there is none. */
  undo(s: Undoable): unknown {
    const mark = this.marks.pop();
    if (mark === undefined) return undefined;
    const { entries, values } = this;
    while (entries.length > mark.entries) {
      const entry = entries.pop();
      if (typeof entry === 'function') entry();
      else if (entry !== undefined) {
        const value = values.pop() as number;
        s[entry][values.pop() as number] = value;
      }
    }
    COUNTERS.forEach((name, i) => {
      s[name] = mark.counters[i] as number;
    });
    s.unmodified.splice(0, s.unmodified.length, ...mark.unmodified);
    s.changes++;
    return mark.extra;
  }

  /** `s[field][index]` is about to change. */
  save(s: Arrays, field: Field, index: number): void {
    this.entries.push(field);
    this.values.push(index, s[field][index] as number);
  }

  /** Has `restore` called when the present moment is returned to. */
  onUndo(restore: () => void): void {
    this.entries.push(restore);
  }
}
