/**
 * Elements: the value at one place of a loop nest, as an expression of loads from windows on buffers.
 * What operators do element by element is one expression, which one loop computes.
 */
import { analysis, remember } from '@baton/base';
import type { Attrs } from '@baton/ir';
import type { PreparedCall, Scalar } from '@baton/ops';
import { type DType, isInteger, type Shape } from '@baton/tensor';
import type { Window } from './window.ts';

/** The value at a place. A node that occurs twice is computed once. */
export type Element = Load | Literal | Apply | Product;

/** The element of a window that has the shape of the nest. */
export interface Load {
  readonly _tag: 'Load';
  readonly window: Window;
}

/** The sum of products at a place, which a kernel written by hand has at hand before it stores it. */
export interface Product extends ProductOperator {
  readonly _tag: 'Product';
  /** The call of the program. */
  readonly call: PreparedCall;
  readonly dtype: SumType;
  /**
   * The data and the weight, contiguous, but for a constant weight; then the zero points of integers, or the
   * scales and zero points of blocks.
   */
  readonly operands: ReadonlyArray<Window>;
  /** The types of integers and their zero points. */
  readonly integers?: IntegerOperands | undefined;
  /** How the weight is packed, if it is of few bits. */
  readonly blocks?: BlockOperand | undefined;
  readonly shape: Shape;
}

/** The type of the sums of a product: that of its floats, or int32 of integers. */
export type SumType = 'float32' | 'float64' | 'int32';

/** A weight of few bits, (units, blocks, bytes of a block), with scales and zero points. */
export interface BlockOperand {
  readonly bits: 2 | 4 | 8;
  /** Whether all blocks have one zero point, of rank 0. */
  readonly hasOneZero: boolean;
}

/** The operands of a product of integers, each of which has at most 16 bits. */
export interface IntegerOperands {
  readonly data: DType;
  readonly weight: DType;
  /** The types of the numbers that are taken off an operand that is not constant, if there are such. */
  readonly dataZero: DType | undefined;
  readonly weightZero: DType | undefined;
  /** Bounds of the sizes of what is multiplied, and of the sums. */
  readonly dataMost: number;
  readonly weightMost: number;
  readonly sumMost: number;
}

/** The operator that a kernel computes, which need not be the one of the program. */
export interface ProductOperator {
  readonly name: string;
  readonly attrs: Attrs;
  /** The shape that the operator gives: the one of the product, but for axes of size 1. */
  readonly out: Shape;
}

/** A number that is the same everywhere. */
export interface Literal {
  readonly _tag: 'Literal';
  readonly dtype: DType;
  readonly value: number;
}

/** A scalar expression of elements, computed in the type `of` and converted to `dtype`. */
export interface Apply {
  readonly _tag: 'Apply';
  readonly expr: Scalar;
  readonly of: DType;
  readonly dtype: DType;
  readonly args: ReadonlyArray<Element>;
}

export const load = (window: Window): Load => ({ _tag: 'Load', window });

export const literal = (value: number, dtype: DType): Literal => ({
  _tag: 'Literal',
  dtype,
  value,
});

/** A scalar expression of elements; numbers become constants of the expression. */
export function apply(
  expr: Scalar,
  dtype: DType,
  args: ReadonlyArray<Element>,
  of: DType = dtype,
): Apply {
  const others = args.filter((arg) => arg._tag !== 'Literal');
  if (others.length === args.length) return { _tag: 'Apply', expr, of, dtype, args };
  const operands = args.map((arg): Scalar => {
    if (arg._tag === 'Literal') return { _tag: 'Constant', value: arg.value };
    return { _tag: 'Argument', name: 'xyz'[others.indexOf(arg)] as 'x' | 'y' | 'z' };
  });
  return {
    _tag: 'Apply',
    expr: shorter(withOperands(expr, operands), of),
    of,
    dtype,
    args: others,
  };
}

/** A difference of an integer and 0 is the integer. */
function shorter(expr: Scalar, of: DType): Scalar {
  const [a, b] = expr._tag === 'Operation' && expr.name === 'sub' ? expr.args : [];
  const isSame = isInteger(of) && b?._tag === 'Constant' && b.value === 0;
  return isSame && a !== undefined ? a : expr;
}

/** An expression of other operands. Nodes that it shares stay shared. */
function withOperands(root: Scalar, operands: ReadonlyArray<Scalar>): Scalar {
  const known = new Map<Scalar, Scalar>();
  const visit = (expr: Scalar): Scalar => {
    if (expr._tag === 'Argument') return operands['xyz'.indexOf(expr.name)] ?? expr;
    if (expr._tag !== 'Operation') return expr;
    return remember(known, expr, () => ({ ...expr, args: expr.args.map(visit) }));
  };
  return visit(root);
}

/** The product in an element, if there is one. */
export const productIn = (element: Element): Product | undefined =>
  nodesOf(element).find((node) => node._tag === 'Product');

/** The element with a load in the place of its product. */
export const withoutProduct = (element: Element, window: Window): Element =>
  mapLeaves(element, (leaf) => (leaf._tag === 'Product' ? load(window) : leaf)) as Element;

/** The most nodes of an element: a longer chain is cut, and its first part stored. */
export const MAX_NODES = 48;

/** The nodes of an element, operands first, each once. */
export const nodesOf = analysis((element: Element): ReadonlyArray<Element> => {
  const seen = new Set<Element>();
  const visit = (node: Element): void => {
    if (seen.has(node)) return;
    if (node._tag === 'Apply') node.args.forEach(visit);
    seen.add(node);
  };
  visit(element);
  return [...seen];
});

/** The windows that an element reads, each once. */
export const windowsOf = analysis(
  (element: Element): ReadonlyArray<Window> => [
    ...new Set(nodesOf(element).flatMap((node) => (node._tag === 'Load' ? [node.window] : []))),
  ],
);

/**
 * The element with other windows, or `undefined` if one of them has no other. Windows that stay
 * leave the nodes above them as they are.
 */
export const mapWindows = (
  element: Element,
  f: (window: Window) => Window | undefined,
): Element | undefined =>
  mapLeaves(element, (leaf) => {
    if (leaf._tag !== 'Load') return leaf;
    const window = f(leaf.window);
    return window === leaf.window ? leaf : window && load(window);
  });

/** The element with other leaves, or `undefined` if one of them has no other. */
export function mapLeaves(
  element: Element,
  f: (leaf: Exclude<Element, Apply>) => Element | undefined,
): Element | undefined {
  const mapped = new Map<Element, Element>();
  for (const node of nodesOf(element)) {
    let other: Element | undefined = node;
    if (node._tag !== 'Apply') other = f(node);
    else {
      const args = node.args.map((arg) => mapped.get(arg) as Element);
      const isSame = args.every((arg, i) => arg === node.args[i]);
      if (!isSame) other = apply(node.expr, node.dtype, args, node.of);
    }
    if (other === undefined) return undefined;
    mapped.set(node, other);
  }
  return mapped.get(element);
}
