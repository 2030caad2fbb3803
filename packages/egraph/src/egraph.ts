import { type Diagnostic, fail, foldDag, ok, orThrow, postOrder, type Result } from '@baton/base';
import { analysisDiverges, nothingToPop, unknownClass } from './diagnostics.ts';
import type { ClassId, NodeId } from './ids.ts';
import {
  anyLanguage,
  checkOperator,
  type Language,
  parseTerm,
  payloadKey,
  printIn,
  printTermIn,
  readLeaf,
} from './language.ts';
import { ProofLog } from './store/log.ts';
import { LIVE } from './store/nodes.ts';
import { type Operator, OperatorTable } from './store/operators.ts';
import { type Snapshot, Store } from './store/store.ts';
import { Tables } from './store/tables.ts';
import { type Term, termChildren } from './term.ts';

/** A class whose data changes this often in one rebuild belongs to an analysis that diverges. */
const MAX_DATA_CHANGES = 10_000;

/**
 * Data kept for every class: a value of a lattice, computed from the class's nodes.
 *
 * `merge` is the join. It returns its first argument itself if the second adds nothing to it, and
 * its second argument itself if the first adds nothing: that is how the e-graph learns which side
 * changed. Where equal values may be different objects, `equal` says so.
 */
export interface Analysis<D> {
  readonly name: string;
  /** The data of one node, from its operator and the data of its children. */
  readonly make: (egraph: EGraph<D>, node: NodeId) => D;
  readonly merge: (a: D, b: D) => D;
  readonly equal?: (a: D, b: D) => boolean;
  /** As `make`, when the data of a child has changed; `make` itself by default. */
  readonly remake?: (egraph: EGraph<D>, node: NodeId) => D;
  /** May add nodes, unite or prune, now that the data of `id` may be new. Must be idempotent. */
  readonly modify?: (egraph: EGraph<D>, id: ClassId) => void;
}

/** What an e-graph is made with. */
export interface EGraphOptions<D> {
  /** Which operators there are and how leaves are read; anything goes by default. */
  readonly language?: Language;
  readonly analysis?: Analysis<D>;
  /** Keep proofs of all equalities. */
  readonly explanations?: boolean;
}

/** A view of the analysis data: the whole of it, or the part of one of several analyses. */
interface Lens<D> {
  get(data: unknown): D;
  set(data: unknown, part: D): unknown;
}

interface Saved {
  readonly store: Snapshot;
  readonly data: unknown[];
  readonly operators: number;
  readonly proof: readonly [number, number];
}

/** What several views of one e-graph share. */
interface Shared {
  readonly options: EGraphOptions<unknown>;
  data: unknown[];
  readonly changes: Map<number, number>;
  operators: OperatorTable;
  readonly saved: Saved[];
  proof: ProofLog | undefined;
  failure: Diagnostic | undefined;
}

/**
 * A set of terms under an equivalence that is closed under congruence.
 *
 * `D` is the data that an analysis keeps for each class. `add` and `union` leave congruence to the
 * next `rebuild`; ask for classes, nodes and matches after one.
 */
export class EGraph<D = undefined> {
  /** The flat arrays underneath. For matchers and exporters; write to it through the e-graph. */
  readonly store: Store;
  /** Where the nodes lie sorted for matching. */
  readonly tables: Tables;
  private readonly shared: Shared;
  private readonly lens: Lens<D>;

  constructor(options: EGraphOptions<D> = {}) {
    const store = new Store();
    this.store = store;
    this.tables = new Tables();
    this.lens = { get: (data) => data as D, set: (_, part) => part };
    this.shared = {
      // The data array holds only what this analysis makes.
      options: options as EGraphOptions<unknown>,
      data: [],
      changes: new Map(),
      operators: new OperatorTable(payloadKey(options.language ?? anyLanguage)),
      saved: [],
      proof: options.explanations === true ? new ProofLog() : undefined,
      failure: undefined,
    };
    if (options.analysis !== undefined) this.attach(options.analysis as Analysis<unknown>);
    store.log = this.shared.proof;
  }

  /** The language that texts are read in. */
  get language(): Language {
    return this.shared.options.language ?? anyLanguage;
  }

  /** The number of nodes that are part of a class. */
  get nodeCount(): number {
    return this.store.liveNodes;
  }

  /** The number of classes. */
  get classCount(): number {
    return this.store.classes;
  }

  /** Bytes held in flat arrays: an estimate of the memory in use. */
  get byteSize(): number {
    return this.store.bytes + this.tables.bytes + (this.shared.proof?.bytes ?? 0);
  }

