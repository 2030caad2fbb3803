/** The e-graph: its public operations over the store. */
import {
  andThen,
  type Diagnostic,
  fail,
  memoFold,
  ok,
  orThrow,
  postOrder,
  type Result,
} from '@baton/base';
import { nothingToPop, unknownClass } from './diagnostics.ts';
import { type ClassData, dataHooks } from './facts.ts';
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
import { LIVE, setOperator } from './store/nodes.ts';
import { type Operator, OperatorTable } from './store/operators.ts';
import { isDirty, rebuildStep } from './store/rebuild.ts';
import { prune, restore, type Snapshot, Store, snapshot } from './store/store.ts';
import { Tables } from './store/tables.ts';
import { type Term, termChildren } from './term.ts';

/**
 * Data kept for every class: a value of a lattice, computed from the class's nodes.
 *
 * `merge` is the join. It returns its first argument itself if the second adds nothing, and its
 * second argument itself if the first adds nothing: the e-graph learns from this which side
 * changed. If equal values may be different objects, `equal` compares them.
 */
export interface Analysis<D> {
  readonly name: string;
  /** The data of one node, from its operator and the data of its children. */
  readonly make: (egraph: EGraph<D>, node: NodeId) => D;
  readonly merge: (a: D, b: D) => D;
  readonly equal?: (a: D, b: D) => boolean;
  /** Like `make`, after the data of a child has changed; `make` itself by default. */
  readonly remake?: (egraph: EGraph<D>, node: NodeId) => D;
  /** May add nodes, unite or prune, now that the data of `id` may be new. Must be idempotent. */
  readonly modify?: (egraph: EGraph<D>, id: ClassId) => void;
}

export interface EGraphOptions<D> {
  /** The operators and the reading of leaves; by default any text is allowed. */
  readonly language?: Language;
  readonly analysis?: Analysis<D>;
  /** Keep proofs of all equalities. */
  readonly explanations?: boolean;
}

interface Saved {
  readonly store: Snapshot;
  readonly data: unknown[];
  readonly operators: number;
  readonly proofs: ProofLog | undefined;
}

export class EGraph<D = undefined> {
  /** The flat arrays, for matchers and exporters; write to them through the e-graph. */
  readonly store: Store = new Store();
  /** The nodes in the order of matching. */
  readonly tables: Tables = new Tables();
  declare readonly language: Language;
  /** Every operator that any node has had. */
  declare readonly operators: ReadonlyArray<Operator>;
  /** The log of equalities, if explanations are on. */
  declare readonly proofs: ProofLog | undefined;
  declare private readonly options: EGraphOptions<unknown>;
  declare private readonly table: OperatorTable;
  private readonly facts: ClassData = { data: [], changes: new Map(), failure: undefined };
  private readonly saved: Saved[] = [];

  constructor(options: EGraphOptions<D> = {}) {
    const { analysis, explanations, language = anyLanguage } = options;
    this.language = language;
    this.table = new OperatorTable(payloadKey(language));
    this.operators = this.table.all;
    this.proofs = explanations ? new ProofLog() : undefined;
    // The data holds only what this analysis makes.
    this.options = options as EGraphOptions<unknown>;
    const whole = this as unknown as EGraph<unknown>;
    this.store.log = this.proofs;
    if (analysis) {
      this.store.hooks = dataHooks(whole, analysis as Analysis<unknown>, this.store, this.facts);
    }
  }

  get nodeCount(): number {
    return this.store.liveNodes;
  }

  get classCount(): number {
    return this.store.classes;
  }

  /** Bytes held in flat arrays: an estimate of the memory in use. */
  get byteSize(): number {
    return this.store.bytes + this.tables.bytes + (this.proofs?.bytes ?? 0);
  }

  /** The payload of a match for a variable of payloads. */
  payloadAt(number: number): unknown {
    return this.table.payloads[number];
  }

  /** The number of a name with this many children, for any payload. */
  familyOf(name: string, arity: number): number {
    return this.table.familyOf(name, arity);
  }

  /** The failure of a rebuild, for example by an analysis that does not converge. */
  get failure(): Diagnostic | undefined {
    return this.facts.failure;
  }

