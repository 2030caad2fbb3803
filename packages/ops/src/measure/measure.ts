/** Measures modules: their size, and the cost of a run. */
import { type Analysis, analysis } from '@baton/base';
import {
  type Call,
  type Constant,
  children,
  type Expr,
  type Func,
  type IRModule,
  type OpTable,
  type Type,
  typeOf,
} from '@baton/ir';
import { dtypeInfo, shapeSize, type Tensor } from '@baton/tensor';
import { costColumn, fusionColumn, kindColumn } from '../columns.ts';
import { type Bytes, byteCount, bytes, type Flops, flops } from '../cost.ts';
import { parseLayout } from '../layout/layout.ts';
import { dimsOf, variesOnlyAlong } from '../scale-axis/shape.ts';

/** The contents and costs of everything that a run of `main` can reach; each node counts once. */
export interface ModuleMeasure {
  /**
   * Calls of operators; a convolution, dense or matmul and its only user, a bias, count as one, as
   * in ONNX.
   */
  readonly nodes: number;
  /** Calls of `Primitive` functions, and calls of operators outside them. */
  readonly kernels: number;
  /** Calls by operator name, in alphabetical order. */
  readonly byOp: Readonly<Record<string, number>>;
  readonly flops: Flops;
  /** The bytes of all constants, each tensor once. */
  readonly paramBytes: Bytes;
  /** The bytes of the results of all operator calls. */
  readonly activationBytes: Bytes;
  /** The bytes that the kernels read and write: their arguments and results. */
  readonly bytesMoved: Bytes;
}

export function countNodes(m: IRModule): number {
  const { calls, users } = survey(m);
  const folded = calls.filter((call) => isBiasOfProduct(call, users, m));
  return calls.length - folded.length;
}

/**
 * Measures a module with inferred types; a call of unknown type costs nothing.
 *
 * **Complexity** linear in the nodes.
 */
export const measureModule: Analysis<IRModule, ModuleMeasure> = analysis((m) => {
  const { calls, users, constants, kernels } = survey(m);
  const counts = new Map<string, number>();
  let nodes = 0;
  let operations = 0;
  let activation = 0;
  for (const call of calls) {
    const name = operatorOf(call) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!isBiasOfProduct(call, users, m)) nodes++;
    const result = typeOf(m, call);
    if (result === undefined) continue;
    activation += byteCount(result);
    operations += callFlops(call, result, m);
  }
  const names = [...counts.keys()].sort();
  return {
    nodes,
    kernels: kernels.length,
    byOp: Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])),
    flops: flops(operations),
    paramBytes: bytes(distinctBytes(constants)),
    activationBytes: bytes(activation),
    bytesMoved: bytes(kernels.reduce((sum, call) => sum + bytesOf([call, ...call.args], m), 0)),
  };
});

interface Survey {
  readonly calls: ReadonlyArray<Call>;
  /** The number of parents of each expression; one more for a root. */
  readonly users: ReadonlyMap<Expr, number>;
  readonly constants: ReadonlyArray<Constant>;
  readonly kernels: ReadonlyArray<Call>;
}

/** One walk over everything that `main` reaches; without a `main`, over every function. */
function survey(m: IRModule): Survey {
  const main = m.functions.get('main');
  const users = new Map<Expr, number>();
  const calls: Call[] = [];
  const constants: Constant[] = [];
  const kernels: Call[] = [];
  // Nodes outside primitive functions first: a node shared with one counts as outside.
  const pending: Expr[] = main === undefined ? [...m.functions.values()] : [main];
  const primitives: Expr[] = [];
  const entered = new Set<Expr>(pending);
  const visit = (node: Expr, within: boolean): void => {
    if (node._tag === 'Constant') constants.push(node);
    if (node._tag === 'Call') {
      if (operatorOf(node) !== undefined) {
        calls.push(node);
        if (!within) kernels.push(node);
      } else if (!within && calleeOf(node, m)?.attrs.Primitive === 1) kernels.push(node);
    }
    for (const child of nextOf(node, m)) {
      users.set(child, (users.get(child) ?? 0) + 1);
      if (entered.has(child)) continue;
      entered.add(child);
      const isKernel = child._tag === 'Function' && child.attrs.Primitive === 1;
      if (isKernel && !within) primitives.push(child);
      else pending.push(child);
    }
  };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) visit(node, false);
  pending.push(...primitives);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) visit(node, true);
  return { calls, users, constants, kernels };
}

