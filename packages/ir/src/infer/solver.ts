/**
 * The solver of one definition: unification that reports, and a queue of relations that wait until
 * the holes in their inputs are filled
 * ([types §3.2](https://batonjs.github.io/baton/spec/types#3.2)).
 */
import type { Diagnostic } from '@baton/base';
import { describeDim, describeType } from '../describe/describe.ts';
import * as diagnose from '../diagnostics.ts';
import type { Call, Constant, Expr, TupleGetItem } from '../expr/expr.ts';
import type { OpInfo, OpTable } from '../ops/op-table.ts';
import type { Attrs } from '../types/attrs.ts';
import type { Dim } from '../types/dim.ts';
import { withArgParts } from '../types/parts.ts';
import {
  isClosed,
  scalarType,
  type Type,
  type TypeArg,
  type TypeRelation,
  tensorType,
  typeRelation,
} from '../types/type.ts';
import { type IncompleteType, incompleteType, type ParamKind } from '../types/variable.ts';
import { answerOf, demandedDTypes, type Givens, makeGivenFinder } from './givens.ts';
import { defaultDType } from './literals.ts';
import type { Pending, Place } from './pending.ts';
import { makeRelationRunner, PROJECTION } from './relations.ts';
import { makeSubstitution, OUTERMOST_LEVEL, type Substitution } from './substitution.ts';
import { makeUnifier } from './unify.ts';
import { spanOf, type Where } from './where.ts';

/** Solves the types of one definition at a time. */
export interface Solver {
  /** Forgets everything, and reports to this from now on. */
  readonly begin: (report: (d: Diagnostic) => void) => void;
  readonly subst: Substitution;
  readonly head: (type: Type) => Type;
  readonly resolve: (type: Type) => Type;
  readonly resolveArg: (arg: TypeArg) => TypeArg;
  /** States for which place the following is done. */
  readonly goTo: (place: Place) => void;
  /** A new hole, of the level of the place. */
  readonly fresh: (kind?: ParamKind) => IncompleteType;
  /** Gives the holes of a type that was written the level of the place. */
  readonly adopt: (type: Type) => void;
  /** Makes two types equal; reports and gives `undefined` if they cannot be. */
  readonly unify: (expected: Type, found: Type, what: string, span: Where) => Type | undefined;
  /** Makes two types equal if they can be; the caller reports. */
  readonly canUnify: (a: Type, b: Type, span: Where) => boolean;
  /** As `unify`, with one's own report. Literals that do not fit are still reported here. */
  readonly tryUnify: (
    a: Type,
    b: Type,
    mismatch: (notes: ReadonlyArray<string>) => Diagnostic,
  ) => Type | undefined;
  /** The type of a call of an operator: a hole while the arguments do not say enough. */
  readonly relation: (
    node: Call,
    op: OpInfo,
    args: ReadonlyArray<Type>,
    attrs: Attrs | undefined,
  ) => Type;
  /** The type of a field: a hole while the tuple's type is one. */
  readonly projection: (node: TupleGetItem, tuple: Type) => Type;
  /** What the relations of a function say, inside it. */
  readonly assuming: (relations: ReadonlyArray<TypeRelation>, outer: Givens | undefined) => Givens;
  /** Lets these relations answer for what is posted in the meantime. */
  readonly assumingMeanwhile: (relations: ReadonlyArray<TypeRelation>, work: () => void) => void;
  /** Lets these relations answer for what waits from `from` to `to`, too. */
  readonly assumingFor: (relations: ReadonlyArray<TypeRelation>, from: number, to: number) => void;
  /** States that type parameters were met as what stands for itself: they may leave their scope. */
  readonly noteRigid: () => void;
  readonly hasMetRigid: () => boolean;
  readonly canonical: (name: string) => string;
  /** States a relation, which has to hold at the place. */
  readonly post: (relation: TypeRelation, span: Where) => void;
  /** The type of a number without suffix. */
  readonly literal: (node: Constant) => Type;
  /** Runs whatever waits and has learned something, until nothing has. */
  readonly solve: () => void;
  /**
   * Chooses among assumptions that differ in their outputs alone, for the relations after the first
   * `mark` that still wait for it.
   */
  readonly decide: (mark: number) => void;
  /**
   * Gives literals the dtypes that one of these relations demands of them: if a relation after the
   * first `mark` that waits is one of these, but for the dtypes of literals, it is that one.
   */
  readonly fitLiterals: (mark: number, relations: ReadonlyArray<TypeRelation>) => void;
  /** Gives the literals that are left their default dtypes, and solves. */
  readonly settleLiterals: () => void;
  /** Makes `?` of the dimensions at this level or deeper that have met nothing else. */
  readonly settleDims: (level: number) => void;
  /** Everything that has ever waited, in order. */
  readonly pending: Pending[];
  /** How many relations were left to the surroundings, or solved by what they assume. */
  readonly assumed: () => number;
  /** Reports a relation that cannot hold, whatever its type parameters stand for. */
  readonly check: (pending: Pending) => void;
  /** States that a relation now rests on the type of a function around it. */
  readonly assume: (pending: Pending) => void;
  /** The relations that rest on the surroundings, by the node that posted them. */
  readonly assumptions: ReadonlyMap<Expr, ReadonlyArray<TypeRelation>>;
}

