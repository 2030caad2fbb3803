/** A region: the part of a function that is evaluated in one scope, as an e-graph. */

import { invariant, isRight, memoFold, postOrder, remember } from '@baton/base';
import { type Analysis, type ClassId, EGraph, type Language, type NodeId } from '@baton/egraph';
import {
  type Attrs,
  type Call,
  type Constant,
  call,
  type Expr,
  effectOf,
  type Func,
  type GlobalVar,
  type IRModule,
  isTotal,
  keepType,
  noAttrs,
  postOrderExprs,
  type Type,
  tuple,
  tupleGetItem,
  typeChildren,
  typeEqual,
  typeOf,
  unifyTypes,
} from '@baton/ir';
import { callOp, mayHaveBias } from '@baton/ops';
import { type Count, isDecidedByCallers, isPrimitive } from '@baton/pass-manager';
import { type Allowance, IN_CLASSES } from '../match/apply.ts';
import { foldedCall, isCompileTime } from '../match/fold.ts';
import { partsOf } from '../match/parts.ts';
import {
  type Chosen,
  CONSTANT,
  FIELD,
  FUNCTION_CALL,
  type Head,
  headOf,
  isEverywhere,
  KERNEL,
  OPAQUE,
  type OpaqueNode,
  TUPLE,
} from './language.ts';

/**
 * The knowledge about a class: an expression that has its value, the most constant one known, or
 * else a product, to which a bias may belong.
 */
export interface ClassFacts {
  readonly term: Expr;
}

const regions = new WeakMap<EGraph<ClassFacts>, Region>();

/** The region of an e-graph that one has. */
export function regionOf(graph: EGraph<ClassFacts>): Region {
  const region = regions.get(graph);
  invariant(region !== undefined, 'rules of regions run in regions');
  return region;
}

/** What a region may do to the values of a function. */
export interface Freedoms {
  /** Whether a node may reveal more of its type and value than before. */
  readonly tellsMore: boolean;
  /** Whether a quotient may be rounded at another step of the computation. */
  readonly dividing: boolean;
}

/** What a region may do, and whether it keeps proofs. */
export interface RegionOptions extends Freedoms {
  readonly keepsProofs: boolean;
}

/** The expressions of one block, and those that rules have made equal to them. */
export class Region {
  readonly graph: EGraph<ClassFacts>;
  readonly m: IRModule;
  /** Counts rows of the report. */
  readonly count: Count;
  /** Whether a node may reveal more of its type and value than before. */
  readonly tellsMore: boolean;
  /** The steps that rules may take. */
  readonly allows: Allowance;
  /** The names of all nodes that have been added. */
  readonly names: Set<string> = new Set();
  /** The class of each expression that has been added. */
  readonly #classes = new Map<Expr, ClassId>();
  /** The expressions of the function itself. */
  readonly #own = new Map<Expr, ClassId>();
  /** The expressions into which the region does not look. */
  readonly #opaque = new Map<Expr, OpaqueNode>();
  readonly #seen = new Set<string>();
  /** The expression of each node when it was added. */
  readonly #exprs = new Map<NodeId, Expr>();
  /** The expression of the node that is being added. */
  #adding: Expr | undefined;
  /** Whether expressions of a class have several types. */
  #isRefined = false;

  constructor(m: IRModule, language: Language, count: Count, options: RegionOptions) {
    const { tellsMore, dividing, keepsProofs } = options;
    this.m = m;
    this.allows = { ...IN_CLASSES, dividing };
    this.count = count;
    this.tellsMore = tellsMore;
    const analysis = this.#analysis();
    this.graph = new EGraph<ClassFacts>({ language, analysis, explanations: keepsProofs });
    regions.set(this.graph, this);
  }

  /** The class of an expression that has been added. */
  classOf(expr: Expr): ClassId {
    const known = this.#classes.get(expr);
    invariant(known !== undefined, 'an expression is added after what it uses');
    return this.graph.find(known);
  }

  /** An expression of a class. */
  termOf(id: ClassId): Expr {
    return this.graph.data(id).term;
  }

  /** The expression of a node into which the region looks, of these parts. */
  exprWith(node: NodeId, parts: ReadonlyArray<Expr>): Expr {
    const added = this.#exprs.get(node);
    if (added !== undefined && partsOf(added).every((part, i) => part === parts[i])) return added;
    const { name, payload } = this.graph.operatorOf(node);
    const made = exprOf(name, payload, parts, this.m);
    if (added !== undefined) keepType(this.m, added, made);
    return made;
  }

