/** Constructors of patterns of dataflow, with the names that TVM has for them. */
import type { Attrs, Column, Dim, Expr, Type } from '@baton/ir';
import type { DType } from '@baton/tensor';
import type { AgainPattern, GraphPattern, Property } from './pattern.ts';

/** A pattern, or a builder of one. */
export type PatternInput = GraphPattern | PatternBuilder;

/** A pattern under construction. Called, it is a pattern of calls: `isOp('add')(x, y)`. */
export interface PatternBuilder {
  /** A call of what this matches, with these arguments. */
  (...args: ReadonlyArray<PatternInput>): PatternBuilder;
  /** A call of what this matches, with any arguments. */
  (args: null): PatternBuilder;
  /** The pattern as data. */
  readonly pattern: GraphPattern;
  /** What this matches, or else what `other` does. */
  readonly or: (other: PatternInput) => PatternBuilder;
  /** What this matches, or what the larger pattern around it does. */
  readonly optional: (around: (self: PatternBuilder) => PatternInput) => PatternBuilder;
  /**
   * With these attributes, among others: those of a call or a function; of an operator
   * `TOpPattern`, `TOpIsStateful` and `TNonComputational`.
   */
  readonly hasAttr: (attrs: Attrs) => PatternBuilder;
  /** An operator with this fact in a column of the table. */
  readonly hasFact: <T>(column: Column<T>, value: T) => PatternBuilder;
  readonly hasType: (type: Type) => PatternBuilder;
  readonly hasDtype: (dtype: DType) => PatternBuilder;
  readonly hasShape: (dims: ReadonlyArray<Dim>) => PatternBuilder;
  /**
   * What matches `child` if all its inputs lead to one node that this matches, through nodes that
   * match `path`, and all uses of that node lead back to it. @defaultValue any path
   */
  readonly dominates: (child: PatternInput, path?: PatternInput) => PatternBuilder;
  readonly add: (other: PatternInput) => PatternBuilder;
  readonly subtract: (other: PatternInput) => PatternBuilder;
  readonly multiply: (other: PatternInput) => PatternBuilder;
  readonly divide: (other: PatternInput) => PatternBuilder;
}

/** The pattern that an input stands for. */
export const patternOf = (input: PatternInput): GraphPattern =>
  typeof input === 'function' ? input.pattern : input;

/** The builder of a pattern, such as one that `parsePattern` has read. */
export function builderOf(pattern: GraphPattern): PatternBuilder {
  const having = (property: Property) => builderOf({ _tag: 'Having', pattern, property });
  const operator = (name: string) => (other: PatternInput) => isOp(name)(pattern, other);
  const apply = (...args: ReadonlyArray<PatternInput | null>): PatternBuilder => {
    const given = args.filter((arg) => arg !== null).map(patternOf);
    return builderOf({
      _tag: 'Apply',
      callee: pattern,
      args: args[0] === null ? undefined : given,
    });
  };
  const builder: PatternBuilder = Object.assign(apply, {
    pattern,
    or: (other: PatternInput) =>
      builderOf({ _tag: 'Either', first: pattern, second: patternOf(other) }),
    optional: (around: (self: PatternBuilder) => PatternInput) => builder.or(around(builder)),
    hasAttr: (attrs: Attrs) => having({ _tag: 'Attrs', attrs }),
    hasFact: <T>(column: Column<T>, value: T) =>
      having({ _tag: 'Fact', holds: (ops, name) => ops.read(column, name) === value }),
    hasType: (type: Type) => having({ _tag: 'Type', type }),
    hasDtype: (dtype: DType) => having({ _tag: 'DType', dtype }),
    hasShape: (dims: ReadonlyArray<Dim>) => having({ _tag: 'Shape', dims }),
    dominates: (child: PatternInput, path: PatternInput = wildcard()) =>
      builderOf({
        _tag: 'Dominator',
        parent: pattern,
        path: patternOf(path),
        child: patternOf(child),
      }),
    add: operator('add'),
    subtract: operator('subtract'),
    multiply: operator('multiply'),
    divide: operator('divide'),
  });
  return builder;
}

/** Any expression; each call makes a pattern for a node of its own. */
export const wildcard = (): PatternBuilder => builderOf({ _tag: 'Wildcard' });

/** An expression that is structurally equal to this one. */
export const isExpr = (expr: Expr): PatternBuilder => builderOf({ _tag: 'Equal', expr });

/** A variable, of this name if one is given. */
export const isVar = (name?: string): PatternBuilder => builderOf({ _tag: 'AnyVar', name });

/** A constant. */
export const isConstant = (): PatternBuilder => builderOf({ _tag: 'AnyConstant' });

/** The operator with this name: `isOp('add')(x, y)` is a call of it. */
export const isOp = (name: string): PatternBuilder => builderOf({ _tag: 'Operator', name });

/** A tuple of these fields, or of any. */
export const isTuple = (fields: ReadonlyArray<PatternInput> | null = null): PatternBuilder =>
  builderOf(
    fields === null ? { _tag: 'AnyTuple' } : { _tag: 'Tuple', fields: fields.map(patternOf) },
  );

/** A field of a tuple: this one, or any. */
export const isTupleGetItem = (tuple: PatternInput, index?: number): PatternBuilder =>
  builderOf(
    index === undefined
      ? { _tag: 'AnyField', tuple: patternOf(tuple) }
      : { _tag: 'Field', tuple: patternOf(tuple), index },
  );

/** An `if`. */
export const isIf = (
  cond: PatternInput,
  trueBranch: PatternInput,
  falseBranch: PatternInput,
): PatternBuilder =>
  builderOf({
    _tag: 'If',
    cond: patternOf(cond),
    trueBranch: patternOf(trueBranch),
    falseBranch: patternOf(falseBranch),
  });

/** A `let`. */
export const isLet = (
  variable: PatternInput,
  value: PatternInput,
  body: PatternInput,
): PatternBuilder =>
  builderOf({
    _tag: 'Let',
    variable: patternOf(variable),
    value: patternOf(value),
    body: patternOf(body),
  });

/** A function of these parameters, or of any. */
export const functionPattern = (
  params: ReadonlyArray<PatternInput> | null,
  body: PatternInput,
): PatternBuilder =>
  builderOf({ _tag: 'Function', params: params?.map(patternOf), body: patternOf(body) });

/** A pattern that contains itself: `recursive((self) => isOp('cast')(self.or(isVar())))`. */
export function recursive(make: (self: PatternBuilder) => PatternInput): PatternBuilder {
  const again: AgainPattern = { _tag: 'Again', pattern: () => whole };
  const whole = patternOf(make(builderOf(again)));
  return builderOf(whole);
}
