/**
 * The solver of one definition: unification that reports, and a queue of calls and projections
 * that wait until the holes in their arguments are filled (types.md §3.2).
 */
import type { Diagnostic, Span } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import * as diagnose from '../diagnostics.ts';
import { type Attrs, noAttrs } from '../expr/attrs.ts';
import type { Call, Constant, TupleGetItem } from '../expr/expr.ts';
import type { OpInfo, RelationContext } from '../ops/op-table.ts';
import { scalarType, type Type } from '../types/type.ts';
import { type IncompleteType, incompleteType } from '../types/variable.ts';
import type { IsClosed } from './closed.ts';
import { describeType } from './describe.ts';
import { defaultDType } from './literals.ts';
import { makeSubstitution } from './substitution.ts';
import { makeUnifier } from './unify.ts';

/** Solves the types of one definition. */
export interface Solver {
  readonly head: (type: Type) => Type;
  readonly resolve: (type: Type) => Type;
  /** Makes two types equal; reports and gives `undefined` if they cannot be. */
  readonly unify: (
    expected: Type,
    found: Type,
    what: string,
    span: Span | undefined,
  ) => Type | undefined;
  /** As `unify`, with one's own report. Literals that do not fit are still reported here. */
  readonly tryUnify: (a: Type, b: Type, mismatch: () => Diagnostic) => Type | undefined;
  /** The type of a call of an operator: a hole while the arguments do not say enough. */
  readonly relation: (node: Call, op: OpInfo, args: ReadonlyArray<Type>) => Type;
  /** The type of a field: a hole while the tuple's type is one. */
  readonly projection: (node: TupleGetItem, tuple: Type) => Type;
  /** The type of a number without suffix. */
  readonly literal: (node: Constant) => Type;
  /** Runs whatever waits and has learned something, until nothing has. */
  readonly solve: () => void;
  /** Gives the literals that are left their default dtypes, and solves. */
  readonly settleLiterals: () => void;
}

/** A call or a projection that waits for its arguments. */
interface Waiting {
  readonly run: () => Type | undefined;
  readonly args: ReadonlyArray<Type>;
  readonly result: IncompleteType;
  readonly span: Span | undefined;
  queued: boolean;
  done: boolean;
}

