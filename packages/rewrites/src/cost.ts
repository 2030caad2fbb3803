/** Costs of programs: what engines make smaller. */
import { remember } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  type IRModule,
  noAttrs,
  type OpTable,
  postOrderExprs,
  type Type,
  typeOf,
} from '@baton/ir';
import {
  byteCount,
  costColumn,
  type FusionPattern,
  fusionColumn,
  isOpCall,
  kindColumn,
  productOfBias,
} from '@baton/ops';
import { isPrimitive } from '@baton/pass-manager';
import { isCompileTime } from './match/fold.ts';

/**
 * The cost of one node of a program, 0 or more; those below it are not part of it. In e-graphs a call
 * sees a product among its arguments only if it alone uses it, and a variable in its place if not:
 * what a kernel adds to its product costs less than what is added to a value.
 */
export type NodeCost = (node: Expr, m: IRModule) => number;

/** Calls of kernels, and of operators that compute. Other nodes are free. */
export const operatorCount: NodeCost = (node, m) => (isComputing(node, m) ? 1 : 0);

/**
 * The kernels that fusion will make, nearly: calls that join the kernel of others, which are those
 * without sums over elements, cost a hundredth of one.
 */
export const kernelCount: NodeCost = (node, m) => {
  if (!isComputing(node, m)) return 0;
  const pattern = isOpCall(node) ? m.ops.read(fusionColumn, node.op.name) : undefined;
  return pattern !== undefined && JOINING.has(pattern) ? 0.01 : 1;
};

const JOINING: ReadonlySet<FusionPattern> = new Set(['elemwise', 'broadcast', 'injective']);

/** Whether a node is a call of a kernel, or of an operator that computes. */
export function isComputing(node: Expr, m: IRModule): node is Call {
  if (node._tag === 'Call' && isPrimitive(node.op)) return true;
  return isOpCall(node) && m.ops.get(node.op.name)?.nonComputational !== true;
}

/** The parameters of a machine for {@link roofline}. */
export interface Machine {
  /** Floating-point operations that take as long as moving one byte. */
  readonly flopsPerByte: number;
  /** The bytes that could be moved while one call of an operator starts. */
  readonly bytesPerCall: number;
}

/** A core that computes 40 GFLOP/s, moves 10 GB/s, and starts a call in a microsecond. */
export const ONE_CORE: Machine = { flopsPerByte: 4, bytesPerCall: 10_000 };

/** The time of work on a machine, in bytes that it could move: the longer of computing and moving. */
export const timeOn = ({ flopsPerByte, bytesPerCall }: Machine, { flops, bytes }: Work): number =>
  bytesPerCall + Math.max(flops / flopsPerByte, bytes);

/**
 * The time of calls in bytes moved: the longer of computing and moving, and the start of each call.
 * A kernel moves its arguments and its result only, and a bias is added in the kernel of its product.
 * A movement with several results, such as a split, starts once for each: it is as many copies.
 * Constants cost nothing. A dimension that is not known counts as 1.
 *
 * **Source** Williams, Waterman, Patterson: Roofline, 2009.
 */
export const roofline =
  (machine: Machine = ONE_CORE): NodeCost =>
  (node, m) => {
    const result = isComputing(node, m) ? typeOf(m, node) : undefined;
    if (!isComputing(node, m) || result === undefined) return 0;
    const work = workOf(node, result, m);
    const isConstant = (expr: Expr): boolean => isCompileTime(m, expr);
    if (productOfBias(node, m, isConstant) !== undefined) return work.flops / machine.flopsPerByte;
    const isMovement = isOpCall(node) && m.ops.read(fusionColumn, node.op.name) === 'injective';
    const parts = isMovement && result._tag === 'TupleType' ? result.fields.length : 1;
    return timeOn(machine, work) + (parts - 1) * machine.bytesPerCall;
  };

/**
 * The seconds that a core takes for the calls of a program, by {@link roofline}: each function once, and
 * each call of an operator by itself, also in kernels. What constants alone decide is computed before, and costs nothing. Dimensions that
 * are not known count as 1, and branches as if both ran: it is for comparing two forms of one program.
 *
 * **Complexity** linear in the program.
 */
export function estimatedSeconds(m: IRModule): number {
  const cost = roofline();
  let bytes = 0;
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (isOpCall(node) && !isCompileTime(m, node)) bytes += cost(node, m);
  }
  return bytes / BYTES_PER_SECOND;
}

/** The bytes that the core of {@link roofline} moves in a second: costs are bytes. */
export const BYTES_PER_SECOND = 1e10;

/** The work of a call. */
export interface Work {
  readonly flops: number;
  /** Bytes moved. */
  readonly bytes: number;
}

/** The work of a call with a result of this type. */
export function workOf(node: Call, result: Type, m: IRModule): Work {
  const args = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  if (!isOpCall(node)) {
    const bytes = [...args, result].reduce((sum, type) => sum + byteCount(type), 0);
    return { flops: node.op._tag === 'Function' ? flopsOf(node.op, m) : 0, bytes };
  }
  if (args.length < node.args.length) return { flops: 0, bytes: byteCount(result) };
  const known = m.ops.read(costColumn, node.op.name)?.(args, result, node.attrs ?? noAttrs);
  if (known === undefined) return { flops: 0, bytes: byteCount(result) };
  const { bytesRead, bytesWritten } = known;
  // A slice reads no more than it writes.
  const isMovement = m.ops.read(kindColumn, node.op.name) === 'movement';
  const read = isMovement ? Math.min(bytesRead, bytesWritten) : bytesRead;
  return { flops: known.flops, bytes: read + bytesWritten };
}

const known = new WeakMap<OpTable, WeakMap<Func, number>>();

/** The floating-point operations of the calls in the body of a kernel. */
const flopsOf = (kernel: Func, m: IRModule): number =>
  remember(
    remember(known, m.ops, () => new WeakMap()),
    kernel,
    () => {
      let flops = 0;
      for (const node of postOrderExprs([kernel.body])) {
        const type = isOpCall(node) ? typeOf(m, node) : undefined;
        if (isOpCall(node) && type !== undefined) flops += workOf(node, type, m).flops;
      }
      return flops;
    },
  );
