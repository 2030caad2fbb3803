/**
 * The solver of one definition: unification that reports, and relations that wait until the holes
 * in their inputs are filled ([types §3.2](https://batonjs.github.io/baton/spec/types#3.2)).
 */
import type { Diagnostic } from '@baton/base';
import { describeDim, describeType } from '../../describe/describe.ts';
import * as diagnose from '../../diagnostics.ts';
import type { Call, Constant, Expr, TupleGetItem } from '../../expr/expr.ts';
import type { OpInfo, OpTable } from '../../ops/op-table.ts';
import type { Attrs } from '../../types/attrs.ts';
import type { Dim } from '../../types/dim.ts';
import {
  type FuncType,
  isClosed,
  scalarType,
  type Type,
  type TypeRelation,
  tensorType,
  typeRelation,
} from '../../types/type.ts';
import { type IncompleteType, incompleteType, type ParamKind } from '../../types/variable.ts';
import { functionName, genericSize, TypeBudget } from './budget.ts';
import { answerOf, type Givens, makeGivenFinder } from './givens.ts';
import { Holes, OUTERMOST_LEVEL } from './holes.ts';
import { PROJECTION, RelationRunner, spanOf, type Where } from './relations.ts';
import { Unifier } from './unify.ts';

export interface Place {
  /** The node whose type is being found. */
  owner: Expr | undefined;
  /** The relations that hold there by assumption. */
  givens: Givens | undefined;
  /** The level of holes that arise here. */
  level: number;
}

/** A relation whose inputs are not known yet. */
export interface Pending extends Place {
  readonly relation: TypeRelation;
  /** The call of an operator that states it; a constraint has none. */
  readonly call: Call | undefined;
  readonly span: Where;
  queued: boolean;
  done: boolean;
}

/** The name of an equation of dimensions, which can be postponed, but which no type can state. */
const EQUATION = '=';

/** Whether a relation is a constraint that a type could state, and still pending. */
export const isOpen = ({ done, relation }: Pending): boolean => !done && relation.name !== EQUATION;

