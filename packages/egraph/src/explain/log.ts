import { MatchBuffer } from '../match/buffer.ts';
import { grown } from '../store/arrays.ts';
import { CONGRUENCE, type StoreLog } from '../store/store.ts';

/** The application of a rule, as logged: ids of nodes that stood for the classes involved. */
export interface Application {
  readonly rule: number;
  /** What each variable stood for. */
  readonly variables: ReadonlyArray<number>;
  /** The node that matched each node of the left-hand side. */
  readonly matched: ReadonlyArray<number>;
  /** The node that each node of the right-hand side became. */
  readonly made: ReadonlyArray<number>;
}

/** Lengths of an application's parts. */
export interface ApplicationShape {
  readonly variables: number;
  readonly matched: number;
  readonly made: number;
}

/**
 * Everything that made two classes one, in order of time, and the children that each node was made
 * with. An equality costs three integers and its reason; explanations are worked out when asked for.
 */
export class ProofLog implements StoreLog {
  /** Triples: node, node, reason (−1 congruence, else twice an index, plus 1 for a text). */
  readonly unions: MatchBuffer = new MatchBuffer();
  /** Applications of rules: rule, variables, matched nodes, made nodes. */
  readonly applications: MatchBuffer = new MatchBuffer();
  /** Reasons given as text. */
  readonly texts: string[] = [];
  /** The name of each rule in the log, and the lengths of its parts. */
  readonly rules: string[] = [];
  readonly shapes: ApplicationShape[] = [];
  private readonly textIds = new Map<string, number>();
  private children: Int32Array = new Int32Array(4096);
  private readonly many = new Map<number, ReadonlyArray<number>>();

  made(n: number, _op: number, a: number, b: number, c: number): void {
    const at = n * 3;
    if (at + 3 > this.children.length) {
      this.children = grown(this.children, this.children.length * 2 + 3);
    }
    const children = this.children;
    children[at] = a;
    children[at + 1] = b;
    children[at + 2] = c;
  }

  madeMany(n: number, children: ArrayLike<number>): void {
    this.many.set(n, Array.from(children));
  }

  joined(a: number, b: number, reason: number): void {
    const { unions } = this;
    const data = unions.reserve(3);
    const at = unions.length;
    data[at] = a;
    data[at + 1] = b;
    data[at + 2] = reason;
    unions.length = at + 3;
  }

  /** Child `i` of node `n`, as the node was made. */
  child(n: number, i: number): number {
    const many = this.many.get(n);
    return (many === undefined ? this.children[n * 3 + i] : many[i]) as number;
  }

  /** The reason that is this text. */
  because(text: string): number {
    const known = this.textIds.get(text);
    const id = known ?? this.texts.push(text) - 1;
    this.textIds.set(text, id);
    return id * 2 + 1;
  }

  /** The number of a rule. */
  rule(name: string, shape: ApplicationShape): number {
    const known = this.rules.indexOf(name);
    if (known >= 0 && sameShape(this.shapes[known] as ApplicationShape, shape)) return known;
    this.rules.push(name);
    return this.shapes.push(shape) - 1;
  }

  /** Room for an application of `length` numbers: where it starts in `applications.data`. */
  begin(length: number): number {
    this.applications.reserve(length);
    return this.applications.length;
  }

  /** The reason that is the application written at `begin`, if it is kept by `end`. */
  reasonAt(start: number): number {
    return start * 2;
  }

  /** Keeps the application of this length. */
  end(length: number): void {
    this.applications.length += length;
  }

  /** The application behind a reason, `undefined` for congruence and texts. */
  application(reason: number): Application | undefined {
    if (reason === CONGRUENCE || (reason & 1) === 1) return undefined;
    const at = reason >> 1;
    const { data } = this.applications;
    const rule = data[at] as number;
    const { variables, matched, made } = this.shapes[rule] as ApplicationShape;
    const part = (from: number, count: number): ReadonlyArray<number> =>
      Array.from(data.subarray(from, from + count));
    return {
      rule,
      variables: part(at + 1, variables),
      matched: part(at + 1 + variables, matched),
      made: part(at + 1 + variables + matched, made),
    };
  }

  /** The text behind a reason, if it is one. */
  text(reason: number): string | undefined {
    return reason >= 0 && (reason & 1) === 1 ? this.texts[reason >> 1] : undefined;
  }

  /** Bytes held in arrays. */
  get bytes(): number {
    const lists = this.unions.data.byteLength + this.applications.data.byteLength;
    return lists + this.children.byteLength;
  }

  /** A moment to return to. */
  mark(): readonly [number, number] {
    return [this.unions.length, this.applications.length];
  }

  /** Forgets what was logged since a mark. */
  truncate([unions, applications]: readonly [number, number]): void {
    this.unions.length = unions;
    this.applications.length = applications;
  }

  clone(): ProofLog {
    const copy = new ProofLog();
    Object.assign(copy, {
      unions: copyOf(this.unions),
      applications: copyOf(this.applications),
      children: this.children.slice(),
    });
    for (const text of this.texts) copy.because(text);
    copy.rules.push(...this.rules);
    copy.shapes.push(...this.shapes);
    for (const [n, children] of this.many) copy.many.set(n, children);
    return copy;
  }
}

function copyOf({ data, length }: MatchBuffer): MatchBuffer {
  const copy = new MatchBuffer(data.slice());
  copy.length = length;
  return copy;
}

const sameShape = (a: ApplicationShape, b: ApplicationShape): boolean =>
  a.variables === b.variables && a.matched === b.matched && a.made === b.made;