  /** Whether `rebuild` has work to do. */
  get dirty(): boolean {
    return isDirty(this.store);
  }

  /**
   * The operator with this content. Keep it: `addNode` with an operator is the fastest way.
   *
   * **Errors** throws a `DiagnosticsError` if the language has no such operator:
   * `EGRAPH_UNKNOWN_OPERATOR`, `EGRAPH_ARITY_MISMATCH`.
   */
  operator(name: string, arity: number, payload?: unknown): Operator {
    const known = this.findOperator(name, arity, payload);
    if (known) return known;
    const wrong = checkOperator(this.language, { name, payload }, arity);
    if (wrong) orThrow(fail(wrong));
    const made = this.table.intern(name, arity, payload);
    const family = payload === undefined ? -1 : this.familyOf(name, arity);
    setOperator(this.store, made.id, arity, family, this.table.numberOf(made));
    return made;
  }

  /** The operator with this content, if any node ever had it. */
  findOperator(name: string, arity: number, payload?: unknown): Operator | undefined {
    return this.table.find(name, arity, payload);
  }

  /** The operator of an atom of a text. */
  leafOperator(token: string): Operator {
    const { name, payload } = readLeaf(this.language, token);
    return this.operator(name, 0, payload);
  }

  /**
   * Adds a node, and returns its class.
   *
   * **Errors** throws a `DiagnosticsError`, as do all methods that take ids:
   * `EGRAPH_UNKNOWN_CLASS`, and the errors of {@link operator}.
   */
  add(name: string, children: ReadonlyArray<ClassId> = [], payload?: unknown): ClassId {
    return this.addNode(this.operator(name, children.length, payload), children);
  }

  /** Adds a node of an operator of this e-graph, and returns its class. */
  addNode(operator: Operator, children: ReadonlyArray<ClassId>): ClassId {
    for (const child of children) this.find(child);
    return this.store.find(this.store.add(operator.id, children, -1)) as ClassId;
  }

  /**
   * Adds a term whose operators are known to be in the language, and returns its class.
   *
   * **Errors** throws as {@link operator} does.
   *
   * **Complexity** linear in the distinct nodes.
   */
  addTerm(root: Term): ClassId {
    const add = memoFold<Term, number>(termChildren, (t, get) => {
      const { id } = this.operator(t.name, t.children.length, t.payload);
      return this.store.add(id, t.children.map(get), -1);
    });
    const id = add(root);
    // With proofs on, the id of the node itself stands for this very term.
    return (this.proofs ? id : this.store.find(id)) as ClassId;
  }

  /**
   * Adds a term after checking it against the language.
   *
   * **Errors** `EGRAPH_UNKNOWN_OPERATOR`, `EGRAPH_ARITY_MISMATCH`.
   */
  addChecked(root: Term): Result<ClassId> {
    for (const t of postOrder(termChildren, [root])) {
      const wrong = checkOperator(this.language, t, t.children.length);
      if (wrong) return fail(wrong);
    }
    return ok(this.addTerm(root));
  }

  /** Adds an s-expression. **Errors** of `parseTerm`. */
  addExpr(text: string): Result<ClassId> {
    return andThen(parseTerm(text, this.language), (t) => ok(this.addTerm(t)));
  }

  lookup(
    name: string,
    children: ReadonlyArray<ClassId> = [],
    payload?: unknown,
  ): ClassId | undefined {
    const operator = this.findOperator(name, children.length, payload);
    if (!operator) return undefined;
    const n = this.store.lookup(operator.id, children.map(this.find, this));
    return n < 0 ? undefined : (this.store.find(n) as ClassId);
  }

