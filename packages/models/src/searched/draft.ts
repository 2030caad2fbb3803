/** Layers of networks for searches: each weight is a distinct number, stored once. */
import { builderSpan } from '@baton/base';
import { type Attrs, constant, type Expr, type OpTable, tuple } from '@baton/ir';
import { callOp } from '@baton/ops';
import { full } from '@baton/tensor';

/** An image with its channels, or rows with their size: an expression, and the size of axis 1. */
export interface Layer {
  readonly expr: Expr;
  readonly channels: number;
}

export interface Window {
  readonly kernel: readonly [height: number, width: number];
  readonly stride?: number;
  /** The padding on every side. Default: the one that keeps the size at stride 1. */
  readonly padding?: readonly [vertical: number, horizontal: number];
}

export interface Convolution extends Window {
  readonly channels: number;
  readonly groups?: number;
  /** @defaultValue true */
  readonly relu?: boolean;
}

export interface Draft {
  readonly op: (name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  readonly weight: (shape: ReadonlyArray<number>) => Expr;
  readonly conv: (x: Layer, options: Convolution) => Layer;
  readonly pool: (kind: 'max' | 'avg', x: Layer, window: Window) => Layer;
  readonly concat: (parts: ReadonlyArray<Layer>) => Layer;
  readonly add: (x: Layer, y: Layer) => Layer;
}

/** The layers of a network, typed by an operator table. */
export function draft(ops: OpTable, name: string): Draft {
  const span = builderSpan(name);
  const op: Draft['op'] = (operator, args, attrs) => callOp(ops, operator, args, attrs, span);
  // Equal weights would be merged, and so would their products.
  let weights = 0;
  const weight: Draft['weight'] = (shape) => {
    const inputs = shape.slice(1).reduce((product, size) => product * size, 1);
    weights += 1;
    return constant(full(shape, 'float32', (1 + weights / STEPS) / inputs), span);
  };
  return {
    op,
    weight,
    conv: (x, { channels, groups = 1, relu = true, ...window }) => {
      const { kernel } = window;
      const shape = [channels, x.channels / groups, ...kernel];
      const attrs = { channels, groups, kernel_size: [...kernel], ...placed(window) };
      const product = op('nn.conv2d', [x.expr, weight(shape)], attrs);
      return { expr: relu ? op('nn.relu', [product]) : product, channels };
    },
    pool: (kind, x, window) => {
      const attrs = { pool_size: [...window.kernel], ...placed(window) };
      return { expr: op(`nn.${kind}_pool2d`, [x.expr], attrs), channels: x.channels };
    },
    concat: (parts) => ({
      expr: op(
        'concatenate',
        [
          tuple(
            parts.map(({ expr }) => expr),
            span,
          ),
        ],
        { axis: 1 },
      ),
      channels: parts.reduce((sum, { channels }) => sum + channels, 0),
    }),
    add: (x, y) => ({ expr: op('add', [x.expr, y.expr]), channels: x.channels }),
  };
}

/** The steps in which weights increase. */
const STEPS = 1024;

const placed = ({ kernel, stride = 1, padding }: Window): Attrs => {
  const [top, left] = padding ?? [(kernel[0] - 1) >> 1, (kernel[1] - 1) >> 1];
  return { strides: [stride, stride], padding: [top, left, top, left] };
};
