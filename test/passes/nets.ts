/** Small random networks, for comparing programs before and after a pass. */
import { mulberry32 } from '@baton/base';
import {
  type Attrs,
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  tensorType,
  tuple,
  tupleGetItem,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type DType, type Tensor, tensor } from '@baton/tensor';
import fc from 'fast-check';

/** One step: its kind, the earlier values that it reads, and a choice within it. */
export interface Step {
  readonly kind: StepKind;
  readonly first: number;
  readonly second: number;
  readonly choice: number;
}

/** The kinds of steps. */
export type StepKind =
  | 'conv'
  | 'depthwise'
  | 'scale'
  | 'shift'
  | 'bias'
  | 'relu'
  | 'norm'
  | 'sum'
  | 'concatenate'
  | 'pool'
  | 'pad'
  | 'flip';

/** The position of channels. */
export interface Layout {
  readonly data: string;
  readonly kernel: string;
  readonly depthwise: string;
}

/** A network to be built. */
export interface NetPlan {
  readonly layout: Layout;
  readonly dtype: DType;
  readonly seed: number;
  readonly steps: ReadonlyArray<Step>;
}

/** A program and arguments for it. */
export interface Net {
  readonly module: IRModule;
  readonly args: ReadonlyArray<Tensor>;
}

const LAYOUTS: ReadonlyArray<Layout> = [
  { data: 'NCHW', kernel: 'OIHW', depthwise: 'OIHW' },
  { data: 'NHWC', kernel: 'HWIO', depthwise: 'HWOI' },
  { data: 'NCHW2c', kernel: 'OIHW2i2o', depthwise: 'OIHW1i2o' },
  { data: 'CNHW', kernel: 'IHWO', depthwise: 'OHWI' },
];

const KINDS: ReadonlyArray<StepKind> = [
  'conv',
  'depthwise',
  'scale',
  'shift',
  'bias',
  'relu',
  'norm',
  'sum',
  'concatenate',
  'pool',
  'pad',
  'flip',
];

/** Networks of convolutions, normalizations and other operators between them, in all layouts. */
export const netPlans: fc.Arbitrary<NetPlan> = fc.record({
  layout: fc.constantFrom(...LAYOUTS),
  dtype: fc.constantFrom<DType>('float32', 'float64'),
  seed: fc.nat(),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      first: fc.nat({ max: 3 }),
      second: fc.nat({ max: 3 }),
      choice: fc.nat({ max: 7 }),
    }),
    { minLength: 2, maxLength: 12 },
  ),
});

const BATCH = 2;
const SIDE = 3;
const CHANNELS: ReadonlyArray<number> = [2, 4, 6];

interface Value {
  readonly expr: Expr;
  readonly channels: number;
}