  /** Every operator that any node has had. */
  get operators(): ReadonlyArray<Operator> {
    return this.shared.operators.all;
  }

  /** The payload that a match has for a variable of payloads. */
  payloadAt(number: number): unknown {
    return this.shared.operators.payloads[number];
  }

  /** The number of a name with so many children, whatever the payload. */
  familyOf(name: string, arity: number): number {
    return this.shared.operators.familyOf(name, arity);
  }

  /** The log of equalities, if explanations are on. */
  get proofs(): ProofLog | undefined {
    return this.shared.proof;
  }

  /** What went wrong in a rebuild, for example an analysis that does not converge. */
  get failure(): Diagnostic | undefined {
    return this.shared.failure;
  }

  /** Whether `rebuild` has work to do. */
  get dirty(): boolean {
    return this.store.dirty;
  }

  /**
   * The operator with this content. Keep it: `addNode` with an operator is the fastest way.
   *
   * **Errors** throws a `DiagnosticsError` where the language has no such operator:
   * `EGRAPH_UNKNOWN_OPERATOR`, `EGRAPH_ARITY_MISMATCH`.
   */
  operator(name: string, arity: number, payload: unknown = undefined): Operator {
    const known = this.findOperator(name, arity, payload);
    if (known !== undefined) return known;
    const wrong = checkOperator(this.language, name, payload, arity);
    if (wrong !== undefined) orThrow(fail(wrong));
    const { operators } = this.shared;
    const made = operators.intern(name, arity, payload);
    const isBare = payload === undefined;
    this.store.setOperator(
      made.id,
      arity,
      isBare ? -1 : operators.familyOf(name, arity),
      isBare ? -1 : operators.numberOf(made),
    );
    return made;
  }

  /** The operator with this content, if any node ever had it. */
  findOperator(name: string, arity: number, payload: unknown = undefined): Operator | undefined {
    return this.shared.operators.find(name, arity, payload);
  }

  /** The operator of an atom of a text. */
  leafOperator(token: string): Operator {
    const { name, payload } = readLeaf(this.language, token);
    return this.operator(name, 0, payload);
  }

  /**
   * Adds a node; the class it is in.
   *
   * **Errors** throws a `DiagnosticsError`, as do all methods that take ids: `EGRAPH_UNKNOWN_CLASS`,
   * and those of {@link operator}.
   */
  add(name: string, children: ReadonlyArray<ClassId> = [], payload: unknown = undefined): ClassId {
    return this.addNode(this.operator(name, children.length, payload), children);
  }

  /** Adds a node of an operator of this e-graph; the class it is in. */
  addNode(operator: Operator, children: ReadonlyArray<ClassId>): ClassId {
    for (const child of children) this.find(child);
    return this.store.find(this.store.add(operator.id, children, -1)) as ClassId;
  }

  /**
   * Adds a term whose operators are known to be in the language; its class.
   *
   * **Errors** throws as {@link operator} does.
   *
   * **Complexity** linear in the distinct nodes.
   */
  addTerm(root: Term): ClassId {
    const add = foldDag<Term, number>(termChildren, (t, get) => {
      const { id } = this.operator(t.name, t.children.length, t.payload);
      return this.store.add(id, t.children.map(get), -1);
    });
    const id = add(root);
    // With proofs on, the id of the node itself stands for this very term.
    return (this.shared.proof === undefined ? this.store.find(id) : id) as ClassId;
  }

  /**
   * Adds a term after checking it against the language.
   *
   * **Errors** `EGRAPH_UNKNOWN_OPERATOR`, `EGRAPH_ARITY_MISMATCH`.
   */
  addChecked(root: Term): Result<ClassId> {
    for (const { name, payload, children } of postOrder(termChildren, [root])) {
      const wrong = checkOperator(this.language, name, payload, children.length);
      if (wrong !== undefined) return fail(wrong);
    }
    return ok(this.addTerm(root));
  }

  /**
   * Adds an s-expression.
   *
   * **Errors** those of `parseTerm`.
   */
  addExpr(text: string): Result<ClassId> {
    const parsed = parseTerm(text, this.language);
    return parsed._tag === 'Left' ? parsed : ok(this.addTerm(parsed.right));
  }

  /** The class of a node, if there is one. */
  lookup(
    name: string,
    children: ReadonlyArray<ClassId> = [],
    payload: unknown = undefined,
  ): ClassId | undefined {
    const operator = this.findOperator(name, children.length, payload);
    if (operator === undefined) return undefined;
    const n = this.store.lookup(operator.id, children.map(this.find, this));
    return n < 0 ? undefined : (this.store.find(n) as ClassId);
  }

