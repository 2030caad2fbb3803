/**
 * Patterns of dataflow: those of rules, and what only a search can ask for. A rule's pattern can be
 * built as well as matched; these are only matched
 * ([passes §26](https://batonjs.github.io/baton/spec/passes#26)).
 */
import type { Attrs, Dim, Expr, OpTable, Type } from '@baton/ir';
import { type FieldPattern, type Pattern, partsOf, type TuplePattern } from '@baton/ops';
import type { DType } from '@baton/tensor';

/** Any expression. */
export interface Wildcard {
  readonly _tag: 'Wildcard';
}

/** An expression that is structurally equal to this one. */
export interface EqualPattern {
  readonly _tag: 'Equal';
  readonly expr: Expr;
}

/** A variable, of this name if one is given. */
export interface AnyVar {
  readonly _tag: 'AnyVar';
  readonly name: string | undefined;
}

/** A constant. */
export interface AnyConstant {
  readonly _tag: 'AnyConstant';
}

/** The operator with this name. */
export interface OperatorPattern {
  readonly _tag: 'Operator';
  readonly name: string;
}

/** A call of what matches `callee`, with any arguments if none are given. */
export interface ApplyPattern {
  readonly _tag: 'Apply';
  readonly callee: GraphPattern;
  readonly args: ReadonlyArray<GraphPattern> | undefined;
}

/** A tuple of any number of fields. */
export interface AnyTuple {
  readonly _tag: 'AnyTuple';
}

/** Any field of a tuple. */
export interface AnyField {
  readonly _tag: 'AnyField';
  readonly tuple: GraphPattern;
}

/** An `if`. */
export interface IfPattern {
  readonly _tag: 'If';
  readonly cond: GraphPattern;
  readonly trueBranch: GraphPattern;
  readonly falseBranch: GraphPattern;
}

/** A `let`. */
export interface LetPattern {
  readonly _tag: 'Let';
  readonly variable: GraphPattern;
  readonly value: GraphPattern;
  readonly body: GraphPattern;
}

/** A function, of any parameters if none are given. */
export interface FunctionPattern {
  readonly _tag: 'Function';
  readonly params: ReadonlyArray<GraphPattern> | undefined;
  readonly body: GraphPattern;
}

/** What the first pattern matches, or else the second. */
export interface EitherPattern {
  readonly _tag: 'Either';
  readonly first: GraphPattern;
  readonly second: GraphPattern;
}

/** A fact about an expression besides its form. */
export type Property =
  | { readonly _tag: 'Attrs'; readonly attrs: Attrs }
  | { readonly _tag: 'Type'; readonly type: Type }
  | { readonly _tag: 'DType'; readonly dtype: DType }
  | { readonly _tag: 'Shape'; readonly dims: ReadonlyArray<Dim> }
  | { readonly _tag: 'Fact'; readonly holds: (ops: OpTable, name: string) => boolean };

/** What the pattern matches and has the property. */
export interface HavingPattern {
  readonly _tag: 'Having';
  readonly pattern: GraphPattern;
  readonly property: Property;
}

/**
 * What matches `child` if all its inputs lead to one node that matches `parent`, through nodes that
 * match `path`, and all uses of that node lead back to it.
 */
export interface DominatorPattern {
  readonly _tag: 'Dominator';
  readonly parent: GraphPattern;
  readonly path: GraphPattern;
  readonly child: GraphPattern;
}

/** The pattern around it, once more. */
export interface AgainPattern {
  readonly _tag: 'Again';
  readonly pattern: () => GraphPattern;
}

/** A pattern of dataflow. A pattern that occurs twice stands for the same node at both places. */
export type GraphPattern =
  | Pattern
  | Wildcard
  | EqualPattern
  | AnyVar
  | AnyConstant
  | OperatorPattern
  | ApplyPattern
  | TuplePattern<GraphPattern>
  | AnyTuple
  | FieldPattern<GraphPattern>
  | AnyField
  | IfPattern
  | LetPattern
  | FunctionPattern
  | EitherPattern
  | HavingPattern
  | DominatorPattern
  | AgainPattern;

/** The patterns directly below a pattern, in the order in which what they match is counted. */
export function graphPartsOf(p: GraphPattern): ReadonlyArray<GraphPattern> {
  switch (p._tag) {
    case 'Wildcard':
    case 'Equal':
    case 'AnyVar':
    case 'AnyConstant':
    case 'Operator':
    case 'AnyTuple':
      return [];
    case 'Apply':
      return [p.callee, ...(p.args ?? [])];
    case 'Tuple':
      return p.fields;
    case 'Field':
    case 'AnyField':
      return [p.tuple];
    case 'If':
      return [p.cond, p.trueBranch, p.falseBranch];
    case 'Let':
      return [p.variable, p.value, p.body];
    case 'Function':
      return [...(p.params ?? []), p.body];
    case 'Either':
      return [p.first, p.second];
    case 'Having':
      return [p.pattern];
    case 'Dominator':
      return [p.parent, p.path, p.child];
    case 'Again':
      return [p.pattern()];
    default:
      return partsOf(p);
  }
}
