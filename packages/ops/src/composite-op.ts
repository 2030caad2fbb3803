/** Operators whose type, value, cost and facts all follow from their definition. */
import { DiagnosticsError, invariant, isLeft, orThrow, type Span } from '@baton/base';
import {
  type Attrs,
  type OpInfo,
  type OpTable,
  type RelationContext,
  type Type,
  tensorType,
  tupleType,
} from '@baton/ir';
import { type DType, isTensor, scalar } from '@baton/tensor';
import { noAttributes, type TypedAttrs } from './attrs/schema.ts';
import {
  costColumn,
  type Example,
  type FusionPattern,
  fusionColumn,
  kindColumn,
} from './columns.ts';
import { costOf } from './cost.ts';
import { defineOp } from './define-op.ts';
import type { FormulaCase } from './definition/column.ts';
import { valuesIn } from './definition/definition.ts';
import { dtypeOf, ofKnown, siteOf } from './definition/site.ts';
import { notTotal, unknownOp } from './diagnostics.ts';
import { evaluateOp } from './evaluate.ts';
import { f32 } from './example-types.ts';
import { type Numerics, numericsColumn } from './numerics.ts';
import { buildPattern } from './pattern/instantiate.ts';
import { type CallPattern, subpatterns } from './pattern/pattern.ts';
import { type OpValue, typeOfValue } from './value.ts';

export interface CompositeOp<A, I extends string> {
  readonly name: string;
  readonly inputs: ReadonlyArray<I>;
  /** @defaultValue none */
  readonly attrs?: TypedAttrs<A>;
  /** The formula, in operators of the table. */
  readonly definition: readonly [
    FormulaCase<NoInfer<A>, NoInfer<I> | Extract<keyof NoInfer<A>, string>>,
  ];
  /** @defaultValue the text of the definition */
  readonly doc?: string;
  /** @defaultValue the definition */
  readonly source?: string;
  /** Valid calls, for generated programs. @defaultValue a call on small tensors, if that is valid */
  readonly examples?: ReadonlyArray<Example<A>>;
}

/**
 * An operator that is a formula of operators of a table:
 *
 * ```ts
 * const swish = compositeOp(standardOps, {
 *   name: 'my.swish',
 *   inputs: ['x'],
 *   attrs: attrs({ beta: withDefault(attr.float, 1) }),
 *   definition: define('?x * sigmoid(?x * ?beta)'),
 * });
 * ```
 *
 * **Errors** throws a `DiagnosticsError` for a text that is no formula, and with `OP_UNKNOWN` or
 * `OP_EFFECT` for operators that the table lacks, or that have effects.
 */
export function compositeOp<A = Readonly<Record<never, never>>, const I extends string = string>(
  ops: OpTable,
  { name, inputs, attrs, definition: [one], doc, source, examples }: CompositeOp<A, I>,
): OpInfo {
  // A formula reads only attributes that the operator's schema made.
  const definition = one as unknown as FormulaCase<Attrs>;
  const calls = subpatterns(definition.formula.pattern).filter((part) => part._tag === 'Call');
  for (const { op, span } of calls) checkCall(ops, op, span);
  const build = { ops, inputs, name, definition };
  const schema = (attrs ?? noAttributes) as unknown as TypedAttrs<Attrs>;
  return defineOp<Attrs, string>({
    name,
    doc: doc ?? `\`${definition.formula.text}\`.`,
    source: source ?? 'its definition',
    inputs,
    attrs: schema,
    relation: (types, given, context) => typeIn(build, types, given, context),
    kernel: (args, given) =>
      valueIn(
        build,
        inputs.map((_, i) => args.value(i)),
        given,
      ),
    cost: (types, _result, given) => flopsIn(build, types, given),
    ...factsOf(ops, calls),
    definition: [{ ...definition, isExact: true }],
    examples: (examples as ReadonlyArray<Example<Attrs>>) ?? exampleOf(build, schema),
  });
}

interface Composition {
  readonly ops: OpTable;
  readonly name: string;
  readonly inputs: ReadonlyArray<string>;
  readonly definition: FormulaCase<Attrs>;
}

function checkCall(ops: OpTable, name: string, span: Span | undefined): void {
  const op = ops.get(name);
  if (op === undefined) throw new DiagnosticsError([unknownOp(name, undefined, span)]);
  if (op.effect !== 'total') throw new DiagnosticsError([notTotal(name, span)]);
}

type InnerRelation = (name: string, types: ReadonlyArray<Type>, attrs: Attrs) => Type | undefined;