  /** The class of a term, if the e-graph holds it. */
  lookupTerm(root: Term): ClassId | undefined {
    const lookup = foldDag<Term, ClassId | undefined>(termChildren, (t, get) => {
      const children = t.children.flatMap((child) => get(child) ?? []);
      return children.length < t.children.length
        ? undefined
        : this.lookup(t.name, children, t.payload);
    });
    return lookup(root);
  }

  /**
   * The class of an s-expression, `undefined` if the e-graph does not hold it.
   *
   * **Errors** those of `parseTerm`.
   */
  lookupExpr(text: string): Result<ClassId | undefined> {
    const parsed = parseTerm(text, this.language);
    return parsed._tag === 'Left' ? parsed : ok(this.lookupTerm(parsed.right));
  }

  /** The canonical id of a class. */
  find(id: ClassId): ClassId {
    const { store } = this;
    // Arrays are longer than what is used of them, and have nothing at −1, 0.5 and NaN.
    if (id >= store.size || store.uf[id] === undefined) orThrow(fail(unknownClass(id)));
    return store.find(id) as ClassId;
  }

  /** Makes two classes one; false if they were. `reason` names the step in explanations. */
  union(a: ClassId, b: ClassId, reason = 'union'): boolean {
    const proof = this.shared.proof;
    this.find(a);
    this.find(b);
    if (proof === undefined) return this.store.union(a, b);
    const before = this.store.reason;
    this.store.reason = proof.because(reason);
    const joined = this.store.union(a, b);
    this.store.reason = before;
    return joined;
  }

  /** Restores congruence and the analysis; the number of unions that followed. */
  rebuild(): number {
    const before = this.store.unions;
    while (!this.rebuildStep(1 << 20)) {}
    return this.store.unions - before;
  }

  /** A part of `rebuild`, at most about `budget` nodes long; true when it is complete. */
  rebuildStep(budget: number): boolean {
    const { store, shared } = this;
    if (store.unmodified.length > 0 && store.liveNodes < store.nodeLimit) {
      for (const c of store.unmodified.splice(0)) store.modify(store.find(c));
    }
    if (!store.rebuildStep(budget)) return false;
    shared.changes.clear();
    return true;
  }

  /** The data of a class. */
  data(id: ClassId): D {
    return this.lens.get(this.shared.data[this.find(id)]);
  }

  /** Replaces the data of a class; the next rebuild carries it on. */
  setData(id: ClassId, data: D): void {
    const c = this.find(id);
    this.shared.data[c] = this.lens.set(this.shared.data[c], data);
    this.store.touchParents(c);
    this.store.modify(c);
  }

  /** Takes the nodes for which `keep` is false out of a class; they are still found by `lookup`. */
  prune(id: ClassId, keep: (node: NodeId) => boolean): void {
    this.store.prune(this.find(id), keep as (n: number) => boolean);
  }

  /** The canonical ids of all classes, in ascending order. */
  classes(): ReadonlyArray<ClassId> {
    const ids: ClassId[] = [];
    this.forEachClass((id) => ids.push(id));
    return ids;
  }

  /** Calls `visit` with the canonical id of every class, in ascending order. */
  forEachClass(visit: (id: ClassId) => void): void {
    const { uf, size } = this.store;
    for (let c = 0; c < size; c++) if (uf[c] === c) visit(c as ClassId);
  }

  /** The nodes of a class. */
  nodes(id: ClassId): ReadonlyArray<NodeId> {
    const ids: NodeId[] = [];
    this.forEachNode(id, (n) => ids.push(n));
    return ids;
  }

  /** Calls `visit` with every node of a class. */
  forEachNode(id: ClassId, visit: (node: NodeId) => void): void {
    const { next, status } = this.store;
    const root: number = this.find(id);
    let n = root;
    do {
      if (status[n] === LIVE) visit(n as NodeId);
      n = next[n] as number;
    } while (n !== root);
  }

  /** The classes that hold a node of this name, in ascending order. */
  classesForOp(name: string, arity?: number): ReadonlyArray<ClassId> {
    const isWanted = (n: NodeId): boolean => {
      const o = this.operatorOf(n);
      return o.name === name && (arity === undefined || o.arity === arity);
    };
    return this.classes().filter((id) => this.nodes(id).some(isWanted));
  }

  /** The canonical id of the class of a node. */
  classOf(n: NodeId): ClassId {
    return this.store.find(n) as ClassId;
  }

  /** The operator of a node: name, arity and payload. */
  operatorOf(n: NodeId): Operator {
    return this.operators[this.store.nodes[n * 4] as number] as Operator;
  }

  /** The canonical id of child `i` of a node. */
  child(n: NodeId, i: number): ClassId {
    return this.store.find(this.store.child(n, i)) as ClassId;
  }

