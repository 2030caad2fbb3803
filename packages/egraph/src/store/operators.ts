/** The interned operators of an e-graph. */
import { numberIn, remember } from '@baton/base';

/** An operator of an e-graph: a name, a number of children, a payload. Interned: compare by `===`. */
export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly arity: number;
  readonly payload: unknown;
}

/** The identity of an operator's payloads. */
export type PayloadKey = (name: string, payload: unknown) => unknown;

const NEGATIVE_ZERO = Symbol('-0');

/** The operators of one e-graph, by id and by content. */
export class OperatorTable {
  readonly all: Operator[] = [];
  /** Payloads by number; equal payloads have one number. */
  readonly payloads: unknown[] = [];
  #numbers = new Map<unknown, number>();
  #families = new Map<string, number>();
  readonly #byName = new Map<string, Map<unknown, Operator>[]>();
  readonly #key: PayloadKey;

  constructor(key: PayloadKey) {
    this.#key = key;
  }

  /** The operator with this content, if any node ever had it. */
  find(name: string, arity: number, payload: unknown): Operator | undefined {
    return this.#byName.get(name)?.[arity]?.get(this.#keyOf(name, payload));
  }

  intern(name: string, arity: number, payload: unknown): Operator {
    const found = this.find(name, arity, payload);
    if (found) return found;
    const operator: Operator = { id: this.all.length, name, arity, payload };
    this.all.push(operator);
    const byArity = remember(this.#byName, name, () => []);
    byArity[arity] ??= new Map();
    byArity[arity].set(this.#keyOf(name, payload), operator);
    return operator;
  }

  /** The number of a name with this many children, for any payload. */
  familyOf(name: string, arity: number): number {
    return numberIn(this.#families, `${arity} ${name}`);
  }

  numberOf({ name, payload }: Operator): number {
    const number = numberIn(this.#numbers, this.#keyOf(name, payload));
    this.payloads[number] ??= payload;
    return number;
  }

  /** Forgets the operators from id `count` on. */
  truncate(count: number): void {
    for (const { name, arity, payload } of this.all.splice(count)) {
      this.#byName.get(name)?.[arity]?.delete(this.#keyOf(name, payload));
    }
  }

  become(other: OperatorTable): void {
    for (const o of other.all) this.intern(o.name, o.arity, o.payload);
    this.payloads.push(...other.payloads);
    this.#numbers = new Map(other.#numbers);
    this.#families = new Map(other.#families);
  }

  /** Absent payloads are kept apart from every key; −0 is kept apart from 0. */
  #keyOf(name: string, payload: unknown): unknown {
    if (payload === undefined) return undefined;
    const key = this.#key(name, payload);
    return Object.is(key, -0) ? NEGATIVE_ZERO : key;
  }
}
