/** Runs the relations of operators, and the relations named in constraints. */
import { type Diagnostic, isLeft, type RelatedNote, type Span } from '@baton/base';
import { describeType, operandNotes } from '../../describe/describe.ts';
import * as diagnose from '../../diagnostics.ts';
import type { Call, Constant } from '../../expr/expr.ts';
import type { OpInfo, OpTable, Relation, RelationContext } from '../../ops/op-table.ts';
import { type Attrs, noAttrs } from '../../types/attrs.ts';
import type { Type, TypeRelation } from '../../types/type.ts';
import { incompleteType } from '../../types/variable.ts';
import { attributeProblem } from './attributes.ts';
import type { Holes } from './holes.ts';
import type { Unifier } from './unify.ts';

/** The mistake in the attributes of a constraint, whose values are unchecked. */
function constraintProblem(attrs: Attrs, op: OpInfo, span: Where): Diagnostic | undefined {
  const decoded = op.attrs.decode(attrs);
  return isLeft(decoded)
    ? diagnose.badAttributes(op.name, decoded.left[0], spanOf(span))
    : attributeProblem(attrs, op, spanOf(span));
}

/** A span, or a way to find it: the search is only for a message. */
export type Where = Span | undefined | (() => Span | undefined);

export const spanOf = (where: Where): Span | undefined =>
  typeof where === 'function' ? where() : where;

/** The relation between a tuple and one of its fields. */
export const PROJECTION = 'TupleGetItem';

export interface RunnerParts {
  readonly ops: OpTable;
  readonly holes: Holes;
  readonly unifier: Unifier;
  readonly report: (d: Diagnostic) => void;
  readonly reportFailure: (
    mismatch: (notes: ReadonlyArray<string>) => Diagnostic,
    span: Where,
  ) => void;
  readonly reportRange: (literal: Constant, dtype: string) => void;
}

interface Running {
  readonly call: Call | undefined;
  readonly name: string;
  readonly span: Where;
  readonly inputs: ReadonlyArray<Type>;
  failed: boolean;
  isDecided: boolean;
}

/** Runs relations, one at a time. */
export class RelationRunner {
  /** Whether the latest output holds without further conditions. */
  isDecided = true;
  readonly #parts: RunnerParts;
  readonly #context: RelationContext;
  #current: Running | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#context = {
      constant: (index) => {
        const arg = this.#current?.call?.args[index];
        return arg?._tag === 'Constant' ? arg.data : undefined;
      },
      unify: (a, b) => this.#unify(a, b),
      unifyDTypes: (a, b) => {
        const merged = parts.unifier.dtypes(a, b);
        const { failure } = parts.unifier;
        if (merged === undefined && failure._tag === 'Range') {
          this.#fail(() => parts.reportRange(failure.literal, failure.dtype));
        }
        return merged;
      },
      resolve: parts.holes.resolve,
      undecided: () => {
        if (this.#current !== undefined) this.#current.isDecided = false;
      },
      fail: (code, message, hint) => {
        this.#fail(({ name, span }) => {
          const at = spanOf(span);
          parts.report(diagnose.relationFailed(code, name, message, hint, at, this.#operands()));
        });
        return undefined;
      },
    };
  }

  /** The output of a relation; `undefined` if it is open, a hole after a report. */
  run(
    name: string,
    inputs: ReadonlyArray<Type>,
    attrs: Attrs | undefined,
    call: Call | undefined,
    span: Where,
  ): Type | undefined {
    const { ops } = this.#parts;
    const index = attrs?.index;
    if (name === PROJECTION && typeof index === 'number') {
      return this.#project(index, inputs[0] as Type, span);
    }
    const op = call?.op._tag === 'Op' ? ops.get(call.op.name) : undefined;
    const relation = op?.relation ?? ops.relation(name)?.relation ?? ops.get(name)?.relation;
    if (relation === undefined) return incompleteType();
    const running = { call, name: op?.name ?? name, span, inputs, failed: false, isDecided: true };
    return this.#run(relation, running, attrs);
  }

  /** The name under which relations are compared. */
  readonly canonical = (name: string): string => this.#parts.ops.get(name)?.relationName ?? name;

  /** The mistake in a constraint before it is run. */
  problem({ name, inputCount, args, attrs }: TypeRelation, span: Where): Diagnostic | undefined {
    const { ops } = this.#parts;
    const found = ops.relation(name);
    const op = found === undefined ? ops.get(name) : undefined;
    if (name !== PROJECTION && found === undefined && op === undefined) {
      return diagnose.missingRelation(name, spanOf(span));
    }
    const wanted = name === PROJECTION ? 1 : (op?.inputs.length ?? found?.inputCount ?? inputCount);
    if (wanted !== inputCount || args.length !== inputCount + 1) {
      return diagnose.relationArity(name, wanted + 1, args.length, spanOf(span));
    }
    return op === undefined ? undefined : constraintProblem(attrs ?? noAttrs, op, span);
  }

  #run(relation: Relation, running: Running, attrs: Attrs | undefined): Type | undefined {
    const outer = this.#current;
    this.#current = running;
    try {
      const result = relation(running.inputs, attrs ?? noAttrs, this.#context);
      if (!running.failed) return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#fail(({ name, span }) =>
        this.#parts.report(diagnose.relationThrew(name, reason, spanOf(span))),
      );
    } finally {
      this.#current = outer;
      this.isDecided = running.isDecided || running.failed;
    }
    return incompleteType();
  }

  #project(index: number, tuple: Type, span: Where): Type | undefined {
    const { holes, report } = this.#parts;
    this.isDecided = true;
    const type = holes.head(tuple);
    if (type._tag === 'IncompleteType' || type._tag === 'TypeVar') return undefined;
    if (type._tag !== 'TupleType') {
      report(diagnose.notATupleType(describeType(holes.resolve(type)), spanOf(span)));
      return incompleteType();
    }
    const field = type.fields[index];
    if (field === undefined) {
      report(diagnose.tupleIndexRange(index, type.fields.length, spanOf(span)));
    }
    return field ?? incompleteType();
  }

  #unify(a: Type, b: Type): boolean {
    const { holes, unifier, reportFailure } = this.#parts;
    if (unifier.types(a, b) !== undefined) return true;
    this.#fail(({ name, span }) => {
      reportFailure((notes) => {
        const [wanted, found] = [describeType(holes.resolve(b)), describeType(holes.resolve(a))];
        const what = `an argument of ${name}`;
        const d = diagnose.typeMismatch(wanted, found, what, notes, spanOf(span));
        return { ...d, related: [...d.related, ...this.#operands()] };
      }, span);
    });
    return false;
  }

  /** Reports a failure: further ones only follow from the first. */
  #fail(tell: (running: Running) => void): void {
    const running = this.#current;
    if (running === undefined) return;
    if (!running.failed) tell(running);
    running.failed = true;
  }

  /** The operands of the running relation, by the names of the operator's inputs. */
  #operands(): ReadonlyArray<RelatedNote> {
    if (this.#current === undefined) return [];
    const { name, inputs } = this.#current;
    const { ops, holes } = this.#parts;
    return operandNotes(ops.get(name)?.inputs ?? [], inputs.map(holes.resolve));
  }
}