  /** The canonical ids of the children of a node. */
  childrenOf(n: NodeId): ReadonlyArray<ClassId> {
    const { arity } = this.operatorOf(n);
    const ids = new Array<ClassId>(arity);
    for (let i = 0; i < arity; i++) ids[i] = this.child(n, i);
    return ids;
  }

  /** A term as an s-expression of the language. */
  print(t: Term): string {
    return printTermIn(this.language, t);
  }

  /** How the operator of a node is written. */
  printOperator(n: NodeId): string {
    const { name, payload } = this.operatorOf(n);
    return printIn(this.language, name, payload);
  }

  /**
   * Remembers this state, after a rebuild, for `pop`.
   *
   * **Complexity** copies the arrays: a few milliseconds for 50,000 nodes.
   */
  push(): void {
    this.rebuild();
    const { store, shared } = this;
    shared.saved.push({
      store: store.snapshot(),
      data: [...shared.data],
      operators: this.operators.length,
      proof: shared.proof?.mark() ?? [0, 0],
    });
  }

  /**
   * Returns to the state of the last `push`, exactly.
   *
   * **Errors** `EGRAPH_NOTHING_TO_POP`.
   */
  pop(): Result<undefined> {
    const { store, shared } = this;
    const saved = shared.saved.pop();
    if (saved === undefined) return fail(nothingToPop());
    store.restore(saved.store);
    shared.data = saved.data;
    shared.operators.truncate(saved.operators);
    shared.proof?.truncate(saved.proof);
    shared.failure = undefined;
    this.tables.reset();
    return ok(undefined);
  }

  /** A copy that shares nothing with this e-graph but the payloads and the analysis data. */
  clone(): EGraph<D> {
    this.rebuild();
    const { shared } = this;
    const copy = new EGraph<D>(shared.options as EGraphOptions<D>);
    copy.store.restore(this.store.snapshot());
    copy.shared.data = [...shared.data];
    copy.shared.operators = shared.operators.clone();
    if (shared.proof !== undefined) {
      copy.shared.proof = shared.proof.clone();
      copy.store.log = copy.shared.proof;
    }
    return copy;
  }

  /** The same e-graph with another view of its data: see `composeAnalyses`. */
  withData<P>(get: (data: D) => P, set: (data: D, part: P) => unknown): EGraph<P> {
    const { lens } = this;
    return Object.create(this, {
      lens: {
        value: {
          get: (data: unknown) => get(lens.get(data)),
          set: (data: unknown, part: P) => lens.set(data, set(lens.get(data), part) as D),
        } satisfies Lens<P>,
      },
    }) as EGraph<P>;
  }

  /** Counts the changes of a class's data in this rebuild; false when there are too many. */
  private converges(c: number, name: string): boolean {
    const { changes } = this.shared;
    const count = (changes.get(c) ?? 0) + 1;
    changes.set(c, count);
    if (count <= MAX_DATA_CHANGES) return true;
    this.shared.failure = analysisDiverges(name, MAX_DATA_CHANGES);
    return false;
  }

  private attach(analysis: Analysis<unknown>): void {
    const { store, shared } = this;
    // Only data of this analysis is ever in the e-graph.
    const whole = this as unknown as EGraph<unknown>;
    const { make, merge, modify, name } = analysis;
    const equal = analysis.equal ?? Object.is;
    const remake = analysis.remake ?? make;
    store.hooks = {
      made: (n) => {
        const own = make(whole, n as NodeId);
        const c = store.find(n);
        if (c === n) {
          shared.data[n] = own;
        } else {
          shared.data[n] = undefined;
          const old = shared.data[c];
          const joined = own === old ? old : merge(old, own);
          if (joined !== old && !equal(joined, old)) {
            shared.data[c] = joined;
            store.touchParents(c);
          }
        }
        if (modify !== undefined) store.modify(c);
      },
      merged: (root, loser) => {
        const a = shared.data[root];
        const b = shared.data[loser];
        if (a === b) return 0;
        const joined = merge(a, b);
        const changed = (equal(joined, a) ? 0 : 1) | (equal(joined, b) ? 0 : 2);
        if ((changed & 1) !== 0) shared.data[root] = joined;
        return changed;
      },
      remade: (n) => {
        const c = store.find(n);
        const old = shared.data[c];
        const joined = merge(old, remake(whole, n as NodeId));
        if (joined === old || equal(joined, old) || !this.converges(c, name)) return false;
        shared.data[c] = joined;
        return true;
      },
      modify: (c) => modify?.(whole, c as ClassId),
    };
  }
}
