/** Costs of programs: what engines make smaller. */
import { type Expr, type IRModule, noAttrs, typeOf } from '@baton/ir';
import { byteCount, costColumn, isOpCall } from '@baton/ops';

/** The cost of one node of a program, 0 or more; those below it are not part of it. */
export type NodeCost = (node: Expr, m: IRModule) => number;

/** Calls of operators that compute. Other nodes are free. */
export const operatorCount: NodeCost = (node, m) =>
  isOpCall(node) && m.ops.get(node.op.name)?.nonComputational !== true ? 1 : 0;

/** The parameters of a machine for {@link roofline}. */
export interface Machine {
  /** Floating-point operations that take as long as moving one byte. */
  readonly flopsPerByte: number;
  /** The bytes that could be moved while one call of an operator starts. */
  readonly bytesPerCall: number;
}

/** A core that computes 40 GFLOP/s, moves 10 GB/s, and starts a call in a microsecond. */
const ONE_CORE: Machine = { flopsPerByte: 4, bytesPerCall: 10_000 };

/**
 * The time of calls in bytes moved: the longer of computing and moving, and the start of each call.
 * Constants cost nothing. A dimension that is not known counts as 1.
 *
 * **Source** Williams, Waterman, Patterson: Roofline, 2009.
 */
export const roofline =
  ({ flopsPerByte, bytesPerCall }: Machine = ONE_CORE): NodeCost =>
  (node, m) => {
    const result = isOpCall(node) ? typeOf(m, node) : undefined;
    if (!isOpCall(node) || result === undefined || operatorCount(node, m) === 0) return 0;
    const args = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
    if (args.length < node.args.length) return bytesPerCall;
    const known = m.ops.read(costColumn, node.op.name)?.(args, result, node.attrs ?? noAttrs);
    if (known === undefined) return bytesPerCall + byteCount(result);
    return (
      bytesPerCall + Math.max(known.flops / flopsPerByte, known.bytesRead + known.bytesWritten)
    );
  };