/** Solves the types of one definition at a time. */
export class Solver {
  readonly holes: Holes = new Holes((hole, successor) => this.#wake(hole, successor));
  readonly unifier: Unifier = new Unifier(this.holes, {
    fresh: (kind) => this.fresh(kind),
    opened: () => {
      this.hasMetRigid = true;
    },
    mayCopy: (type) => this.mayCopy(type, functionName(this.#place.owner), this.#span),
    post: (relation) => this.post(relation, this.#span),
    postpone: (a, b) => {
      const equation = typeRelation(EQUATION, [sizeType(a), sizeType(b)], 2);
      this.#keep(this.#stated(equation, undefined, this.#span));
    },
  });
  /** Everything that has ever waited, in order. */
  readonly pending: Pending[] = [];
  /** The dtypes of numbers without suffix. */
  readonly literals: IncompleteType[] = [];
  /** The relations that depend on the surroundings, by the node that posted them. */
  readonly assumptions: Map<Expr, TypeRelation[]> = new Map();
  /** The number of relations left to the surroundings, or solved by their assumptions. */
  assumed = 0;
  /** Whether type parameters were met as themselves: they may leave their scope. */
  hasMetRigid = false;
  readonly head: (type: Type) => Type = this.holes.head;
  readonly resolve: (type: Type) => Type = this.holes.resolve;
  readonly canonical: (name: string) => string;
  readonly budget: TypeBudget;
  readonly #runner: RelationRunner;
  readonly #watchers = new Map<IncompleteType, Pending[]>();
  readonly #place: Place = { owner: undefined, givens: undefined, level: OUTERMOST_LEVEL };
  #queue: Pending[] = [];
  #report: (d: Diagnostic) => void;
  /** The span of the current unification. */
  #span: Where;
  /** Whether assumptions that fit equally well are chosen by their order, as the last resort. */
  #isDeciding = false;

  constructor(
    ops: OpTable,
    report: (d: Diagnostic) => void = () => undefined,
    budget: TypeBudget = new TypeBudget(Number.POSITIVE_INFINITY),
  ) {
    this.#report = report;
    this.budget = budget;
    this.#runner = new RelationRunner({
      ops,
      holes: this.holes,
      unifier: this.unifier,
      report: (d) => this.#report(d),
      reportFailure: (mismatch, span) => this.#reportFailure(mismatch, span),
      reportRange: (literal, dtype) => this.reportRange(literal, dtype),
    });
    this.canonical = this.#runner.canonical;
  }

  /** Clears the state, and reports to this function from now on. */
  begin(report: (d: Diagnostic) => void): void {
    this.#report = report;
    this.holes.clear();
    this.unifier.clear();
    if (this.#watchers.size > 0) this.#watchers.clear();
    if (this.assumptions.size > 0) this.assumptions.clear();
    this.literals.length = 0;
    this.pending.length = 0;
    this.#queue = [];
    this.goTo(undefined, undefined, OUTERMOST_LEVEL);
    this.#span = undefined;
    this.assumed = 0;
    this.hasMetRigid = false;
  }

  /** Sets the node of the following operations. */
  goTo(owner: Expr | undefined, givens: Givens | undefined, level: number): void {
    this.#place.owner = owner;
    this.#place.givens = givens;
    this.#place.level = level;
  }

  /** A new hole, of the current level. */
  fresh(kind: ParamKind = 'Type'): IncompleteType {
    return this.holes.fresh(kind, this.#place.level);
  }

  /** The type of a number without suffix. */
  literal(node: Constant): Type {
    const hole = incompleteType('BaseType', node.literal);
    this.unifier.addLiteral(hole, node);
    this.literals.push(hole);
    return scalarType(hole);
  }

  /** Lowers the holes of a written type to the current level. */
  adopt(type: Type): void {
    const { level } = this.#place;
    if (level === OUTERMOST_LEVEL || isClosed(type)) return;
    for (const hole of this.holes.openHoles([type])) this.holes.setLevel(hole, level);
  }

  /** Makes two types equal; reports and returns `undefined` if they cannot be. */
  unify(expected: Type, found: Type, what: string, span: Where): Type | undefined {
    this.#span = span;
    const merged = this.unifier.types(expected, found);
    if (merged !== undefined) return merged;
    this.#reportFailure((notes) => {
      const [wanted, given] = [this.resolve(expected), this.resolve(found)].map(describeType);
      const hint = castHint(this.head(expected), this.head(found));
      return diagnose.typeMismatch(wanted ?? '', given ?? '', what, notes, spanOf(span), hint);
    }, span);
    return undefined;
  }

  /** Makes two types equal if they can be; the caller reports. */
  canUnify(a: Type, b: Type, span: Where): boolean {
    this.#span = span;
    return this.unifier.types(a, b) !== undefined;
  }

  /** Like `unify`, but the caller reports. Literals that do not fit are still reported here. */
  tryUnify(
    a: Type,
    b: Type,
    mismatch: (notes: ReadonlyArray<string>) => Diagnostic,
  ): Type | undefined {
    const merged = this.unifier.types(a, b);
    if (merged === undefined) this.#reportFailure(mismatch, undefined);
    return merged;
  }

  /** Whether a function's type may be copied; reports the first that may not. */
  mayCopy(type: FuncType, name: string, span: Where): boolean {
    const { budget } = this;
    const wasSpent = budget.isSpent;
    if (budget.take(type)) return true;
    if (!wasSpent) {
      const { limit } = budget;
      this.#report(diagnose.typeTooLarge(name, genericSize(type), limit, spanOf(span)));
    }
    return false;
  }

  /** The type of a call of an operator: a hole while the arguments are too incomplete. */
  relation(call: Call, op: OpInfo, args: ReadonlyArray<Type>, attrs: Attrs | undefined): Type {
    return this.#outputOf(op.relationName ?? op.name, args, attrs, call, call.span);
  }

  /** The type of a field: a hole while the tuple's type is one. */
  projection({ index, span }: TupleGetItem, tuple: Type): Type {
    const attrs = { index };
    return this.head(tuple)._tag === 'TupleType'
      ? (this.#runner.run(PROJECTION, [tuple], attrs, undefined, span) as Type)
      : this.#outputOf(PROJECTION, [tuple], attrs, undefined, span);
  }

  /** States a relation, which has to hold at the current node. */
  post(relation: TypeRelation, span: Where): void {
    const { args, inputCount, attrs } = relation;
    const problem = this.#runner.problem(relation, span);
    if (problem !== undefined) {
      this.#report(problem);
      return;
    }
    const name = this.canonical(relation.name);
    const stated = name === relation.name ? relation : typeRelation(name, args, inputCount, attrs);
    const one = this.#stated(stated, undefined, span);
    if (!this.#attempt(one)) this.#keep(one);
  }

  /** Runs the waiting relations that have learned something, until there are none. */
  solve(): void {
    if (this.#queue.length === 0) return;
    this.#elsewhere(() => {
      while (this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        for (const one of batch) {
          one.queued = false;
          if (one.done) continue;
          this.#visit(one);
          if (this.#attempt(one)) one.done = true;
          else this.#watch(one);
        }
      }
    });
  }

  /** Chooses among assumptions that differ only in outputs, for relations after `mark`. */
  decide(mark: number): void {
    this.#elsewhere(() => {
      for (let i = mark; i < this.pending.length; i++) {
        const one = this.pending[i] as Pending;
        if (one.done || one.givens === undefined) continue;
        this.#visit(one);
        this.#isDeciding = true;
        const isSolved = this.#attempt(one);
        this.#isDeciding = false;
        if (!isSolved) continue;
        one.done = true;
        this.solve();
      }
    });
  }

  /** The relations of a function in the form in which they hold inside it. */
  assuming(relations: ReadonlyArray<TypeRelation>, outer: Givens | undefined): Givens {
    return { find: makeGivenFinder(relations, this.resolve, this.canonical), outer };
  }

  /** Lets these relations answer for relations posted in the meantime. */
  assumingMeanwhile(relations: ReadonlyArray<TypeRelation>, work: () => void): void {
    this.#elsewhere(() => {
      const { givens } = this.#place;
      this.#place.givens = { ...this.assuming(relations, givens), isDemand: true };
      work();
    });
  }

