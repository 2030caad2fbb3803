/** The products of a program, and the program in which their operands are quantized. */
import { type Result, remember } from '@baton/base';
import {
  type Call,
  constant,
  type Expr,
  func,
  type IRModule,
  inferTypes,
  irModule,
  postOrderExprs,
  rewriteExpr,
  tuple,
  typeOf,
} from '@baton/ir';
import {
  callOp,
  costColumn,
  elementCount,
  isCallOf,
  isOpCall,
  kindColumn,
  type OpCall,
  onIntegersColumn,
} from '@baton/ops';
import {
  fromNumbers,
  reshapeView,
  scalar,
  type Tensor,
  type TensorData,
  tensor,
  toNumbers,
} from '@baton/tensor';

/** The least and the greatest number that an operand had. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The choice of products to quantize, and their scales. */
export interface QuantizedProductsOptions {
  /** The bounds of operands that are computed; without them, only constants are quantized. */
  readonly bounds?: ReadonlyMap<Expr, Bounds> | undefined;
  /** Whether each output of a weight has a separate scale. */
  readonly perChannel: boolean;
  /** The products whose weights stay. */
  readonly skips?: ReadonlySet<string>;
}

/** The products of floats of `@main` that operators on integers can compute, in their order. */
function productsIn(m: IRModule): ReadonlyArray<OpCall> {
  const main = m.functions.get('main');
  if (main === undefined) return [];
  return plainOrder(main.body).filter(
    (node): node is OpCall =>
      isOpCall(node) &&
      m.ops.read(kindColumn, node.op.name) === 'product' &&
      m.ops.read(onIntegersColumn, node.op.name) !== undefined &&
      isFloat32(m, node),
  );
}

/** The nodes that are computed whenever the program runs, each after what it mentions. */
const plainOrder = (body: Expr): ReadonlyArray<Expr> =>
  postOrderExprs([body], ({ _tag }) => _tag === 'Function' || _tag === 'If' || _tag === 'Match');

function isFloat32(m: IRModule, expr: Expr): boolean {
  const type = typeOf(m, expr);
  return type?._tag === 'TensorType' && type.dtype === 'float32';
}

const OPERANDS = 2;

const isConstant = (expr: Expr): boolean => expr._tag === 'Constant';

/** The operands of products that are no constants, each once. */
export const operandsIn = (m: IRModule): ReadonlyArray<Expr> => [
  ...new Set(
    productsIn(m)
      .filter((node) => isProfitable(m, node))
      .flatMap(({ args }) => args.slice(0, OPERANDS).filter((arg) => !isConstant(arg))),
  ),
];

/**
 * Multiplications per element of a computed operand from which on a product is faster on integers than on
 * floats: rounding an element takes about as long as 16 multiplications save. Convolutions of single channels
 * and products with a cache of keys have fewer.
 */
const LEAST_REUSE = 16;

/** Whether a product is faster on integers, with the rounding of its operands. */
function isProfitable(m: IRModule, node: OpCall): boolean {
  const types = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  const result = typeOf(m, node);
  const cost = result && m.ops.read(costColumn, node.op.name)?.(types, result, node.attrs);
  const computed = types.filter((_, i) => i < OPERANDS && !isConstant(node.args[i] as Expr));
  const rounded = computed.reduce((sum, type) => sum + elementCount(type), 0);
  return cost === undefined || cost.flops / 2 >= LEAST_REUSE * rounded;
}

/** The program that returns the least and the greatest element of each operand, alternating. */
export function observing(m: IRModule, operands: ReadonlyArray<Expr>): Result<IRModule> {
  const main = m.functions.get('main');
  const body = tuple(
    operands.flatMap((operand) => [
      callOp(m.ops, 'min', [operand]),
      callOp(m.ops, 'max', [operand]),
    ]),
  );
  const observed = func(main?.params ?? [], body);
  return inferTypes(
    irModule({ ops: m.ops, functions: new Map([...m.functions, ['main', observed]]) }),
  );
}

