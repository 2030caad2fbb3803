/** An operator of an e-graph: a name, a number of children, a payload. Interned: compare by `===`. */
export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly arity: number;
  readonly payload: unknown;
}

/** What tells the payloads of an operator apart. */
export type PayloadKey = (name: string, payload: unknown) => unknown;

const NEGATIVE_ZERO = Symbol('-0');

/** The operators of one e-graph, by id and by content. */
export class OperatorTable {
  readonly all: Operator[] = [];
  /** Payloads by number; equal payloads have one number. */
  readonly payloads: unknown[] = [];
  #numbers = new Map<unknown, number>();
  #families = new Map<string, number>();
  readonly #byName = new Map<string, Map<number, Map<unknown, Operator>>>();
  readonly #key: PayloadKey;

  constructor(key: PayloadKey) {
    this.#key = key;
  }

  /** The operator with this content, if any node ever had it. */
  find(name: string, arity: number, payload: unknown): Operator | undefined {
    return this.#byName.get(name)?.get(arity)?.get(this.#keyOf(name, payload));
  }

  /** The operator with this content. */
  intern(name: string, arity: number, payload: unknown): Operator {
    const found = this.find(name, arity, payload);
    if (found !== undefined) return found;
    const operator: Operator = { id: this.all.length, name, arity, payload };
    this.all.push(operator);
    const byArity = this.#byName.get(name) ?? new Map<number, Map<unknown, Operator>>();
    this.#byName.set(name, byArity);
    const byKey = byArity.get(arity) ?? new Map<unknown, Operator>();
    byArity.set(arity, byKey);
    byKey.set(this.#keyOf(name, payload), operator);
    return operator;
  }

  /** The number of a name with so many children, whatever the payload. */
  familyOf(name: string, arity: number): number {
    const key = `${arity} ${name}`;
    const number = this.#families.get(key) ?? this.#families.size;
    this.#families.set(key, number);
    return number;
  }

  /** The number of a payload. */
  numberOf({ name, payload }: Operator): number {
    const key = this.#keyOf(name, payload);
    const number = this.#numbers.get(key) ?? this.payloads.push(payload) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Forgets the operators from id `count` on. */
  truncate(count: number): void {
    for (const { name, arity, payload } of this.all.splice(count)) {
      this.#byName.get(name)?.get(arity)?.delete(this.#keyOf(name, payload));
    }
  }

  /** A copy with the same ids. */
  clone(): OperatorTable {
    const copy = new OperatorTable(this.#key);
    for (const o of this.all) copy.intern(o.name, o.arity, o.payload);
    copy.payloads.push(...this.payloads);
    copy.#numbers = new Map(this.#numbers);
    copy.#families = new Map(this.#families);
    return copy;
  }

  /** Absent payloads are kept apart from every key; −0 is kept apart from 0. */
  #keyOf(name: string, payload: unknown): unknown {
    if (payload === undefined) return undefined;
    const key = this.#key(name, payload);
    return Object.is(key, -0) ? NEGATIVE_ZERO : key;
  }
}
