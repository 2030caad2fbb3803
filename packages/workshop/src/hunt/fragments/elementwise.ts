/** Elementwise motifs: activations as exporters spell them, arithmetic, round trips of casts. */
import { isFloat, isInteger } from '@baton/tensor';
import { type Builder, dimAt, like, sizeOf, type Val } from '../builder.ts';
import { binary, cast, clip, divide, unary, withScalar } from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

const onFloats = (
  name: string,
  share: number,
  apply: (b: Builder, x: Val) => Val | undefined,
): Fragment => fragment(name, share, (b, x) => (isFloat(x.dtype) ? apply(b, x) : undefined));

const sigmoid = (b: Builder, x: Val): Val => unary(b, 'Sigmoid', x, 1);

/** The activations, most of them as several nodes. */
const ACTIVATIONS: readonly [(b: Builder, x: Val) => Val, ...((b: Builder, x: Val) => Val)[]] = [
  (b, x) => unary(b, 'Relu', x),
  (b, x) => unary(b, 'Tanh', x, 1),
  sigmoid,
  (b, x) => b.node('LeakyRelu', [x], like(x), { alpha: { float: b.draw.pick([0.01, 0.2]) } }),
  (b, x) => b.node('Elu', [x], like(x)),
  (b, x) => b.node('HardSigmoid', [x], like(x, 1)),
  (b, x) => clip(b, x, 0, 6),
  // SiLU.
  (b, x) => ({ ...binary(b, 'Mul', x, sigmoid(b, x)), most: x.most }),
  // GELU by erf, with a division.
  (b, x) => {
    const erf = unary(b, 'Erf', withScalar(b, 'Div', x, Math.SQRT2), 1);
    const half = binary(b, 'Mul', x, withScalar(b, 'Add', erf, 1));
    return { ...withScalar(b, 'Mul', half, 0.5), most: x.most };
  },
  // GELU by tanh.
  (b, x) => {
    const cube = withScalar(
      b,
      'Mul',
      b.node('Pow', [x, b.scalar(3, x.dtype)], like(x, x.most ** 3)),
      0.044715,
    );
    const inner = withScalar(b, 'Mul', binary(b, 'Add', x, cube), Math.sqrt(2 / Math.PI));
    const gate = withScalar(b, 'Add', unary(b, 'Tanh', inner, 1), 1);
    return { ...withScalar(b, 'Mul', binary(b, 'Mul', x, gate), 0.5), most: x.most };
  },
  // Hard swish, spelled out.
  (b, x) => {
    const gate = clip(b, withScalar(b, 'Add', x, 3), 0, 6);
    return { ...withScalar(b, 'Div', binary(b, 'Mul', x, gate), 6), most: x.most };
  },
  // Mish.
  (b, x) => ({
    ...binary(b, 'Mul', x, unary(b, 'Tanh', unary(b, 'Softplus', x), 1)),
    most: x.most,
  }),
];

/** onnxruntime has few of them in float64. */
const activated = (b: Builder, x: Val): Val =>
  x.dtype === 'float64'
    ? unary(b, b.draw.pick(['Relu', 'Tanh', 'Sigmoid']), x)
    : b.draw.pick(ACTIVATIONS)(b, x);

const activation = onFloats('activation', 8, (b, x) => {
  if (x.dtype !== 'float32' && x.most > 30) return undefined;
  return activated(b, x);
});

const scaleAndShift = onFloats('scale and shift', 4, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (last === undefined) return undefined;
  const scaled = binary(b, 'Mul', x, b.weight(x.dtype, [last]));
  return binary(b, b.draw.pick(['Add', 'Sub']), scaled, b.weight(x.dtype, [last]));
});

const scalars = onFloats('a chain of scalars', 4, (b, x) => {
  let value = x;
  for (let i = b.draw.int(1, 3); i > 0; i--) {
    const op = b.draw.pick(['Add', 'Sub', 'Mul', 'Div']);
    const by = b.draw.pick([0.5, 2, 0.1, -1, 3, 0.125]);
    value = {
      ...withScalar(b, op, value, by),
      most: op === 'Div' ? value.most / Math.abs(by) : value.most * Math.abs(by) + 3,
    };
  }
  return value;
});

const residual = onFloats('residual', 4, (b, x) => {
  const inner = activated(b, x.most > 30 ? unary(b, 'Tanh', x, 1) : x);
  return binary(b, b.draw.pick(['Add', 'Sub', 'Mul']), x, inner);
});

/** Two values of the graph that broadcast: skip connections. */
const skip = fragment('skip connection', 5, (b, x) => {
  const fit = b
    .values()
    .filter(
      (y) =>
        y !== x &&
        y.dtype === x.dtype &&
        y.dims.length === x.dims.length &&
        y.dims.every(
          (dim, i) =>
            dim.sizes[0] === dimAt(x, i).sizes[0] && dim.sizes[1] === dimAt(x, i).sizes[1],
        ),
    );
  const [first, ...others] = fit;
  if (first === undefined || x.dtype === 'bool' || x.dtype === 'uint8' || x.dtype === 'int8')
    return undefined;
  const y = b.draw.pick([first, ...others]);
  if (x.most * y.most > 1e4) return binary(b, 'Add', x, y);
  return binary(b, b.draw.pick(['Add', 'Sub', 'Mul']), x, y);
});