  /** Whether nothing but a value is lost if a class is left out. */
  isTotal(id: ClassId): boolean {
    return isTotal(this.m, this.termOf(id));
  }

  /** From now on a class has the expression whose type says the most. */
  refine(): void {
    this.#isRefined = true;
  }

  has(expr: Expr): boolean {
    return this.#classes.has(expr);
  }

  /** Has an expression stand for the value of a class. */
  stand(expr: Expr, id: ClassId): void {
    this.#classes.set(expr, id);
  }

  /** The expressions of this block into which the region does not look. */
  closed(): ReadonlyArray<Expr> {
    return [...this.#opaque.values()].filter(({ isOuter }) => !isOuter).map(({ expr }) => expr);
  }

  /** Takes the node of an expression into which the region does not look out of its class. */
  leaveOut(expr: Expr): void {
    const payload = this.#opaque.get(expr);
    const { graph } = this;
    const operator = graph.findOperator(OPAQUE, this.partsIn(expr).length, payload);
    graph.prune(this.classOf(expr), (node) => graph.operatorOf(node) !== operator);
  }

  /** Adds an expression of the function whose parts have been added. */
  addOpen(expr: Expr): void {
    this.#own.set(expr, this.#addNode(expr));
  }

  /** Adds an expression into which the region does not look, and what it uses of the region. */
  addOpaque(expr: Expr, needs: ReadonlyArray<Expr>): void {
    this.#addOpaque({ expr, needs, isOuter: false });
  }

  /** Adds a value that comes from an outer scope, unless it is there. A constant is one everywhere. */
  addOuter(expr: Expr): void {
    if (this.has(expr)) return;
    if (expr._tag === 'Constant' && isOpen(this.m, expr)) this.addOpen(expr);
    else this.#addOpaque({ expr, needs: [], isOuter: true });
  }

  #addOpaque(payload: OpaqueNode): void {
    const { expr, needs } = payload;
    this.#opaque.set(expr, payload);
    const needed = needs.map((need) => this.classOf(need));
    this.#own.set(expr, this.#put(expr, needed, { name: OPAQUE, payload }));
  }

  /** The node of an expression of the function. */
  headIn(expr: Expr): Head {
    const opaque = this.#opaque.get(expr);
    const head = opaque === undefined ? headOf(expr) : { name: OPAQUE, payload: opaque };
    invariant(head !== undefined, 'a region has what was added');
    return head;
  }

  /** The expressions of the function that are the children of an expression's node. */
  partsIn(expr: Expr): ReadonlyArray<Expr> {
    return this.#opaque.get(expr)?.needs ?? partsOf(expr);
  }

  /** Adds what was chosen for a block inside, and returns its class. */
  addChosen(root: Chosen): ClassId {
    const added = new Map<Chosen, ClassId>();
    const below = ({ children: parts }: Chosen): ReadonlyArray<Chosen> => parts;
    for (const chosen of postOrder(below, [root])) {
      const ids = chosen.children.map((child) => added.get(child) as ClassId);
      added.set(chosen, this.#classOfChosen(chosen, ids));
    }
    return added.get(root) as ClassId;
  }

  #classOfChosen({ name, payload }: Chosen, children: ReadonlyArray<ClassId>): ClassId {
    if (name !== OPAQUE) return this.graph.add(name, children, payload);
    const { expr, isOuter } = payload as OpaqueNode;
    if (isOuter || isEverywhere(expr)) {
      this.addOuter(expr);
      return this.classOf(expr);
    }
    return this.graph.add(name, children, payload);
  }

  /** Adds the new nodes of an expression that a rule has made, and returns its class. */
  addMade(expr: Expr): ClassId {
    const isLeaf = (e: Expr): boolean => e._tag === 'Op' || isPrimitive(e) || this.has(e);
    for (const node of postOrderExprs([expr], isLeaf)) this.#addNode(node);
    return this.classOf(expr);
  }