const NOWHERE: Place = { owner: undefined, givens: undefined, level: OUTERMOST_LEVEL };

/** A solver that knows nothing yet. */
export function makeSolver(ops: OpTable, to: (d: Diagnostic) => void): Solver {
  let listener = to;
  const report = (d: Diagnostic): void => listener(d);
  const watchers = new Map<IncompleteType, Pending[]>();
  const literalHoles: IncompleteType[] = [];
  const pending: Pending[] = [];
  const assumptions = new Map<Expr, TypeRelation[]>();
  let queue: Pending[] = [];
  let place = NOWHERE;
  let currentSpan: Where;
  let assumedCount = 0;
  let hasMetRigid = false;
  const noteRigid = (): void => {
    hasMetRigid = true;
  };
  /** Whether assumptions that fit alike are told apart by their order: nothing else will. */
  let isDeciding = false;

  const wake = (hole: IncompleteType, successor: IncompleteType | undefined): void => {
    const woken = watchers.get(hole);
    if (woken === undefined) return;
    watchers.delete(hole);
    if (successor !== undefined) {
      // Two holes became one. Little is known of it, but a relation may now find itself assumed.
      const others = watchers.get(successor) ?? [];
      const [few, many] = woken.length < others.length ? [woken, others] : [others, woken];
      many.push(...few);
      watchers.set(successor, many);
      for (const one of woken) if (one.place.givens !== undefined) enqueue(one);
      return;
    }
    for (const one of woken) enqueue(one);
  };
  const enqueue = (one: Pending): void => {
    if (one.queued || one.done) return;
    one.queued = true;
    queue.push(one);
  };
  const subst = makeSubstitution(wake);
  const fresh = (kind: ParamKind = 'Type'): IncompleteType => subst.fresh(kind, place.level);
  const unifier = makeUnifier(subst, {
    fresh,
    opened: noteRigid,
    post: (relation) => post(relation, currentSpan),
    postpone: (a, b) => postpone(a, b, currentSpan),
  });

  const reportFailure = (
    mismatch: (notes: ReadonlyArray<string>) => Diagnostic,
    span?: Where,
  ): void => {
    const failure = unifier.failure();
    if (failure._tag === 'Infinite') report(diagnose.infiniteType(spanOf(span)));
    else if (failure._tag === 'Mismatch') report(mismatch(failure.notes));
    else reportRange(failure.literal, failure.dtype);
  };
  const reportRange = (literal: Constant, dtype: string): void => {
    const value = literal.data.data[literal.data.offset];
    report(diagnose.literalRange(String(value), dtype, literal.span));
  };
  const unify = (expected: Type, found: Type, what: string, span: Where): Type | undefined => {
    currentSpan = span;
    const merged = unifier.types(expected, found);
    if (merged !== undefined) return merged;
    reportFailure((notes) => {
      const wanted = describeType(subst.resolve(expected));
      const given = describeType(subst.resolve(found));
      const hint = castHint(subst.head(expected), subst.head(found));
      return diagnose.typeMismatch(wanted, given, what, notes, spanOf(span), hint);
    }, span);
    return undefined;
  };
  const runner = makeRelationRunner({ ops, subst, unifier, report, reportFailure, reportRange });

  const watch = (one: Pending): void => {
    const wait = (hole: IncompleteType): void => {
      const others = watchers.get(hole);
      if (others === undefined) watchers.set(hole, [one]);
      else if (others.at(-1) !== one) others.push(one);
    };
    for (const arg of one.relation.args) subst.forEachHole(arg, wait);
  };
  const assume = (owner: Expr | undefined, relation: TypeRelation): void => {
    assumedCount++;
    if (owner === undefined || owner._tag === 'Function') return;
    const known = assumptions.get(owner);
    if (known === undefined) assumptions.set(owner, [relation]);
    else known.push(relation);
  };
  /** Solves a relation if it can be; `run` gives its output. */
  const attempt = (
    relation: TypeRelation,
    at: Place,
    span: Where,
    run: (inputs: ReadonlyArray<Type>) => Type | undefined,
  ): boolean => {
    const inputs = relation.args.slice(0, relation.inputCount).map(subst.resolve);
    const output = relation.args[relation.inputCount];
    if (output === undefined) return run(inputs) !== undefined && runner.isDecided();
    const { name, attrs } = relation;
    const answer =
      at.givens &&
      answerOf(
        typeRelation(name, inputs, inputs.length, attrs),
        subst.resolve(output),
        at.givens,
        isDeciding,
      );
    if (answer !== undefined) {
      const { given, by } = answer;
      if (given === 'several') return false;
      assume(by.isDemand === true ? undefined : at.owner, relation);
      unify(output, given.args[given.inputCount] as Type, 'a result', span);
      return true;
    }
    const result = run(inputs);
    if (result === undefined) return false;
    const isDecided = runner.isDecided();
    // Two type parameters may turn out to be one where the function is called: nothing says it yet.
    if (!isDecided && subst.head(output)._tag === 'TypeVar') return false;
    unify(output, result, 'a result', span);
    return isDecided;
  };
  const wait = (
    relation: TypeRelation,
    span: Where,
    run: (inputs: ReadonlyArray<Type>) => Type | undefined,
  ): void => {
    const one: Pending = {
      relation,
      place,
      span,
      isEquation: false,
      attempt: () => attempt(relation, one.place, span, run),
      queued: false,
      done: false,
    };
    pending.push(one);
    watch(one);
  };
  const post = (relation: TypeRelation, span: Where): void => {
    const name = runner.canonical(relation.name);
    const { args, inputCount, attrs } = relation;
    const stated = name === relation.name ? relation : typeRelation(name, args, inputCount, attrs);
    const problem = runner.problem(relation, span);
    if (problem !== undefined) {
      report(problem);
      return;
    }
    const run = (inputs: ReadonlyArray<Type>): Type | undefined =>
      runner.named(stated, inputs, span);
    if (!attempt(stated, place, span, run)) wait(stated, span, run);
  };
  const postpone = (a: Dim, b: Dim, span: Where): void => {
    const sides = [scalarOf(a), scalarOf(b)];
    const one: Pending = {
      relation: typeRelation('=', sides, 2),
      place,
      span,
      isEquation: true,
      attempt: () => {
        currentSpan = span;
        if (unifier.dims.unify(a, b) === undefined) {
          const [left, right] = [describeDim(subst.dim(a)), describeDim(subst.dim(b))];
          report(diagnose.dimensionsDiffer(left, right, spanOf(span)));
        }
        // If it has to wait on, it has been postponed once more.
        return true;
      },
      queued: false,
      done: false,
    };
    pending.push(one);
    watch(one);
  };
  const solve = (): void => {
    const before = place;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      for (const one of batch) {
        one.queued = false;
        if (one.done) continue;
        place = one.place;
        if (one.attempt()) one.done = true;
        else watch(one);
      }
    }
    place = before;
  };
  const assuming = (relations: ReadonlyArray<TypeRelation>, outer: Givens | undefined): Givens => ({
    find: makeGivenFinder(relations, subst.resolve, runner.canonical),
    outer,
  });
  /**
   * The output of a relation that may be solved at once; otherwise a hole that waits for it. Where
   * the output is known before the conditions are, these wait alone.
   */
  const outputOf = (
    name: string,
    inputs: ReadonlyArray<Type>,
    attrs: Attrs | undefined,
    span: Where,
    run: (inputs: ReadonlyArray<Type>) => Type | undefined,
  ): Type => {
    const withOutput = (output: Type): TypeRelation =>
      typeRelation(name, [...inputs, output], inputs.length, attrs);
    if (place.givens === undefined) {
      const now = run(inputs.map(subst.resolve));
      if (now !== undefined) {
        if (!runner.isDecided()) wait(withOutput(now), span, run);
        return now;
      }
    }
    const output = fresh();
    const relation = withOutput(output);
    if (place.givens !== undefined && attempt(relation, place, span, run)) return output;
    wait(relation, span, run);
    return output;
  };

  return {
    begin: (next) => {
      listener = next;
      subst.clear();
      unifier.clear();
      if (watchers.size > 0) watchers.clear();
      if (assumptions.size > 0) assumptions.clear();
      literalHoles.length = 0;
      pending.length = 0;
      queue = [];
      place = NOWHERE;
      currentSpan = undefined;
      assumedCount = 0;
      hasMetRigid = false;
    },
    subst,
    head: subst.head,
    resolve: subst.resolve,
    resolveArg: (arg) => withArgParts(arg, { ...subst, type: subst.resolve }),
    goTo: (next) => {
      place = next;
    },
    fresh,
    adopt: (type) => {
      if (place.level === OUTERMOST_LEVEL || isClosed(type)) return;
      for (const hole of subst.openHoles([type])) subst.setLevel(hole, place.level);
    },
    unify,
    canUnify: (a, b, span) => {
      currentSpan = span;
      return unifier.types(a, b) !== undefined;
    },
    tryUnify: (a, b, mismatch) => {
      const merged = unifier.types(a, b);
      if (merged === undefined) reportFailure(mismatch);
      return merged;
    },
    relation: (node, op, args, attrs) => {
      const run = (inputs: ReadonlyArray<Type>): Type | undefined =>
        runner.call(node, op, inputs, attrs);
      return outputOf(op.relationName ?? op.name, args, attrs, node.span, run);
    },
    projection: (node, tuple) => {
      const run = (inputs: ReadonlyArray<Type>): Type | undefined =>
        runner.project(node.index, inputs[0] as Type, node.span);
      if (subst.head(tuple)._tag === 'TupleType') return run([tuple]) as Type;
      return outputOf(PROJECTION, [tuple], { index: node.index }, node.span, run);
    },
    assuming,
    assumingMeanwhile: (relations, work) => {
      const before = place;
      place = { ...place, givens: { ...assuming(relations, place.givens), isDemand: true } };
      work();
      place = before;
    },
    assumingFor: (relations, from, to) => {
      for (const one of pending.slice(from, to)) {
        if (one.done || one.isEquation) continue;
        one.place = { ...one.place, givens: assuming(relations, one.place.givens) };
        enqueue(one);
      }
    },
    noteRigid,
    hasMetRigid: () => hasMetRigid,
    canonical: runner.canonical,
    post,
    literal: (node) => {
      const hole = incompleteType('BaseType', node.literal);
      unifier.addLiteral(hole, node);
      literalHoles.push(hole);
      return scalarType(hole);
    },
    solve,
    decide: (mark) => {
      const before = place;
      for (let i = mark; i < pending.length; i++) {
        const one = pending[i] as Pending;
        if (one.done || one.place.givens === undefined) continue;
        place = one.place;
        isDeciding = true;
        const isSolved = one.attempt();
        isDeciding = false;
        if (!isSolved) continue;
        one.done = true;
        solve();
      }
      place = before;
    },
    fitLiterals: (mark, relations) => {
      solve();
      for (let i = mark; i < pending.length; i++) {
        const one = pending[i] as Pending;
        if (one.done || one.isEquation) continue;
        const { name, args, inputCount, attrs } = one.relation;
        const inputs = args.slice(0, inputCount).map(subst.resolve);
        if (![...subst.openHoles(inputs)].some((hole) => hole.literal !== undefined)) continue;
        const relation = typeRelation(name, inputs, inputCount, attrs);
        const demanded = demandedDTypes(relation, relations, subst.resolve, runner.canonical);
        for (const [literal, dtype] of demanded) unifier.dtypes(literal, dtype);
        if (demanded.length > 0) solve();
      }
    },
    settleLiterals: () => {
      solve();
      for (let at = 0; at < literalHoles.length; at++) {
        const root = subst.dtype(literalHoles[at] as IncompleteType);
        if (typeof root === 'string' || root._tag !== 'IncompleteType') continue;
        const literals = unifier.literalsOf(root);
        const dtype = defaultDType(root.literal ?? 'int', literals);
        if (dtype !== undefined) {
          unifier.dtypes(root, dtype);
          continue;
        }
        const [first] = literals;
        const widest = root.literal === 'float' ? 'float32' : 'int64';
        if (first !== undefined) reportRange(first, widest);
        subst.bindDType(root, widest);
      }
      solve();
    },
    settleDims: (level) => {
      for (const hole of unifier.dims.gradual) {
        if (subst.levelOf(hole) >= level) unifier.dims.settle(hole);
      }
      solve();
    },
    pending,
    check: ({ relation: { name, args, inputCount, attrs }, span }) => {
      const inputs = args.slice(0, inputCount).map(subst.resolve);
      runner.named(typeRelation(name, args, inputCount, attrs), inputs, span);
    },
    assumed: () => assumedCount,
    assume: (one) => {
      one.done = true;
      assume(one.place.owner, one.relation);
    },
    assumptions,
  };
}

const scalarOf = (dim: Dim): Type => tensorType([dim], 'bool');

/** A conversion, where tensors differ in their dtypes. */
const castHint = (expected: Type, found: Type): string | undefined =>
  expected._tag === 'TensorType' &&
  found._tag === 'TensorType' &&
  typeof expected.dtype === 'string' &&
  typeof found.dtype === 'string' &&
  expected.dtype !== found.dtype
    ? `convert it: \`cast(.., dtype="${expected.dtype}")\``
    : undefined;