const functions = onFloats('functions', 3, (b, x) => {
  const op = b.draw.pick([
    'Exp',
    'Log',
    'Sqrt',
    'Sin',
    'Cos',
    'Abs',
    'Neg',
    'Reciprocal',
    'Floor',
    'Round',
    'Ceil',
    'Sign',
  ]);
  if (op === 'Round' && b.opset < 11) return unary(b, 'Floor', x);
  if (op === 'Exp') return unary(b, op, clip(b, x, -4, 3), 21);
  if (op === 'Log') return unary(b, op, withScalar(b, 'Add', unary(b, 'Abs', x), 0.1), 10);
  if (op === 'Sqrt') return unary(b, op, withScalar(b, 'Add', unary(b, 'Abs', x), 1e-3));
  if (op === 'Reciprocal') return unary(b, op, withScalar(b, 'Add', unary(b, 'Abs', x), 0.5), 2);
  if (op === 'Sin' || op === 'Cos')
    return x.dtype === 'float32' && x.most < 50 ? unary(b, op, x, 1) : undefined;
  return unary(b, op, x);
});

const powers = onFloats('power', 2, (b, x) => {
  if (x.most > 20) return undefined;
  const exponent = b.draw.pick([2, 3, 0.5, -1]);
  const base = exponent === 2 || exponent === 3 ? x : withScalar(b, 'Add', unary(b, 'Abs', x), 0.5);
  const type = like(x, Math.max(2, base.most ** 3));
  const isMixed = b.opset >= 12 && Number.isInteger(exponent) && b.draw.chance(0.3);
  return b.node('Pow', [base, b.scalar(exponent, isMixed ? 'int64' : x.dtype)], type);
});

const extremes = onFloats('Min and Max', 2, (b, x) => {
  if (x.dtype === 'float16' && b.opset < 12) return undefined;
  const other = b.draw.chance(0.5) ? b.scalar(0.3, x.dtype) : unary(b, 'Neg', x);
  return { ...binary(b, b.draw.pick(['Min', 'Max']), x, other), most: Math.max(1, x.most) };
});

/** A part of the model in the other precision. */
const otherPrecision = onFloats('other precision', 3, (b, x) => {
  if (x.most > 100 || x.dtype === 'float64') return undefined;
  const narrow = cast(b, x, x.dtype === 'float32' ? 'float16' : 'float32');
  if (b.draw.chance(0.2)) return narrow;
  const worked = b.draw.chance(0.5)
    ? unary(b, 'Sigmoid', narrow, 1)
    : withScalar(b, 'Mul', narrow, 0.3);
  return cast(b, worked, x.dtype);
});

const throughIntegers = onFloats('floats through integers', 2, (b, x) => {
  if (x.most > 100) return undefined;
  const whole = cast(b, withScalar(b, 'Mul', x, 4), b.draw.pick(['int32', 'int64']));
  return b.draw.chance(0.5) ? whole : cast(b, whole, x.dtype);
});

const integers = fragment('integer arithmetic', 5, (b, x) => {
  if (x.dtype !== 'int64' && x.dtype !== 'int32') return undefined;
  const op = b.draw.pick(['Add', 'Sub', 'Mul', 'Div', 'Mod', 'Abs', 'Neg']);
  if (op === 'Abs' || op === 'Neg') return unary(b, op, x);
  if (op === 'Mod')
    return b.opset < 10 ? undefined : { ...withScalar(b, op, x, b.draw.int(2, 7)), most: 7 };
  if (op === 'Div') return { ...withScalar(b, op, x, b.draw.pick([2, 3, 7])), most: x.most };
  return x.most > 1e6 ? undefined : withScalar(b, op, x, b.draw.int(1, 9));
});

const toFloats = fragment('integers to floats', 4, (b, x) =>
  isInteger(x.dtype)
    ? withScalar(b, b.draw.pick(['Mul', 'Div']), cast(b, x, 'float32'), b.draw.pick([0.1, 0.25, 3]))
    : undefined,
);

const slopes = onFloats('PRelu', 1, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (last === undefined || x.dtype === 'float64') return undefined;
  return b.node('PRelu', [x, b.weight(x.dtype, [last])], like(x, 2 * x.most));
});

/** Products of a weighted sum of positive terms, divided by a norm. */
const ratio = onFloats('ratio', 2, (b, x) => {
  const below = withScalar(b, 'Add', unary(b, 'Abs', x), 0.5);
  return divide(b, x, below, 1 + x.most);
});

export const elementwiseFragments: ReadonlyArray<Fragment> = [
  activation,
  scaleAndShift,
  scalars,
  residual,
  skip,
  functions,
  powers,
  extremes,
  otherPrecision,
  throughIntegers,
  integers,
  toFloats,
  slopes,
  ratio,
];