function nextOf(node: Expr, m: IRModule): ReadonlyArray<Expr> {
  if (node._tag !== 'GlobalVar') return children(node);
  const f = m.functions.get(node.nameHint);
  return f === undefined ? [] : [f];
}

const operatorOf = (call: Call): string | undefined =>
  call.op._tag === 'Op' ? call.op.name : undefined;

function calleeOf(call: Call, m: IRModule): Func | undefined {
  if (call.op._tag === 'Function') return call.op;
  return call.op._tag === 'GlobalVar' ? m.functions.get(call.op.nameHint) : undefined;
}

/** Whether the call adds a per-channel vector to a product that has no other user. */
function isBiasOfProduct(call: Call, users: ReadonlyMap<Expr, number>, m: IRModule): boolean {
  const product = productOfBias(call, m);
  return product !== undefined && users.get(product) === 1;
}

/**
 * The product to which a call adds a constant per-channel vector: one kernel, if it has no other
 * user. By default only a literal is a constant.
 */
export function productOfBias(
  call: Call,
  m: IRModule,
  isConstant: (expr: Expr) => boolean = (expr) => expr._tag === 'Constant',
): Call | undefined {
  const name = operatorOf(call);
  const [a, b] = call.args;
  if (a === undefined || b === undefined) return undefined;
  if (name === 'nn.bias_add') return mayHaveBias(a, m.ops) ? a : undefined;
  if (name !== 'add') return undefined;
  const isBiasOf = (bias: Expr, product: Expr): product is Call =>
    mayHaveBias(product, m.ops) && isConstant(bias) && isChannelVector(bias, product, m);
  if (isBiasOf(b, a)) return a;
  return isBiasOf(a, b) ? b : undefined;
}

/** Whether the ONNX operator has a bias input: a product that fuses the addition. */
export function mayHaveBias(expr: Expr, ops: OpTable): expr is Call {
  const name = expr._tag === 'Call' ? operatorOf(expr) : undefined;
  if (name === undefined || ops.read(kindColumn, name) !== 'product') return false;
  return ops.read(fusionColumn, name) === 'out_elemwise_fusable';
}

function isChannelVector(bias: Expr, product: Call, m: IRModule): boolean {
  const type = typeOf(m, product);
  const channels = channelAxes(product, dimsOf(type)?.length ?? 0);
  return variesOnlyAlong(type, typeOf(m, bias), channels);
}

/** The axes of a product's channels: from the layout, or the last one. */
function channelAxes(product: Call, rank: number): ReadonlyArray<number> {
  const written = product.attrs?.out_layout || product.attrs?.data_layout;
  const layout = typeof written === 'string' ? parseLayout(written) : undefined;
  if (layout === undefined) return [rank - 1];
  return layout.flatMap((axis, i) => (axis.letter === 'C' ? [i] : []));
}

const bytesOf = (exprs: ReadonlyArray<Expr>, m: IRModule): number =>
  exprs.reduce((sum, expr) => {
    const type = typeOf(m, expr);
    return type === undefined ? sum : sum + byteCount(type);
  }, 0);

function callFlops(call: Call, result: Type, m: IRModule): number {
  const types: Type[] = [];
  for (const arg of call.args) {
    const type = typeOf(m, arg);
    if (type === undefined) return 0;
    types.push(type);
  }
  return costOfCall(m.ops, call, types, result);
}

function costOfCall(ops: OpTable, call: Call, args: ReadonlyArray<Type>, result: Type): number {
  const name = operatorOf(call);
  const cost = name === undefined ? undefined : ops.read(costColumn, name);
  return cost?.(args, result, call.attrs ?? {}).flops ?? 0;
}

/** Each tensor is counted once. */
function distinctBytes(constants: ReadonlyArray<Constant>): number {
  const tensors = new Set<Tensor>(constants.map((constant) => constant.data));
  let sum = 0;
  for (const { shape, dtype } of tensors) sum += shapeSize(shape) * dtypeInfo(dtype).bytes;
  return sum;
}
