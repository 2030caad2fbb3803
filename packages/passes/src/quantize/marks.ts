/** The marks of quantization: calls of `relay.op.annotation.simulated_quantize`. */
import { type Call, call, type Expr, type IRModule, typeOf } from '@baton/ir';
import { dtypeOf, isOpCall, type OpCall, type Quantizing, quantizingColumn } from '@baton/ops';
import type { DType } from '@baton/tensor';

/** The operator that marks numbers to quantize. */
export const MARK = 'relay.op.annotation.simulated_quantize';

/** The operator that states the type to compute in. */
export const HINT = 'annotation.cast_hint';

/** The operator that ends a kernel. */
export const BARRIER = 'annotation.stop_fusion';

export const REAL: DType = 'float32';

/** The kinds of marked numbers: operands of products, constants, sums of products. */
export type Kind = 'input' | 'weight' | 'sum';

/** The attribute `kind` of a mark. */
export const KIND_NUMBERS: Readonly<Record<Kind, number>> = { input: 1, weight: 2, sum: 3 };

const KINDS: ReadonlyArray<Kind> = ['input', 'weight', 'sum'];

/** The kind that a mark states; `undefined` for a mark without a kind. */
export const kindOf = ({ attrs }: OpCall): Kind | undefined =>
  KINDS.find((kind) => KIND_NUMBERS[kind] === attrs.kind);

/** The part of a call where numbers are quantized; `undefined` if it has none. */
export const partOf = (m: IRModule, node: Expr): Quantizing | undefined =>
  isOpCall(node) ? m.ops.read(quantizingColumn, node.op.name) : undefined;

export const isReal = (m: IRModule, expr: Expr): boolean => dtypeOf(typeOf(m, expr)) === REAL;

/** The call with other arguments; the same object if they are the same. */
export const again = (node: Call, args: ReadonlyArray<Expr>): Call =>
  args.every((arg, i) => arg === node.args[i]) ? node : call(node.op, args, node);
