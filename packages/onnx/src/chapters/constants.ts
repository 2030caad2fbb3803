/** Constants, ranges, and tensors filled with one number. */

import { type Expr, isStaticDim, tensorType } from '@baton/ir';
import { shapeSize, type Tensor, tensor } from '@baton/tensor';
import type { CallContext, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { castTo, resultDims, resultDType } from '../shared/element-types.ts';
import { filled, filledLike } from '../shared/indices.ts';
import { namedType } from '../shared/quantization.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { placesUpTo, sizeOfAxis, sizesOfInput } from '../shared/sizes.ts';
import { reshape } from '../shared/words.ts';

export const constantOperators: Chapter = [
  reads('Constant', readConstant, { lacks: ['value_string', 'value_strings'] }),
  reads('ConstantOfShape', readConstantOfShape),
  reads('EyeLike', readEyeLike, {
    kernelSince: 9,
    kernelWhen: (context) => context.shapeOf(context.input(0)) === undefined,
  }),
  reads('Range', readRange),
  writes('arange', writeArange),
  writes('dyn.full', writeDynFull),
  writes('full', writeFull),
  writes('full_like', (context, [x, fill]) =>
    filledLike(context, x, castTo(context, fill, context.dtype(x))),
  ),
  writes('ones', (context) => filled(context, 1)),
  writes('ones_like', (context, [x]) =>
    filledLike(context, x, context.scalar(1, context.dtype(x))),
  ),
  writes('zeros', (context) => filled(context, 0)),
  writes('zeros_like', (context, [x]) =>
    filledLike(context, x, context.scalar(0, context.dtype(x))),
  ),
];

function readConstant(context: NodeContext): Converted {
  const value = constantValue(context);
  return value === undefined ? undefined : context.constant(value);
}

function constantValue(context: NodeContext): Tensor | undefined {
  const found = context.attributes.given;
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    return context.fail('ONNX_ATTRIBUTE', `expected one value, found ${found.length}`);
  }
  switch (only.kind) {
    case 'tensor':
      return context.tensor(only.value);
    case 'sparse_tensor':
      return context.dense(only.value);
    case 'float':
      return tensor([only.value], [], 'float32');
    case 'floats':
      return tensor(only.value, [only.value.length], 'float32');
    case 'int':
      return tensor([only.value], [], 'int64');
    case 'ints':
      return tensor(only.value, [only.value.length], 'int64');
    default:
      return context.fail('ONNX_ATTRIBUTE', `expected numbers, found ${only.kind}`);
  }
}

/** `ConstantOfShape`: one value everywhere, or weights that the caller supplies. */
function readConstantOfShape(context: NodeContext): Converted {
  const sizes = sizesOfInput(context, 0);
  const proto = context.attributes.tensor('value');
  const value = proto === undefined ? tensor([0], [], 'float32') : context.tensor(proto);
  if (sizes === undefined || value === undefined) return undefined;
  if (shapeSize(value.shape) !== 1) {
    return context.fail('ONNX_ATTRIBUTE', 'expected attribute value of one element');
  }
  const shape = sizes.filter(isStaticDim);
  if (shape.length < sizes.length) {
    const one = context.constant(value);
    const isScalar = value.shape.length === 0;
    const fill = isScalar ? one : reshape(context, one, []);
    return context.call('dyn.full', [fill, context.input(0)], { dtype: value.dtype });
  }
  const filled = context.filled(context.outputName(0), shape, value);
  return filled === undefined ? undefined : context.constant(filled);
}

function readEyeLike(context: NodeContext): Converted {
  const x = context.input(0);
  const { length: rank } = context.dimsOf(x);
  const dtype = namedType(context, 'dtype', context.dtypeOf(x));
  if (dtype === undefined) return undefined;
  if (rank !== 2) return context.fail('ONNX_RANK', `expected a matrix, found rank ${rank}`);
  const [row, column] = [0, 1].map((axis) => placesUpTo(context, sizeOfAxis(context, x, axis))) as [
    Expr,
    Expr,
  ];
  // Element (i, j) is 1 if j = i + k.
  const text = 'cast(expand_dims(?row + ?k, axis=1) == ?column, dtype=?dtype)';
  return context.formula(text, { row, k: context.attributes.int('k'), column, dtype });
}

function readRange(context: NodeContext): Converted {
  const bounds = [0, 1, 2].map((i) => asScalar(context, context.input(i)));
  return context.call('arange', bounds, { dtype: context.dtypeOf(context.input(0)) });
}

/** A bound is a scalar; exporters, and ONNX's own functions, also write one of shape (1). */
const asScalar = (context: NodeContext, bound: Expr): Expr =>
  context.dimsOf(bound).length === 1 ? context.call('squeeze', [bound], { axis: [0] }) : bound;

/** `arange`: `Range` takes some dtypes. */
function writeArange(context: CallContext, [start, stop, step]: Operands): Written {
  const wanted = resultDType(context);
  const ranged = RANGED.includes(wanted) ? wanted : 'float32';
  const bounds = [start, stop, step].map((bound) => castTo(context, bound, ranged));
  const type = tensorType(resultDims(context), ranged);
  return castTo(context, context.node('Range', bounds, {}, type), wanted);
}

const RANGED: ReadonlyArray<string> = ['float32', 'float64', 'int16', 'int32', 'int64'];

function writeDynFull(context: CallContext, [fill, shape]: Operands): Written {
  const value = castTo(context, fill, resultDType(context));
  return context.node('Expand', [value, castTo(context, shape, 'int64')]);
}

function writeFull(context: CallContext, [fill]: Operands): Written {
  const value = castTo(context, fill, resultDType(context));
  const shape = context.attrs.ints('shape');
  return shape.length === 0
    ? context.node('Identity', [value])
    : context.node('Expand', [value, context.ints(shape)]);
}