/** The bounds of operands over runs of {@link observing}, each of which gave these numbers. */
export function boundsOver(
  operands: ReadonlyArray<Expr>,
  runs: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyMap<Expr, Bounds> {
  return new Map(
    operands.map((operand, i) => {
      const at = (place: number) => runs.map((numbers) => numbers[place] ?? 0);
      return [operand, { least: Math.min(...at(2 * i)), most: Math.max(...at(2 * i + 1)) }];
    }),
  );
}

/** The program in which the operands of products are rounded to integers of 8 bits. */
export function withQuantizedProducts(
  m: IRModule,
  choices: QuantizedProductsOptions,
): Result<IRModule> {
  const main = m.functions.get('main');
  const products = new Set<Expr>(productsIn(m));
  const known = new Map<Expr, Expr>();
  const weights = new Map<TensorData, Map<string, Expr>>();
  const rounded = (node: OpCall, index: number, get: (expr: Expr) => Expr): Expr => {
    const arg = node.args[index] as Expr;
    if (arg._tag === 'Constant') return index === 1 ? weight(node, arg.data) : arg;
    const bounds = choices.bounds?.get(arg);
    if (bounds === undefined || !isProfitable(m, node)) return get(arg);
    return remember(known, arg, () => throughBytes(m, get(arg), bounds));
  };
  // Calls with one weight, as the steps of a recurrence, share what it is rounded to.
  const weight = (node: OpCall, data: Tensor): Expr => {
    const axis = choices.perChannel ? outputsOf(node, data.shape.length) : undefined;
    const own = remember(weights, data.data, () => new Map<string, Expr>());
    const view = `${[axis, data.offset]} ${data.shape} ${data.strides}`;
    return remember(own, view, () => throughScales(m, data, axis));
  };
  if (main === undefined) return inferTypes(m);
  const step = (node: Expr, get: (expr: Expr) => Expr): Expr | undefined => {
    if (isCallOf(node, 'take')) return ofRoundedRows(m, node, get);
    if (!products.has(node) || !isOpCall(node) || choices.skips?.has(node.op.name))
      return undefined;
    const args = node.args.map((arg, i) => (i < OPERANDS ? rounded(node, i, get) : get(arg)));
    return callOp(m.ops, node.op.name, args, node.attrs, node.span);
  };
  const body = rewriteExpr(main.body, step, plainOrder(main.body));
  const functions = new Map([...m.functions, ['main', func(main.params, body)] as const]);
  return inferTypes(irModule({ ops: m.ops, functions }));
}

/** Tables of fewer elements stay. */
const LEAST_TABLE = 1024;

/** Rows of a known table, whose elements are rounded: each row has a separate scale. */
function ofRoundedRows(m: IRModule, node: OpCall, get: (expr: Expr) => Expr): Expr | undefined {
  const [table, ...others] = node.args;
  if (table?._tag !== 'Constant' || !isFloat32(m, table)) return undefined;
  const { shape } = table.data;
  if (shape.length !== 2 || sizeOf(shape) < LEAST_TABLE) return undefined;
  const args = [throughScales(m, table.data, 0), ...others.map(get)];
  return callOp(m.ops, node.op.name, args, node.attrs, node.span);
}

/** The steps of an unsigned byte. */
const STEPS = 255;

/** Numbers rounded to the integers of 8 bits that span their bounds and 0, and back. */
function throughBytes({ ops }: IRModule, x: Expr, { least, most }: Bounds): Expr {
  const [low, high] = [Math.min(least, 0), Math.max(most, 0)];
  const scale = Math.fround((high - low) / STEPS) || 1;
  const point = Math.max(-128, Math.min(127, Math.round(-128 - low / scale)));
  const parameters = [constant(scalar(scale, 'float32')), constant(scalar(point, 'int32'))];
  const attrs = { out_dtype: 'int8', rounding: 'TIESTOEVEN' };
  const bytes = callOp(ops, 'qnn.quantize', [x, ...parameters], attrs);
  return callOp(ops, 'qnn.dequantize', [bytes, ...parameters]);
}

/** The greatest integer of a weight: they are on both sides of 0. */
const MOST = 127;

/** Numbers rounded to multiples of a scale for each index of an axis, or for all, and back. */
function throughScales({ ops }: IRModule, data: Tensor, axis: number | undefined): Expr {
  const [count, inner] =
    axis === undefined
      ? [1, sizeOf(data.shape)]
      : [data.shape[axis] ?? 1, sizeOf(data.shape.slice(axis + 1))];
  const numbers = toNumbers(data);
  // Calls `run` with each run of elements of one channel.
  const inRuns = (run: (channel: number, start: number, end: number) => void): void => {
    for (let start = 0; start < numbers.length; start += inner) {
      run((start / inner) % count, start, start + inner);
    }
  };
  const sizes = new Float64Array(count);
  inRuns((channel, start, end) => {
    let size = sizes[channel] ?? 0;
    for (let i = start; i < end; i++) size = Math.max(size, Math.abs(numbers[i] as number));
    sizes[channel] = size;
  });
  const scales = Array.from(sizes, (size) => Math.fround(size / MOST) || 1);
  const bytes = new Int8Array(numbers.length);
  inRuns((channel, start, end) => {
    const scale = scales[channel] ?? 1;
    for (let i = start; i < end; i++) bytes[i] = Math.round((numbers[i] as number) / scale);
  });
  const all = fromNumbers(scales, [count], 'float32');
  const scale = axis === undefined ? reshapeView(all, []) : all;
  const operands = [tensor(bytes, data.shape, 'int8'), scale, scalar(0, 'int32')];
  return callOp(
    ops,
    'qnn.dequantize',
    operands.map((operand) => constant(operand)),
    { axis: axis ?? -1 },
  );
}

const sizeOf = (shape: ReadonlyArray<number>): number => shape.reduce((a, b) => a * b, 1);

/** The axis of a weight along which the outputs of a product lie; `undefined` of a batch of weights. */
function outputsOf({ op, attrs }: Call, rank: number): number | undefined {
  const layout = attrs?.kernel_layout;
  if (typeof layout === 'string') {
    const axis = layout.indexOf('O');
    return /^[A-Z]+$/.test(layout) && axis >= 0 ? axis : undefined;
  }
  if (rank !== 2) return undefined;
  const isTurned = op._tag === 'Op' && op.name === 'nn.dense' ? true : attrs?.transpose_b === true;
  return isTurned ? 0 : 1;
}
