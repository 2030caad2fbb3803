/**
 * Programs of one product of integers: with zero points, scales along channels, and calls that compiled code
 * computes before the sums are stored.
 */
import type { Random } from '@baton/base';
import { type Attrs, constant, type Expr, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type DType, fromNumbers, type Shape, scalar, type Tensor } from '@baton/tensor';
import { PRODUCT_SITES, type ProductSite } from './product-sites.ts';
import { between, floats, type KernelProgram, oneOf } from './program.ts';

type Bytes = 'int8' | 'uint8';
const LIMITS = { int8: [-128, 127], uint8: [0, 255] } as const;

const below = (random: Random, most: number): number => between(random, 0, most - 1);

/** Numbers of a type, half of them its least and its greatest. */
function bytes(random: Random, shape: Shape, dtype: Bytes): Tensor {
  const [least, most] = LIMITS[dtype];
  const count = shape.reduce((a, b) => a * b, 1);
  const one = (): number =>
    oneOf(random, [least, most, between(random, least, most), between(random, least, most)]);
  const values = Array.from({ length: count }, one);
  return fromNumbers(values, [...shape], dtype);
}

const call = (name: string, args: ReadonlyArray<Expr>, attrs: Attrs = {}): Expr =>
  callOp(standardOps, name, args, attrs);
const int32 = (values: ReadonlyArray<number>): Expr =>
  constant(fromNumbers(values, [values.length], 'int32'));
const float32 = (values: ReadonlyArray<number>): Expr =>
  constant(fromNumbers(values, [values.length], 'float32'));
const integer = (value: number): Expr => constant(scalar(value, 'int32'));
const real = (value: number): Expr => constant(scalar(value, 'float32'));
const cast = (x: Expr, dtype: DType): Expr => call('cast', [x], { dtype });

/** The product of `qnn`, or of integers in int32 whose zero points are taken off first. */
function product(
  random: Random,
  site: ProductSite,
  x: Expr,
  w: Expr,
  zeros: readonly [Expr, Expr],
): Expr {
  const { name, attrs } = site;
  if (random() < 0.6) {
    const scales = [real(0.5), real(0.25)];
    return call(`qnn.${name}`, [x, w, ...zeros, ...scales], attrs);
  }
  const centred = (value: Expr, zero: Expr): Expr => call('subtract', [cast(value, 'int32'), zero]);
  const [data, weight] = [centred(x, zeros[0]), centred(w, integer(3))];
  const turned = name === 'batch_matmul' ? { transpose_b: true } : {};
  return call(`nn.${name}`, [data, weight], { ...attrs, ...turned, out_dtype: 'int32' });
}

/** What follows a product. */
const ENDINGS: ReadonlyArray<(random: Random, sum: Expr, site: ProductSite) => Expr> = [
  (_, sum) => sum,
  (random, sum, { axis, channels }) => {
    const dtype = oneOf(random, ['int8', 'uint8', 'int32'] as const);
    const rounding = oneOf(random, ['UPWARD', 'TONEAREST']);
    const scales = Array.from(
      { length: channels },
      () => 2 ** -between(random, 1, 12) * (1 + random()),
    );
    const bias = Array.from({ length: channels }, () => between(random, -9999, 9999));
    const axes = { axis, rounding, out_dtype: dtype };
    const added = call('nn.bias_add', [sum, int32(bias)], { axis });
    const isEach = random() < 0.6;
    const scale = isEach ? float32(scales) : real(scales[0] ?? 1);
    const to = [
      real(oneOf(random, [1, 0.037, 4.5])),
      integer(dtype === 'int32' ? 0 : between(random, -9, 9)),
    ];
    return call('qnn.requantize', [added, scale, integer(0), ...to], axes);
  },
  (random, sum, { axis, channels }) => {
    const scales = Array.from({ length: channels }, () => random() / 64);
    const floats = call('qnn.dequantize', [sum, float32(scales), integer(0)], { axis });
    if (random() < 0.3) return floats;
    const attrs = {
      out_dtype: oneOf(random, ['int8', 'uint8']),
      rounding: oneOf(random, ['TONEAREST', 'TIESTOEVEN']),
    };
    const rectified = call('nn.relu', [floats]);
    return call('qnn.quantize', [rectified, real(0.37), integer(between(random, -9, 9))], attrs);
  },
  (_, sum) =>
    cast(
      call('clip', [call('right_shift', [sum, integer(5)])], { a_min: -127, a_max: 127 }),
      'int8',
    ),
  (_, sum) => call('maximum', [call('subtract', [sum, integer(7)]), integer(0)]),
];

/** The kinds of products. */
export const INTEGER_PRODUCTS: ReadonlyArray<string> = Object.keys(PRODUCT_SITES);

/** A program of one product of a kind. */
export function integerProduct(kind: string, random: Random): KernelProgram {
  const site = (PRODUCT_SITES[kind] as (random: Random) => ProductSite)(random);
  const types = [oneOf<Bytes>(random, ['int8', 'uint8']), oneOf<Bytes>(random, ['int8', 'uint8'])];
  const values = [
    bytes(random, site.data, types[0] as Bytes),
    bytes(random, site.weight, types[1] as Bytes),
  ] as const;
  const isConstant = random() < 0.6;
  const x = variable('x', tensorType([...site.data], types[0] as Bytes));
  const w = variable('w', tensorType([...site.weight], types[1] as Bytes));
  const hasChannels = isConstant && site.name !== 'batch_matmul' && random() < 0.5;
  const zeros = [
    integer(oneOf(random, [0, 0, between(random, -128, 255)])),
    hasChannels
      ? int32(Array.from({ length: site.channels }, () => between(random, -4, 4)))
      : integer(oneOf(random, [0, between(random, -128, 255)])),
  ] as const;
  const sum = product(random, site, x, isConstant ? constant(values[1]) : w, zeros);
  const body = oneOf(random, ENDINGS)(random, sum, site);
  const main = func(isConstant ? [x] : [x, w], body);
  const module = irModule({ ops: standardOps, functions: new Map([['main', main]]) });
  return { module, args: isConstant ? values.slice(0, 1) : values };
}

/**
 * A program of one product as exporters write dynamic quantization: the zero point is known when the data
 * are.
 */
export function dynamicProduct(random: Random): KernelProgram {
  const [rows, depth, units] = [
    between(random, 1, 9),
    between(random, 1, 33),
    1 + below(random, 20),
  ];
  const x = variable('x', tensorType([rows, depth], 'float32'));
  const scaled = call('rint', [call('multiply', [x, real(40)])]);
  const byte = (value: Expr): Expr =>
    cast(call('clip', [value], { a_min: 0, a_max: 255 }), 'uint8');
  const zero = byte(call('rint', [call('negative', [call('min', [scaled])])]));
  const data = byte(call('add', [scaled, cast(zero, 'float32')]));
  const weight = cast(constant(bytes(random, [depth, units], 'int8')), 'int32');
  const centred = call('subtract', [cast(data, 'int32'), cast(zero, 'int32')]);
  // The zero point is stored: another call reads it, too.
  const sums = call('nn.matmul', [centred, weight]);
  const body = call('multiply', [cast(sums, 'float32'), cast(zero, 'float32')]);
  const module = irModule({ ops: standardOps, functions: new Map([['main', func([x], body)]]) });
  return { module, args: [floats(random, [rows, depth], 2)] };
}