/** The type of the expression; `undefined` if too little is known, or after a failure. */
function typed(
  { ops, name, inputs, definition }: Composition,
  types: ReadonlyArray<Type>,
  attrs: Attrs,
  relation: InnerRelation,
): Type | undefined {
  const [first] = types;
  const dtype = dtypeOf(first);
  const site = siteOf(ops, {
    name,
    attrs,
    args: [],
    types,
    type: tupleType(types),
    span: undefined,
  });
  const values = ofKnown(() => valuesIn(definition, site));
  if (isLeft(values) || values.right === undefined) return undefined;
  const { terms, attrs: bound } = values.right;
  return buildPattern<Type | undefined>(definition.formula.pattern, {
    term: (hole) => {
      const value = terms.get(hole);
      return value === undefined ? types[inputs.indexOf(hole)] : typeOfValue(value);
    },
    attrs: bound,
    number: (_value, own) => tensorType([], own ?? dtype ?? 'float32'),
    call: (op, parts, given) => {
      const known = parts.filter((part) => part !== undefined);
      return known.length < parts.length
        ? undefined
        : relation(op, known, complete(ops, op, given));
    },
    tuple: (fields) => {
      const known = fields.filter((field) => field !== undefined);
      return known.length < fields.length ? undefined : tupleType(known);
    },
    field: (of, index) => (of?._tag === 'TupleType' ? of.fields[index] : undefined),
  });
}

const typeIn = (
  build: Composition,
  types: ReadonlyArray<Type>,
  attrs: Attrs,
  context: RelationContext,
): Type | undefined => {
  const inner: RelationContext = { ...context, constant: () => undefined };
  const known = types.map(context.resolve);
  // Literals have the dtype of the first argument, which may be inferred late.
  if (dtypeOf(known[0]) === undefined) return undefined;
  return typed(build, known, attrs, (op, parts, given) =>
    build.ops.get(op)?.relation(parts, given, inner),
  );
};

/** A call on small tensors with default attributes, if it is valid. */
function exampleOf(build: Composition, schema: TypedAttrs<Attrs>): ReadonlyArray<Example> {
  const attrs = schema.decode({});
  const args = build.inputs.map(() => f32(2, 3));
  if (isLeft(attrs)) return [];
  const result = typed(build, args, attrs.right, (op, parts, given) =>
    build.ops.get(op)?.relation(parts, given, ANY),
  );
  return result?._tag === 'TensorType' ? [{ args, result }] : [];
}

/** The context of a relation if only its result is read. */
const ANY: RelationContext = {
  constant: () => undefined,
  unify: () => true,
  unifyDTypes: (a) => a,
  resolve: (type) => type,
  undecided: () => undefined,
  fail: () => undefined,
};

function flopsIn(build: Composition, types: ReadonlyArray<Type>, attrs: Attrs): number {
  let sum = 0;
  const { ops } = build;
  typed(build, types, attrs, (op, parts, given) => {
    const result = ops.get(op)?.relation(parts, given, ANY);
    const cost = ops.read(costColumn, op);
    if (result !== undefined)
      sum += (cost?.(parts, result, given) ?? costOf(parts, result, 0)).flops;
    return result;
  });
  return sum;
}

function valueIn(
  { ops, name, inputs, definition }: Composition,
  args: ReadonlyArray<OpValue>,
  attrs: Attrs,
): OpValue {
  const types = args.map(typeOfValue);
  const [first] = types;
  const dtype: DType = dtypeOf(first) ?? 'float32';
  const site = siteOf(ops, {
    name,
    attrs,
    args: [],
    types,
    type: tupleType(types),
    span: undefined,
  });
  const values = valuesIn(definition, site);
  invariant(values !== undefined, `the definition of ${name} has values for its holes`);
  return buildPattern<OpValue>(definition.formula.pattern, {
    term: (hole) => values.terms.get(hole) ?? (args[inputs.indexOf(hole)] as OpValue),
    attrs: values.attrs,
    number: (value, own) => scalar(value, own ?? dtype),
    call: (op, parts, given) => orThrow(evaluateOp(ops, op, complete(ops, op, given), parts)),
    tuple: (fields) => fields,
    field: (of, index) => (isTensor(of) ? of : (of[index] as OpValue)),
  });
}

const complete = (ops: OpTable, name: string, attrs: Attrs): Attrs => {
  const op = ops.get(name);
  return op === undefined ? attrs : orThrow(op.attrs.decode(attrs));
};

function factsOf(
  ops: OpTable,
  calls: ReadonlyArray<CallPattern>,
): {
  readonly fusion: FusionPattern;
  readonly kind: 'elementwise' | 'other';
  readonly numerics: Numerics;
} {
  const isElementwise = calls.every(({ op }) => ops.read(kindColumn, op) === 'elementwise');
  const isPlain = calls.every(({ op }) => ops.read(fusionColumn, op) === 'elemwise');
  const jumps = calls.some(({ op }) => ops.read(numericsColumn, op) === 'discontinuous');
  return {
    fusion: isPlain ? 'elemwise' : isElementwise ? 'broadcast' : 'opaque',
    kind: isElementwise ? 'elementwise' : 'other',
    numerics: jumps ? 'discontinuous' : 'smooth',
  };
}
