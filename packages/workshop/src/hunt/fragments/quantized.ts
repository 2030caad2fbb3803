/** Quantized parts: QDQ, dynamic quantization, products of bytes. */
import { tensor } from '@baton/tensor';
import { type Builder, dimAt, known, like, sizeOf, type Val } from '../builder.ts';
import { binary, cast, clip, transpose, withScalar } from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

type Byte = 'int8' | 'uint8';

function quantizePair(b: Builder, x: Val, dtype: Byte): Val {
  const scale = b.scalar(b.draw.pick([0.02, 0.05, 0.1]), 'float32');
  const zero = b.scalar(
    dtype === 'int8' ? b.draw.pick([0, -128, 5]) : b.draw.pick([0, 128, 120]),
    dtype,
  );
  const bytes = b.node('QuantizeLinear', [x, scale, zero], { dtype, dims: x.dims, most: 255 });
  if (b.draw.chance(0.1)) b.keep(bytes);
  return b.node('DequantizeLinear', [bytes, scale, zero], like(x, 30));
}

const byteOf = (b: Builder): Byte => b.draw.pick(['int8', 'uint8']);

const qdq = fragment('QDQ', 4, (b, x) =>
  x.dtype === 'float32' && b.opset >= 10 ? quantizePair(b, x, byteOf(b)) : undefined,
);

/** A weight of bytes that is dequantized, for each column or as a whole. */
function dequantized(b: Builder, from: number, to: number): Val {
  const bytes = b.weight('int8', [from, to], { low: -127, high: 127 });
  const isPerColumn = b.opset >= 13 && b.draw.chance(0.5);
  const scale = isPerColumn
    ? b.weight('float32', [to], { low: 0.001, high: 0.02 })
    : b.scalar(0.01, 'float32');
  const zero = b.draw.chance(0.5)
    ? undefined
    : isPerColumn
      ? b.constant(tensor(Array(to).fill(0), [to], 'int8'))
      : b.scalar(0, 'int8');
  const type = { dtype: 'float32', dims: [known(from), known(to)], most: 1.5 } as const;
  return b.node('DequantizeLinear', [bytes, scale, zero], type, isPerColumn ? { axis: 1 } : {});
}

const quantizedProduct = fragment('QDQ around MatMul', 4, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || b.opset < 10 || x.dims.length < 2 || last === undefined)
    return undefined;
  const to = b.draw.int(2, 8);
  const data = quantizePair(b, x, byteOf(b));
  const product = b.node('MatMul', [data, dequantized(b, last, to)], {
    ...like(x, 50),
    dims: [...x.dims.slice(0, -1), known(to)],
  });
  const shifted = b.draw.chance(0.6)
    ? binary(b, 'Add', product, b.weight('float32', [to]))
    : product;
  return b.draw.chance(0.5) ? quantizePair(b, shifted, byteOf(b)) : shifted;
});

const quantizedConv = fragment('QDQ around Conv', 2, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  if (
    x.dtype !== 'float32' ||
    b.opset < 13 ||
    x.dims.length !== 4 ||
    channels === undefined ||
    channels > 16
  )
    return undefined;
  const bytes = b.weight('int8', [4, channels, 3, 3], { low: -127, high: 127 });
  const type = { dtype: 'float32', dims: [4, channels, 3, 3].map(known), most: 1.5 } as const;
  const weight = b.node(
    'DequantizeLinear',
    [bytes, b.weight('float32', [4], { low: 0.001, high: 0.02 })],
    type,
    { axis: 0 },
  );
  const out = b.node(
    'Conv',
    [quantizePair(b, x, byteOf(b)), weight, b.weight('float32', [4])],
    { ...like(x, 50), dims: [dimAt(x, 0), known(4), dimAt(x, 2), dimAt(x, 3)] },
    { pads: [1, 1, 1, 1] },
  );
  return quantizePair(b, b.node('Relu', [out], like(out)), 'uint8');
});

/** Dynamic quantization, as onnxruntime's quantizer writes it. */
const dynamic = fragment('dynamic quantization', 4, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || b.opset < 11 || x.dims.length < 2 || last === undefined)
    return undefined;
  const to = b.draw.int(2, 8);
  const scalarOf = (dtype: 'float32' | 'uint8') => ({ dtype, dims: [], most: 255 }) as const;
  const [bytes, scale, zero] = b.nodes('DynamicQuantizeLinear', [x], [
    { dtype: 'uint8', dims: x.dims, most: 255 },
    scalarOf('float32'),
    scalarOf('uint8'),
  ] as const);
  const weight = b.weight('int8', [last, to], { low: -60, high: 60 });
  const hasZero = b.draw.chance(0.5);
  const product = b.node(
    'MatMulInteger',
    [bytes, weight, zero, hasZero ? b.scalar(0, 'int8') : undefined],
    { dtype: 'int32', dims: [...x.dims.slice(0, -1), known(to)], most: 1e6 },
  );
  const factor = binary(
    b,
    'Mul',
    { ...scale, most: 1 },
    { ...b.scalar(0.01, 'float32'), most: 0.01 },
  );
  const out = {
    ...binary(b, 'Mul', { ...cast(b, product, 'float32'), most: 10 }, factor),
    most: 3 * x.most,
  };
  return b.draw.chance(0.5) ? binary(b, 'Add', out, b.weight('float32', [to])) : out;
});

const bytesBack = fragment('floats to bytes', 2, (b, x) => {
  if (x.dtype !== 'float32') return undefined;
  const scaled = clip(b, withScalar(b, 'Mul', x, 50), 0, 255);
  return cast(b, b.opset < 11 ? scaled : b.node('Round', [scaled], like(scaled)), 'uint8');
});

const fromBytes = fragment('bytes to floats', 5, (b, x) => {
  if ((x.dtype !== 'uint8' && x.dtype !== 'int8') || b.opset < 10) return undefined;
  return b.node(
    'DequantizeLinear',
    [x, b.scalar(0.02, 'float32'), b.draw.chance(0.5) ? b.scalar(3, x.dtype) : undefined],
    { dtype: 'float32', dims: x.dims, most: 6 },
  );
});

/** Views of bytes between a pair. */
const movedBytes = fragment('moved bytes', 2, (b, x) => {
  if ((x.dtype !== 'uint8' && x.dtype !== 'int8') || x.dims.length < 2) return undefined;
  return transpose(b, x, [...x.dims.keys()].reverse());
});

export const quantizedFragments: ReadonlyArray<Fragment> = [
  qdq,
  quantizedProduct,
  quantizedConv,
  dynamic,
  bytesBack,
  fromBytes,
  movedBytes,
];