  lookupTerm(root: Term): ClassId | undefined {
    const lookup = memoFold<Term, ClassId | undefined>(termChildren, (t, get) => {
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
   * **Errors** of `parseTerm`.
   */
  lookupExpr(text: string): Result<ClassId | undefined> {
    return andThen(parseTerm(text, this.language), (t) => ok(this.lookupTerm(t)));
  }

  find(id: ClassId): ClassId {
    const { store } = this;
    // Arrays are longer than their used part, and have no element at −1, 0.5 and NaN.
    if (!(id < store.size) || store.uf[id] === undefined) orThrow(fail(unknownClass(id)));
    return store.find(id) as ClassId;
  }

  /** Makes two classes one; returns false if they were. `reason` names the step in explanations. */
  union(a: ClassId, b: ClassId, reason = 'union'): boolean {
    const { proofs } = this;
    this.find(a);
    this.find(b);
    if (!proofs) return this.store.union(a, b);
    const before = this.store.reason;
    this.store.reason = proofs.because(reason);
    const joined = this.store.union(a, b);
    this.store.reason = before;
    return joined;
  }

  /** Restores congruence and the analysis, and returns the number of resulting unions. */
  rebuild(): number {
    const before = this.store.unions;
    while (!this.rebuildStep(1 << 20)) {}
    return this.store.unions - before;
  }

  /** A part of `rebuild`, at most about `budget` nodes long; true when the rebuild is complete. */
  rebuildStep(budget: number): boolean {
    const { store } = this;
    if (store.unmodified.length > 0 && store.liveNodes < store.nodeLimit) {
      for (const c of store.unmodified.splice(0)) store.modify(store.find(c));
    }
    if (!rebuildStep(store, budget)) return false;
    this.facts.changes.clear();
    return true;
  }

  data(id: ClassId): D {
    // The data holds only values made by the analysis of this e-graph.
    return this.facts.data[this.find(id)] as D;
  }

  /** Replaces the data of a class; the next rebuild propagates it. */
  setData(id: ClassId, data: D): void {
    const c = this.find(id);
    this.facts.data[c] = data;
    this.store.touchParents(c);
    this.store.modify(c);
  }

  /** Removes the nodes for which `keep` is false from a class; `lookup` still finds them. */
  prune(id: ClassId, keep: (node: NodeId) => boolean): void {
    prune(this.store, this.find(id), keep as (n: number) => boolean);
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

  classOf(n: NodeId): ClassId {
    return this.store.find(n) as ClassId;
  }

  operatorOf(n: NodeId): Operator {
    return this.operators[this.store.nodes[n * 4] as number] as Operator;
  }

  /** The canonical id of child `i` of a node. */
  child(n: NodeId, i: number): ClassId {
    return this.store.find(this.store.child(n, i)) as ClassId;
  }

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

  printOperator(n: NodeId): string {
    const { name, payload } = this.operatorOf(n);
    return printIn(this.language, name, payload);
  }

  /**
   * Saves this state, after a rebuild, for `pop`.
   *
   * **Complexity** copies the arrays: a few milliseconds for 50,000 nodes.
   */
  push(): void {
    this.saved.push(this.state());
  }

  /** Restores exactly the state of the last `push`. **Errors** `EGRAPH_NOTHING_TO_POP`. */
  pop(): Result<undefined> {
    const saved = this.saved.pop();
    if (!saved) return fail(nothingToPop());
    this.become(saved);
    this.table.truncate(saved.operators);
    this.tables.reset();
    return ok(undefined);
  }

  /** A copy that shares only the payloads and the analysis data with this e-graph. */
  clone(): EGraph<D> {
    const copy = new EGraph<D>(this.options as EGraphOptions<D>);
    copy.become(this.state());
    copy.table.become(this.table);
    return copy;
  }

  private state(): Saved {
    this.rebuild();
    return {
      store: snapshot(this.store),
      data: [...this.facts.data],
      operators: this.operators.length,
      proofs: this.proofs && new ProofLog().become(this.proofs),
    };
  }

  private become({ data, proofs, store }: Saved): void {
    restore(this.store, store);
    if (proofs) this.proofs?.become(proofs);
    this.facts.data = data;
    this.facts.failure = undefined;
  }

  /** The same e-graph with another view of its data: see `composeAnalyses`. */
  withData<P>(get: (data: D) => P, set: (data: D, part: P) => unknown): EGraph<P> {
    return Object.create(this, {
      data: { value: (id: ClassId) => get(this.data(id)) },
      setData: {
        value: (id: ClassId, part: P) => this.setData(id, set(this.data(id), part) as D),
      },
    }) as EGraph<P>;
  }
}