/** Builds the network that a plan describes; steps that do not fit their operands do nothing. */
export function buildNet(plan: NetPlan): Net {
  const { layout, dtype } = plan;
  const random = mulberry32(plan.seed);
  const params: Var[] = [];
  const args: Tensor[] = [];
  const op = (name: string, exprs: ReadonlyArray<Expr>, attrs: Attrs = {}): Expr =>
    callOp(standardOps, name, exprs, attrs);
  const values = (count: number, of: () => number): number[] => Array.from({ length: count }, of);
  const size = (shape: ReadonlyArray<number>) => shape.reduce((a, b) => a * b, 1);
  const eighths = (): number => Math.floor(random() * 17 - 8) / 8;
  const powers = (sign: number) => () => 2 ** Math.floor(random() * 5 - 2) * sign;
  const signed = (): number => powers(random() < 0.5 ? -1 : 1)();

  const given = (data: number[], shape: ReadonlyArray<number>, isParam: boolean): Expr => {
    const value = tensor(data, shape, dtype);
    if (!isParam) return constant(value);
    const param = variable(`p${params.length}`, tensorType(shape, dtype));
    params.push(param);
    args.push(value);
    return param;
  };
  /** The shape of a tensor in a layout, by the size of each letter. */
  const shapeOf = (text: string, sizes: Readonly<Record<string, number>>): number[] =>
    [...text.matchAll(/([A-Z])|([0-9]+)([a-z])/g)].map(([, main, block, letter]) => {
      if (letter !== undefined) return Number(block);
      const inner = new RegExp(`([0-9]+)${main?.toLowerCase()}`).exec(text)?.[1];
      return (sizes[main ?? ''] ?? 1) / Number(inner ?? 1);
    });
  const dataShape = (channels: number): number[] =>
    shapeOf(layout.data, { N: BATCH, C: channels, H: SIDE, W: SIDE });
  /** A vector along the channels, as short as broadcasting allows. */
  const alongChannels = (channels: number): number[] => {
    const full = shapeOf(layout.data, { N: 1, C: channels, H: 1, W: 1 });
    const start = [...layout.data].indexOf('C');
    return full.slice(start);
  };
  const channelAxis = [...layout.data].indexOf('C');
  const isBlocked = layout.data === 'NCHW2c';

  const apply = (step: Step, a: Value, b: Value): Value | undefined => {
    const { channels } = a;
    const isParam = step.choice >= 6;
    switch (step.kind) {
      case 'conv': {
        const out = CHANNELS[step.choice % CHANNELS.length] ?? 2;
        const shape = shapeOf(layout.kernel, { O: out, I: channels, H: 3, W: 3 });
        const weight = given(values(size(shape), eighths), shape, isParam);
        const layouts = { data_layout: layout.data, kernel_layout: layout.kernel };
        const attrs = { padding: [1, 1], channels: out, kernel_size: [3, 3], ...layouts };
        return { expr: op('nn.conv2d', [a.expr, weight], attrs), channels: out };
      }
      case 'depthwise': {
        const shape = shapeOf(layout.depthwise, { O: channels, I: 1, H: 3, W: 3 });
        const weight = given(values(size(shape), eighths), shape, isParam);
        const layouts = { data_layout: layout.data, kernel_layout: layout.depthwise };
        const attrs = { padding: [1, 1], channels, kernel_size: [3, 3], groups: channels };
        return { expr: op('nn.conv2d', [a.expr, weight], { ...attrs, ...layouts }), channels };
      }
      case 'scale': {
        const shape = step.choice === 5 ? [] : alongChannels(channels);
        const scale = given(
          values(size(shape), step.choice < 4 ? powers(1) : signed),
          shape,
          isParam,
        );
        const exprs = step.second % 2 === 0 ? [a.expr, scale] : [scale, a.expr];
        return { expr: op('multiply', exprs), channels };
      }
      case 'shift': {
        const shape = step.choice === 5 ? [] : alongChannels(channels);
        const shift = given(values(size(shape), eighths), shape, isParam);
        const exprs = step.second % 2 === 0 ? [a.expr, shift] : [shift, a.expr];
        return { expr: op(step.choice % 3 === 0 ? 'subtract' : 'add', exprs), channels };
      }
      case 'bias': {
        if (isBlocked) return undefined;
        const bias = given(values(channels, eighths), [channels], isParam);
        return { expr: op('nn.bias_add', [a.expr, bias], { axis: channelAxis }), channels };
      }
      case 'relu': {
        const leaky = step.choice % 2 === 0;
        return { expr: op(leaky ? 'nn.leaky_relu' : 'nn.relu', [a.expr]), channels };
      }
      case 'norm': {
        if (isBlocked) return undefined;
        const [gamma, beta, mean] = [eighths, eighths, eighths].map((of) =>
          given(values(channels, of), [channels], isParam),
        );
        const variance = given(values(channels, powers(1)), [channels], isParam);
        if (!gamma || !beta || !mean) return undefined;
        const attrs = { axis: channelAxis, scale: step.choice !== 1, center: step.choice !== 2 };
        const norm = op('nn.batch_norm', [a.expr, gamma, beta, mean, variance], attrs);
        return { expr: tupleGetItem(norm, 0), channels };
      }
      case 'sum': {
        if (b.channels !== channels) return undefined;
        return { expr: op(step.choice % 2 === 0 ? 'add' : 'subtract', [a.expr, b.expr]), channels };
      }
      case 'concatenate': {
        const both = op('concatenate', [tuple([a.expr, b.expr])], { axis: channelAxis });
        return { expr: both, channels: channels + b.channels };
      }
      case 'pool': {
        const name = step.choice % 2 === 0 ? 'nn.max_pool2d' : 'nn.avg_pool2d';
        if (isBlocked || layout.data === 'CNHW') return undefined;
        const attrs = { pool_size: [3, 3], strides: [1, 1], padding: [1, 1], layout: layout.data };
        return { expr: op(name, [a.expr], attrs), channels };
      }
      case 'pad': {
        // A row more at both ends, perhaps a scale, and a convolution that brings the shape back.
        const height = [...layout.data].indexOf('H');
        const widths = dataShape(channels).map((_, axis) => (axis === height ? [1, 1] : [0, 0]));
        const value = given([step.choice % 3 === 0 ? 1 : 0], [], false);
        const padded = op('nn.pad', [a.expr, value], { pad_width: widths });
        const along = alongChannels(channels);
        const scale = given(values(size(along), signed), along, false);
        const scaled = step.second % 2 === 0 ? padded : op('multiply', [padded, scale]);
        const shape = shapeOf(layout.kernel, { O: channels, I: channels, H: 3, W: 3 });
        const weight = given(values(size(shape), eighths), shape, isParam);
        const layouts = { data_layout: layout.data, kernel_layout: layout.kernel };
        const attrs = { padding: [0, 1], channels, kernel_size: [3, 3], ...layouts };
        return { expr: op('nn.conv2d', [scaled, weight], attrs), channels };
      }
      case 'flip': {
        const rank = dataShape(channels).length;
        const axes = Array.from({ length: rank }, (_, axis) => axis);
        const [h, w] = [[...layout.data].indexOf('H'), [...layout.data].indexOf('W')];
        axes[h] = w;
        axes[w] = h;
        return { expr: op('transpose', [a.expr], { axes }), channels };
      }
    }
  };

  const start = {
    expr: given(values(size(dataShape(2)), eighths), dataShape(2), true),
    channels: 2,
  };
  const made: Value[] = [start];
  for (const step of plan.steps) {
    const recent = (back: number): Value => made[Math.max(0, made.length - 1 - back)] ?? start;
    // Most steps continue from the newest value, so that chains are long enough to fold.
    const next = apply(step, recent(step.first < 3 ? 0 : 1), recent(step.second));
    if (next !== undefined && next.channels <= 12) made.push(next);
  }
  const last = made.at(-1) ?? start;
  const before = made.at(-2) ?? start;
  const body = plan.seed % 4 === 0 ? tuple([last.expr, before.expr]) : last.expr;
  const functions = new Map([['main', func(params, body)]]);
  return { module: irModule({ functions, ops: standardOps }), args };
}
