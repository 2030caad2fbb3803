/** The facts about an expression of a match, which conditions read. */
import { type Dim, type Expr, type IRModule, isTotal, type Type, typeOf } from '@baton/ir';
import { boundsColumn, dimsOf, dtypeOf, isOpCall } from '@baton/ops';
import {
  type DType,
  dtypeInfo,
  isDType,
  isFloat,
  readNumber,
  scalar,
  type Tensor,
} from '@baton/tensor';

/**
 * An expression that a hole stands for. Both engines know the same facts: never how often it is
 * used, and never more than is true of all equal expressions. A fact that is not known is
 * `undefined`.
 */
export interface MatchedValue {
  /** The expression; in an e-graph one of its class. */
  readonly expr: Expr;
  readonly type: Type | undefined;
  /** The dimensions, if it is a tensor of known rank. */
  readonly dims: ReadonlyArray<Dim> | undefined;
  readonly dtype: DType | undefined;
  /** Numbers between which all elements lie that are not NaN, both included. */
  readonly range: Range | undefined;
  /** The value, if it is a constant. */
  readonly constant: Tensor | undefined;
  /** Whether evaluating it only gives a value. */
  readonly isTotal: boolean;
}

/** The least and the greatest number. */
export type Range = readonly [least: number | bigint, most: number | bigint];

/** The facts about an expression of a module, each found when it is asked for. */
export const matchedValueOf = (m: IRModule, expr: Expr): MatchedValue => new ValueInModule(m, expr);

class ValueInModule implements MatchedValue {
  readonly expr: Expr;
  readonly #m: IRModule;

  constructor(m: IRModule, expr: Expr) {
    this.#m = m;
    this.expr = expr;
  }

  get type(): Type | undefined {
    return typeOf(this.#m, this.expr);
  }

  get dims(): ReadonlyArray<Dim> | undefined {
    return dimsOf(this.type);
  }

  get dtype(): DType | undefined {
    const dtype = dtypeOf(this.type);
    return isDType(dtype) ? dtype : undefined;
  }

  get range(): Range | undefined {
    const { dtype } = this;
    if (dtype === undefined) return undefined;
    const stated = isOpCall(this.expr) && this.#m.ops.read(boundsColumn, this.expr.op.name)?.range;
    if (stated) return held(stated(this.expr.attrs), dtype);
    const { min, max } = dtypeInfo(dtype);
    return isFloat(dtype) ? undefined : [min, max];
  }

  get constant(): Tensor | undefined {
    return constantOf(this.expr);
  }

  get isTotal(): boolean {
    return isTotal(this.#m, this.expr);
  }
}

/** A range in an element type, in which its bounds may be rounded. */
function held([least, most]: readonly [number, number], dtype: DType): Range {
  if (isFloat(dtype)) {
    const rounded = (bound: number): number => readNumber(scalar(bound, dtype), 0);
    return [rounded(least), rounded(most)];
  }
  const { min, max } = dtypeInfo(dtype);
  return [least > min ? Math.floor(least) : min, most < max ? Math.ceil(most) : max];
}

/** The value of a constant with a settled element type. */
export const constantOf = (expr: Expr): Tensor | undefined =>
  expr._tag === 'Constant' && expr.literal === undefined ? expr.data : undefined;