  #addNode(expr: Expr): ClassId {
    const head = headOf(expr);
    invariant(head !== undefined, 'a region looks into what it adds');
    return this.#put(
      expr,
      partsOf(expr).map((part) => this.classOf(part)),
      head,
    );
  }

  #put(expr: Expr, children: ReadonlyArray<ClassId>, { name, payload }: Head): ClassId {
    const id = this.#made(expr, () => this.graph.add(name, children, payload));
    this.#classes.set(expr, id);
    return id;
  }

  /** Adds the node of an expression. Adding throws at a limit, and then the next node is another's. */
  #made(expr: Expr, add: () => ClassId): ClassId {
    this.#adding = expr;
    try {
      return add();
    } finally {
      // A node that is there already has facts.
      this.#adding = undefined;
    }
  }

  /** Whether a match or a call, by its key, is looked at for the first time. */
  isNew(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /** The expressions of the function in each class. */
  origins(): ReadonlyMap<ClassId, ReadonlyArray<Expr>> {
    const found = new Map<ClassId, Expr[]>();
    for (const [expr, id] of this.#own) {
      remember(found, this.graph.find(id), () => [] as Expr[]).push(expr);
    }
    return found;
  }

  #analysis(): Analysis<ClassFacts> {
    const rank = ({ term }: ClassFacts): number => {
      if (term._tag === 'Constant') return 3;
      if (isCompileTime(this.m, term)) return 2;
      return Number(mayHaveBias(term, this.m.ops));
    };
    return {
      name: 'facts',
      make: (_, node) => {
        this.names.add(this.graph.operatorOf(node).name);
        const known = this.graph.childrenOf(node).map((id) => this.graph.data(id).term);
        const term = this.#adding ?? this.#added(node, known);
        this.#adding = undefined;
        this.#exprs.set(node, term);
        const folded = this.tellsMore ? foldedCall(this.m, term, known, IN_CLASSES) : undefined;
        return { term: folded ?? term };
      },
      // The older of two constants wins: the last bits of equal values may differ.
      merge: (a, b) => {
        const [first, second] = [rank(a), rank(b)];
        const isBetter = first < second || (first === second && this.#tellsMore(b, a));
        return isBetter ? b : a;
      },
      modify: (graph, id) => {
        const { term } = graph.data(id);
        if (term._tag !== 'Constant') return;
        const known = this.#classes.get(term) ?? this.#addNode(term);
        graph.union(id, known, 'constant folding');
        // The ways to make a constant are without end.
        graph.prune(id, (node) => graph.operatorOf(node).name === CONSTANT);
      },
    };
  }

  /** Whether the type of a term says more than the type of another. */
  #tellsMore(now: ClassFacts, was: ClassFacts): boolean {
    if (!this.#isRefined) return false;
    const [type, old] = [typeOf(this.m, now.term), typeOf(this.m, was.term)];
    if (type === undefined || old === undefined) return false;
    return !typeEqual(type, old) && saysMore(type, old);
  }

  /** An expression of a new node, from those of its children. */
  #added(node: NodeId, children: ReadonlyArray<Expr>): Expr {
    const made = this.exprWith(node, children);
    this.#classes.set(made, this.graph.classOf(node));
    return made;
  }
}

/** Whether a type says of a value all that another one says. */
export function saysMore(type: Type, other: Type): boolean {
  const met = unifyTypes(type, other);
  return isRight(met) && typeEqual(met.right, other);
}

/** Whether regions look into an expression; if not, it is opaque. */
export function isOpen(m: IRModule, expr: Expr): boolean {
  if (headOf(expr) === undefined || typeOf(m, expr) === undefined) return false;
  return expr._tag !== 'Call' || (isLikeEqualOnes(m, expr) && !isDecidedByCallers(m, expr));
}

/**
 * Whether equal calls are one: they do nothing that others notice, with the effects of their arguments
 * left out, and do not make a reference each.
 */
export function isLikeEqualOnes(m: IRModule, call: Call): boolean {
  const { op } = call;
  if (op._tag === 'Op') return m.ops.get(op.name)?.effect !== 'stateful';
  const effect = effectOf(m, op._tag === 'Function' ? op.body : call);
  const type = typeOf(m, call);
  return effect === 'total' || (effect === 'partial' && type !== undefined && isOfTensors(type));
}

/** Whether a type is made of tensors alone: its values hold no reference. */
const isOfTensors: (type: Type) => boolean = memoFold<Type, boolean>(
  typeChildren,
  (type, get) =>
    type._tag === 'TensorType' || (type._tag === 'TupleType' && type.fields.every(get)),
);

/** The expression of a node into which regions look. */
export function exprOf(
  name: string,
  payload: unknown,
  children: ReadonlyArray<Expr>,
  m: IRModule,
  span?: Expr['span'],
): Expr {
  if (name === CONSTANT) return payload as Constant;
  if (name === OPAQUE) return (payload as OpaqueNode).expr;
  if (name === TUPLE) return tuple(children, span);
  if (name === KERNEL || name === FUNCTION_CALL) {
    return call(payload as Func | GlobalVar, children, { span });
  }
  if (name === FIELD) return tupleGetItem(children[0] as Expr, payload as number, span);
  return callOp(m.ops, name, children, (payload as Attrs | undefined) ?? noAttrs, span);
}