/** A solver that knows nothing yet. */
export function makeSolver(isClosed: IsClosed, report: (d: Diagnostic) => void): Solver {
  const watchers = new Map<IncompleteType, Waiting[]>();
  const literalHoles: IncompleteType[] = [];
  let queue: Waiting[] = [];

  const wake = (hole: IncompleteType, successor: IncompleteType | undefined): void => {
    const woken = watchers.get(hole);
    if (woken === undefined) return;
    watchers.delete(hole);
    if (successor !== undefined) {
      // Two holes became one: nothing is known of it yet, so the watchers wait on.
      const others = watchers.get(successor) ?? [];
      const [few, many] = woken.length < others.length ? [woken, others] : [others, woken];
      many.push(...few);
      watchers.set(successor, many);
      return;
    }
    for (const waiting of woken) {
      if (waiting.queued || waiting.done) continue;
      waiting.queued = true;
      queue.push(waiting);
    }
  };
  const subst = makeSubstitution(isClosed, wake);
  const unifier = makeUnifier(subst);

  const reportFailure = (
    mismatch: (notes: ReadonlyArray<string>) => Diagnostic,
    span?: Span,
  ): void => {
    const failure = unifier.failure();
    if (failure._tag === 'Infinite') report(diagnose.infiniteType(span));
    else if (failure._tag === 'Mismatch') report(mismatch(failure.notes));
    else reportRange(failure.literal, failure.dtype);
  };
  const reportRange = (literal: Constant, dtype: string): void => {
    const value = literal.data.data[literal.data.offset];
    report(diagnose.literalRange(String(value), dtype, literal.span));
  };

  const unify = (
    expected: Type,
    found: Type,
    what: string,
    span: Span | undefined,
  ): Type | undefined => {
    const merged = unifier.types(expected, found);
    if (merged !== undefined) return merged;
    reportFailure((notes) => {
      const wanted = describeType(subst.resolve(expected));
      return diagnose.typeMismatch(wanted, describeType(subst.resolve(found)), what, notes, span);
    }, span);
    return undefined;
  };

  // One context serves all relations: they run one at a time.
  let current: { readonly node: Call; readonly op: OpInfo; failed: boolean } | undefined;
  const failCurrent = (make: (op: string, span: Span | undefined) => Diagnostic): void => {
    if (current === undefined) return;
    // What follows from the first failure says nothing new.
    if (!current.failed) report(make(current.op.name, current.node.span));
    current.failed = true;
  };
  const context: RelationContext = {
    constant: (index): Tensor | undefined => {
      const arg = current?.node.args[index];
      return arg?._tag === 'Constant' ? arg.data : undefined;
    },
    unify: (a, b) => {
      if (unifier.types(a, b) !== undefined) return true;
      const before = current?.failed === true;
      if (!before) {
        const what = `an argument of ${current?.op.name}`;
        const span = current?.node.span;
        reportFailure(
          (notes) =>
            diagnose.typeMismatch(
              describeType(subst.resolve(b)),
              describeType(subst.resolve(a)),
              what,
              notes,
              span,
            ),
          span,
        );
      }
      if (current !== undefined) current.failed = true;
      return false;
    },
    unifyDTypes: (a, b) => {
      const merged = unifier.dtypes(a, b);
      if (merged !== undefined) return merged;
      const failure = unifier.failure();
      if (failure._tag === 'Range' && current !== undefined && !current.failed) {
        reportRange(failure.literal, failure.dtype);
        current.failed = true;
      }
      return undefined;
    },
    resolve: subst.resolve,
    fail: (code, message, hint) => {
      failCurrent((op, span) => diagnose.relationFailed(code, op, message, hint, span));
      return undefined;
    },
  };

  /** The result, `undefined` to wait, or a hole of its own after a failure. */
  const runRelation = (
    node: Call,
    op: OpInfo,
    args: ReadonlyArray<Type>,
    attrs: Attrs,
  ): Type | undefined => {
    const run = { node, op, failed: false };
    current = run;
    try {
      const result = op.relation(args, attrs, context);
      if (!run.failed) return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failCurrent((name, span) => diagnose.relationThrew(name, reason, span));
    } finally {
      current = undefined;
    }
    return incompleteType();
  };

  const watch = (waiting: Waiting): void => {
    for (const hole of subst.openHoles(waiting.args)) {
      const others = watchers.get(hole);
      if (others === undefined) watchers.set(hole, [waiting]);
      else others.push(waiting);
    }
  };
  const wait = (
    run: () => Type | undefined,
    args: ReadonlyArray<Type>,
    span: Span | undefined,
  ): Type => {
    const result = incompleteType();
    watch({ run, args, result, span, queued: false, done: false });
    return result;
  };
  const solve = (): void => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      for (const waiting of batch) {
        waiting.queued = false;
        const type = waiting.run();
        if (type === undefined) watch(waiting);
        else {
          waiting.done = true;
          unify(waiting.result, type, 'a result', waiting.span);
        }
      }
    }
  };

  const project = (node: TupleGetItem, tuple: Type): Type | undefined => {
    const type = subst.head(tuple);
    if (type._tag === 'IncompleteType') return undefined;
    if (type._tag !== 'TupleType') {
      report(diagnose.notATupleType(describeType(subst.resolve(type)), node.span));
      return incompleteType();
    }
    const field = type.fields[node.index];
    if (field !== undefined) return field;
    report(diagnose.tupleIndexRange(node.index, type.fields.length, node.span));
    return incompleteType();
  };

  return {
    head: subst.head,
    resolve: subst.resolve,
    unify,
    tryUnify: (a, b, mismatch) => {
      const merged = unifier.types(a, b);
      if (merged === undefined) reportFailure(mismatch);
      return merged;
    },
    relation: (node, op, args) => {
      const attrs = node.attrs ?? noAttrs;
      const run = (): Type | undefined =>
        runRelation(
          node,
          op,
          args.map((arg) => subst.resolve(arg)),
          attrs,
        );
      return run() ?? wait(run, args, node.span);
    },
    projection: (node, tuple) => {
      const run = (): Type | undefined => project(node, tuple);
      return run() ?? wait(run, [tuple], node.span);
    },
    literal: (node) => {
      const hole = incompleteType('BaseType', node.literal);
      unifier.addLiteral(hole, node);
      literalHoles.push(hole);
      return scalarType(hole);
    },
    solve,
    settleLiterals: () => {
      solve();
      for (const hole of literalHoles) {
        const root = subst.dtype(hole);
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
  };
}
