/** The log from which proofs are made. */
import { numberIn } from '@baton/base';
import { MatchBuffer } from './arrays.ts';

/**
 * Every union of two classes, in order of time, and the original children of each node. An equality
 * costs three integers and its reason; explanations are computed on demand.
 */
export class ProofLog {
  /** Triples: node, node, reason (−1 congruence, else twice an index, plus 1 for a name). */
  readonly unions: MatchBuffer = new MatchBuffer();
  /** Applications of rules: the name's number, variables, matched nodes, made nodes. */
  readonly applications: MatchBuffer = new MatchBuffer();
  readonly #children = new MatchBuffer();
  readonly #buffers = [this.unions, this.applications, this.#children];
  #many = new Map<number, ReadonlyArray<number>>();
  #numbers = new Map<string, number>();

  /** Node `n` was made with these children, which may not be canonical. */
  made(n: number, a: number, b: number, c: number): void {
    this.#children.length = n * 3;
    this.#children.push(a, b, c);
  }

  madeMany(n: number, children: ArrayLike<number>): void {
    this.#many.set(n, Array.from(children));
  }

  /** `a` and `b` became equal for `reason`. */
  joined(a: number, b: number, reason: number): void {
    this.unions.push(a, b, reason);
  }

  /** The original children of node `n`, of this arity. */
  childrenOf(n: number, arity: number): ReadonlyArray<number> {
    const many = arity > 3 ? this.#many.get(n) : undefined;
    return many ?? [...this.#children.data.subarray(n * 3, n * 3 + arity)];
  }

  /** The names of rules and the textual reasons, in the order of their numbers. */
  get names(): ReadonlyArray<string> {
    return [...this.#numbers.keys()];
  }

  numberOf(name: string): number {
    return numberIn(this.#numbers, name);
  }

  because(text: string): number {
    return this.numberOf(text) * 2 + 1;
  }

  /**
   * Makes room for an application of `length` numbers, and returns its start in
   * `applications.data`. Twice the start is its reason, if `end` keeps it.
   */
  begin(length: number): number {
    this.applications.reserve(length);
    return this.applications.length;
  }

  /** Keeps the application of this length. */
  end(length: number): void {
    this.applications.length += length;
  }

  get bytes(): number {
    return this.#buffers.reduce((sum, { data }) => sum + data.byteLength, 0);
  }

  become(other: ProofLog): this {
    this.#buffers.forEach((buffer, i) => {
      const { data, length } = other.#buffers[i] as MatchBuffer;
      Object.assign(buffer, { data: data.slice(), length });
    });
    this.#many = new Map(other.#many);
    this.#numbers = new Map(other.#numbers);
    return this;
  }
}
