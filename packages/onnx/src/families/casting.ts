/** Casts, with what ONNX says about values that a small float cannot hold. */
import type { Expr } from '@baton/ir';
import { type DType, dtypeInfo, isFloat } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { asType } from './quantization.ts';

/** A value in another dtype, as the attributes `saturate` and `round_mode` say. */
export function converted(context: NodeContext, x: Expr, dtype: DType): Expr {
  const { call, attributes } = context;
  const { kind } = dtypeInfo(dtype);
  if (kind !== 'small' || context.dtypeOf(x) === dtype) return call('cast', [x], { dtype });
  const isScale = dtype === 'float8_e8m0fnu';
  const rounded = isScale ? scaleOf(context, x) : floatOf(context, x);
  if (attributes.int('saturate', 1) === 0) return call('cast', [rounded], { dtype });
  const most = Number(dtypeInfo(dtype).max);
  // An infinite scale is no number: it is not brought within the limits.
  const isOpen = isScale && call('less', [call('abs', [x]), Number.POSITIVE_INFINITY]);
  const bounded = call('clip', [rounded], { a_min: -most, a_max: most });
  const kept = isOpen ? call('where', [isOpen, bounded, rounded]) : bounded;
  return call('cast', [kept], { dtype });
}

const floatOf = (context: NodeContext, x: Expr): Expr =>
  isFloat(context.dtypeOf(x)) ? x : asType(context, x, 'float32');

/** By what to multiply a float for its nearest power of two to be one in this direction. */
const FACTORS: Readonly<Record<string, number>> = { up: 1.5 - 2 ** -23, down: 0.75, nearest: 1 };

/** Magnitudes whose nearest powers of two are what the attribute `round_mode` asks for. */
function scaleOf(context: NodeContext, x: Expr): Expr {
  const { call } = context;
  const mode = context.attributes.string('round_mode', 'up');
  const factor = FACTORS[mode];
  const size = call('abs', [asType(context, x, 'float32')]);
  if (factor === undefined) {
    context.fail('ONNX_ATTRIBUTE', `expected up, down or nearest, found ${mode}`);
  }
  return factor === undefined || factor === 1 ? size : call('multiply', [size, factor]);
}
