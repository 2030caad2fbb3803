/** Running the relations of operators, and those that are named in constraints. */
import type { Diagnostic, RelatedNote, Span } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import { describeType, operandNotes } from '../describe/describe.ts';
import * as diagnose from '../diagnostics.ts';
import type { Call, Constant } from '../expr/expr.ts';
import type { OpInfo, OpTable, Relation, RelationContext } from '../ops/op-table.ts';
import { type Attrs, noAttrs } from '../types/attrs.ts';
import type { Type, TypeRelation } from '../types/type.ts';
import { incompleteType } from '../types/variable.ts';
import type { Substitution } from './substitution.ts';
import type { Unifier } from './unify.ts';
import { spanOf, type Where } from './where.ts';

/** The relation between a tuple and one of its fields. */
export const PROJECTION = 'TupleGetItem';

/** Runs relations. Each gives the output, `undefined` to wait, or a hole after a report. */
export interface RelationRunner {
  /** The relation of a call of an operator. */
  readonly call: (
    node: Call,
    op: OpInfo,
    inputs: ReadonlyArray<Type>,
    attrs: Attrs | undefined,
  ) => Type | undefined;
  /** A relation by name. */
  readonly named: (
    relation: TypeRelation,
    inputs: ReadonlyArray<Type>,
    span: Where,
  ) => Type | undefined;
  readonly project: (index: number, tuple: Type, span: Where) => Type | undefined;
  /** Whether the latest output holds as it is: no condition of the relation is left to decide. */
  readonly isDecided: () => boolean;
  /** The name under which relations are compared. */
  readonly canonical: (name: string) => string;
  /** What is wrong with a constraint before it is run. */
  readonly problem: (relation: TypeRelation, span: Where) => Diagnostic | undefined;
}

/** The parts of the solver that running a relation needs. */
export interface RunnerParts {
  readonly ops: OpTable;
  readonly subst: Substitution;
  readonly unifier: Unifier;
  readonly report: (d: Diagnostic) => void;
  readonly reportFailure: (
    mismatch: (notes: ReadonlyArray<string>) => Diagnostic,
    span?: Where,
  ) => void;
  readonly reportRange: (literal: Constant, dtype: string) => void;
}

/** A runner over one substitution. */
export function makeRelationRunner(parts: RunnerParts): RelationRunner {
  const { ops, subst, unifier, report, reportFailure, reportRange } = parts;
  // One context serves all relations: they run one at a time.
  let current:
    | {
        readonly node: Call | undefined;
        readonly name: string;
        readonly span: Where;
        readonly inputs: ReadonlyArray<Type>;
        failed: boolean;
        isDecided: boolean;
      }
    | undefined;
  let isDecided = true;
  const failCurrent = (make: (name: string, span: Span | undefined) => Diagnostic): void => {
    if (current === undefined) return;
    // What follows from the first failure says nothing new.
    if (!current.failed) report(make(current.name, spanOf(current.span)));
    current.failed = true;
  };
  /** The operands of the relation that runs, by the names that its operator gives them. */
  const operands = (): ReadonlyArray<RelatedNote> =>
    current === undefined
      ? []
      : operandNotes(ops.get(current.name)?.inputs ?? [], current.inputs.map(subst.resolve));
  const context: RelationContext = {
    constant: (index): Tensor | undefined => {
      const arg = current?.node?.args[index];
      return arg?._tag === 'Constant' ? arg.data : undefined;
    },
    unify: (a, b) => {
      if (unifier.types(a, b) !== undefined) return true;
      if (current !== undefined && !current.failed) {
        const what = `an argument of ${current.name}`;
        const { span } = current;
        reportFailure((notes) => {
          const [wanted, found] = [describeType(subst.resolve(b)), describeType(subst.resolve(a))];
          const d = diagnose.typeMismatch(wanted, found, what, notes, spanOf(span));
          return { ...d, related: [...d.related, ...operands()] };
        }, span);
        current.failed = true;
      }
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
    undecided: () => {
      if (current !== undefined) current.isDecided = false;
    },
    fail: (code, message, hint) => {
      failCurrent((name, span) =>
        diagnose.relationFailed(code, name, message, hint, span, operands()),
      );
      return undefined;
    },
  };
  const run = (
    relation: Relation,
    name: string,
    node: Call | undefined,
    inputs: ReadonlyArray<Type>,
    attrs: TypeRelation['attrs'],
    span: Where,
  ): Type | undefined => {
    const running = { node, name, span, inputs, failed: false, isDecided: true };
    const outer = current;
    current = running;
    try {
      const result = relation(inputs, attrs ?? noAttrs, context);
      if (!running.failed) return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failCurrent((failing, at) => diagnose.relationThrew(failing, reason, at));
    } finally {
      current = outer;
      isDecided = running.isDecided || running.failed;
    }
    return incompleteType();
  };
  const project = (index: number, tuple: Type, span: Where): Type | undefined => {
    isDecided = true;
    const type = subst.head(tuple);
    if (type._tag === 'IncompleteType' || type._tag === 'TypeVar') return undefined;
    if (type._tag !== 'TupleType') {
      report(diagnose.notATupleType(describeType(subst.resolve(type)), spanOf(span)));
      return incompleteType();
    }
    const field = type.fields[index];
    if (field !== undefined) return field;
    report(diagnose.tupleIndexRange(index, type.fields.length, spanOf(span)));
    return incompleteType();
  };

  return {
    call: (node, op, inputs, attrs) => run(op.relation, op.name, node, inputs, attrs, node.span),
    named: (stated, inputs, span) => {
      const index = stated.attrs?.index;
      if (stated.name === PROJECTION && typeof index === 'number') {
        return project(index, inputs[0] as Type, span);
      }
      const relation = ops.relation(stated.name)?.relation ?? ops.get(stated.name)?.relation;
      return relation === undefined
        ? incompleteType()
        : run(relation, stated.name, undefined, inputs, stated.attrs, span);
    },
    project,
    isDecided: () => isDecided,
    canonical: (name) => ops.get(name)?.relationName ?? name,
    problem: (stated, span) => {
      const { name, inputCount, args } = stated;
      const found = ops.relation(name);
      const op = found === undefined ? ops.get(name) : undefined;
      if (name !== PROJECTION && found === undefined && op === undefined) {
        return diagnose.missingRelation(name, spanOf(span));
      }
      const wanted = name === PROJECTION ? 1 : (op?.inputs.length ?? found?.inputCount);
      return wanted === undefined || (wanted === inputCount && args.length === inputCount + 1)
        ? undefined
        : diagnose.relationArity(name, wanted + 1, args.length, spanOf(span));
    },
  };
}