  /** Lets these relations also answer the pending ones from `from` to `to`. */
  assumingFor(relations: ReadonlyArray<TypeRelation>, from: number, to: number): void {
    for (const one of this.pending.slice(from, to)) {
      if (!isOpen(one)) continue;
      one.givens = this.assuming(relations, one.givens);
      this.#enqueue(one);
    }
  }

  /** Reports a relation that holds for no types of its parameters. */
  check({ relation: { name, args, inputCount, attrs }, span }: Pending): void {
    this.#runner.run(name, args.slice(0, inputCount).map(this.resolve), attrs, undefined, span);
  }

  /** States that a relation now depends on the type of a surrounding function. */
  assume(one: Pending): void {
    one.done = true;
    this.#assume(one.owner, one.relation);
  }

  reportRange(literal: Constant, dtype: string): void {
    const value = literal.data.data[literal.data.offset];
    this.#report(diagnose.literalRange(String(value), dtype, literal.span));
  }

  #reportFailure(mismatch: (notes: ReadonlyArray<string>) => Diagnostic, span: Where): void {
    const { failure } = this.unifier;
    if (failure._tag === 'Infinite') this.#report(diagnose.infiniteType(spanOf(span)));
    else if (failure._tag === 'Mismatch') this.#report(mismatch(failure.notes));
    else if (failure._tag === 'Range') this.reportRange(failure.literal, failure.dtype);
  }

  /** Runs some work for other nodes, and comes back. */
  #elsewhere(work: () => void): void {
    const { owner, givens, level } = this.#place;
    work();
    this.goTo(owner, givens, level);
  }

  #visit({ owner, givens, level }: Pending): void {
    this.goTo(owner, givens, level);
  }

  #wake(hole: IncompleteType, successor: IncompleteType | undefined): void {
    const woken = this.#watchers.get(hole);
    if (woken === undefined) return;
    this.#watchers.delete(hole);
    if (successor !== undefined) {
      const others = this.#watchers.get(successor) ?? [];
      const [few, many] = woken.length < others.length ? [woken, others] : [others, woken];
      for (const one of few) many.push(one);
      this.#watchers.set(successor, many);
    }
    for (const one of woken) {
      // Two holes became one: little is known of it, but an assumption may now answer a relation.
      if (successor === undefined || one.givens !== undefined) this.#enqueue(one);
    }
  }

  #enqueue(one: Pending): void {
    if (one.queued || one.done) return;
    one.queued = true;
    this.#queue.push(one);
  }

  #watch(one: Pending): void {
    const wait = (hole: IncompleteType): void => {
      const others = this.#watchers.get(hole);
      if (others === undefined) this.#watchers.set(hole, [one]);
      else if (others.at(-1) !== one) others.push(one);
    };
    for (const arg of one.relation.args) this.holes.forEachHole(arg, wait);
  }

  #stated(relation: TypeRelation, call: Call | undefined, span: Where): Pending {
    const { owner, givens, level } = this.#place;
    return { relation, call, span, owner, givens, level, queued: false, done: false };
  }

  #keep(one: Pending): void {
    this.pending.push(one);
    this.#watch(one);
  }

  #assume(owner: Expr | undefined, relation: TypeRelation): void {
    this.assumed++;
    if (owner === undefined || owner._tag === 'Function') return;
    const known = this.assumptions.get(owner);
    if (known === undefined) this.assumptions.set(owner, [relation]);
    else known.push(relation);
  }

  /** Solves a relation if possible: `false` if it stays pending. */
  #attempt(one: Pending): boolean {
    const { relation, call, span, givens } = one;
    const { name, args, inputCount, attrs } = relation;
    if (name === EQUATION) return this.#equate(one);
    const inputs = args.slice(0, inputCount).map(this.resolve);
    const output = args[inputCount];
    const answer =
      output &&
      givens &&
      answerOf(
        typeRelation(name, inputs, inputs.length, attrs),
        this.resolve(output),
        givens,
        this.#isDeciding,
      );
    if (output !== undefined && answer !== undefined) {
      const { given, by } = answer;
      if (given === 'several') return false;
      this.#assume(by.isDemand === true ? undefined : one.owner, relation);
      this.unify(output, given.args[given.inputCount] as Type, 'a result', span);
      return true;
    }
    const result = this.#runner.run(name, inputs, attrs, call, span);
    if (result === undefined) return false;
    const { isDecided } = this.#runner;
    if (output === undefined) return isDecided;
    // Two type parameters may turn out to be one where the function is called: nothing says it yet.
    if (!isDecided && this.head(output)._tag === 'TypeVar') return false;
    this.unify(output, result, 'a result', span);
    return isDecided;
  }

  /** Tries an equation again: if it is still open, it is postponed once more. */
  #equate({ relation, span }: Pending): true {
    this.#span = span;
    const [a, b] = relation.args.map(sizeOf);
    if (a === undefined || b === undefined || this.unifier.dims.unify(a, b) !== undefined)
      return true;
    const [left, right] = [this.holes.dim(a), this.holes.dim(b)].map(describeDim);
    this.#report(diagnose.dimensionsDiffer(left ?? '', right ?? '', spanOf(span)));
    return true;
  }

  /**
   * The output of a relation that can be solved at once; otherwise a hole that waits for it. If the
   * output is known before the conditions are, only these wait.
   */
  #outputOf(
    name: string,
    inputs: ReadonlyArray<Type>,
    attrs: Attrs | undefined,
    call: Call | undefined,
    span: Where,
  ): Type {
    const isFree = this.#place.givens === undefined;
    const now = isFree
      ? this.#runner.run(name, inputs.map(this.resolve), attrs, call, span)
      : undefined;
    if (now !== undefined && this.#runner.isDecided) return now;
    const output = now ?? this.fresh();
    const relation = typeRelation(name, [...inputs, output], inputs.length, attrs);
    const one = this.#stated(relation, call, span);
    if (isFree || !this.#attempt(one)) this.#keep(one);
    return output;
  }
}

/** A dimension as a type, for relations. */
const sizeType = (dim: Dim): Type => tensorType([dim], 'bool');

const sizeOf = (type: Type): Dim | undefined =>
  type._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape[0] : undefined;

/** A conversion as a hint, if tensors differ in their dtypes. */
const castHint = (expected: Type, found: Type): string | undefined =>
  expected._tag === 'TensorType' &&
  found._tag === 'TensorType' &&
  typeof expected.dtype === 'string' &&
  typeof found.dtype === 'string' &&
  expected.dtype !== found.dtype
    ? `convert it: \`cast(.., dtype="${expected.dtype}")\``
    : undefined;
