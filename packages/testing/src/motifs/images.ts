/** Pads before convolutions and pools, normalizations, and biases. */
import type { Attrs } from '@baton/ir';
import { type DType, dtypeInfo } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { allowed, type Motif, motif, perhapsStateful, shared } from '../generate/motif.ts';
import type { TensorValue, Value } from '../generate/value.ts';
import {
  convolve,
  imageLayout,
  someChannelAxis,
  someImage,
  spatialDims,
} from '../samplers/contractions.ts';
import { samplerOf } from '../samplers/standard.ts';

/** The padding value of the operator after a pad, if it pads at all. */
function padValue(b: Builder, kind: string, dtype: DType): TensorValue {
  const { random } = b;
  const least = random.chance(0.7) ? Number(dtypeInfo(dtype).min) : Number.NEGATIVE_INFINITY;
  const own = kind === 'max' ? least : 0;
  const value = random.weighted([
    [8, own],
    [0.7, 0],
    [0.7, 1],
  ] as const);
  return random.chance(0.85) || kind === 'max'
    ? b.constant([value], [], dtype)
    : b.operand({ shape: [], dtype });
}

/** `conv(pad(x))`, `max_pool(pad(x))`, `avg_pool(pad(x))`, with all possible obstacles. */
function padding(b: Builder): TensorValue | undefined {
  const { random } = b;
  const kind = random.pick(['conv', 'max', 'avg']);
  const rank = random.int(3, 5);
  const x = someImage(b, [rank, rank]);
  const dims = rank - 2;
  const name = kind === 'conv' ? `nn.conv${dims}d` : `nn.${kind}_pool${dims}d`;
  if (!b.allows(name)) return undefined;
  const channelAxis = someChannelAxis(b, rank);
  const layout = imageLayout(rank, channelAxis);
  const onChannels = random.chance(0.08);
  const widths = [...layout].map((letter) => {
    const isPadded = 'DHW'.includes(letter) || (letter === 'C' && onChannels);
    return isPadded ? [random.int(0, 1), random.int(0, 1)] : [0, 0];
  });
  const value = padValue(b, kind, x.dtype);
  const mode = random.chance(0.93) ? 'constant' : 'edge';
  const made = b.call('nn.pad', [x, value], { pad_width: widths, pad_mode: mode });
  if (made._tag !== 'Tensor') return undefined;
  // The padding of a maximum is not visible after it.
  const padded = kind === 'max' ? { ...made, facts: x.facts } : made;
  if (kind !== 'max') shared(b, padded, 0.1);
  if (kind === 'conv') {
    const grouping = random.chance(0.8) ? 'one' : 'depthwise';
    return convolve(b, padded, { channelAxis, grouping });
  }
  return pooled(b, padded, name, layout, kind === 'max');
}

/** A pool, sometimes with padding, with rounding up, or with small windows. */
function pooled(
  b: Builder,
  x: TensorValue,
  name: string,
  layout: string,
  isMax: boolean,
): TensorValue {
  const { random } = b;
  const small = random.chance(0.25);
  const sizes = spatialDims(x.shape, layout).map((dim) => Math.min(dim, small ? 1 : 2));
  const own = random.chance(0.25);
  const attrs: Attrs = {
    pool_size: sizes,
    strides: sizes.map(() => random.int(1, 2)),
    padding: sizes.map((size) => (own && size > 1 ? 1 : 0)),
    layout,
    ceil_mode: random.chance(0.08),
    ...(isMax ? {} : { count_include_pad: random.chance(0.5) }),
  };
  const result = b.tensor(name, [x], attrs);
  // A window may hold only padding, so its value is limited again.
  return isMax && (small || own) && b.allows('clip')
    ? b.tensor('clip', [{ ...result, facts: x.facts }], { a_min: -8, a_max: 8 })
    : result;
}

export const paddings: ReadonlyArray<Motif> = [motif(1, 'nn.pad', padding)];

/** A normalization with field 0 used, or another one. */
function normalization(b: Builder): TensorValue | undefined {
  const names = allowed(
    b,
    'nn.batch_norm nn.batch_norm nn.dropout nn.layer_norm nn.instance_norm nn.group_norm ' +
      'nn.l2_normalize',
  );
  const op = names.length === 0 ? undefined : b.ops.get(b.random.pick(names));
  const sample = op && samplerOf(b.ops, op);
  if (op === undefined || sample === undefined) return undefined;
  const result = withEffect(b, sample(b, op));
  if (result._tag === 'Tensor') return result;
  const isBound = b.random.chance(0.15);
  const tuple = isBound ? b.bind(result) : result;
  if (b.random.chance(0.15)) b.keep(b.project(tuple, b.random.int(1, result.fields.length - 1)));
  return b.project(tuple, 0);
}

const withEffect = (b: Builder, value: Value): Value => {
  if (!b.random.chance(0.06) || !b.allows('test.effect')) return value;
  return (
    b.again(value, {}, (args) =>
      args.map((arg, i) => (i === 1 && arg._tag === 'Tensor' ? perhapsStateful(b, arg, 1) : arg)),
    ) ?? value
  );
};

export const normalizations: ReadonlyArray<Motif> = [motif(1, '', normalization)];

/** A bias along an inner axis or the last. */
function bias(b: Builder): TensorValue {
  const x = b.operand({ rank: [2, 5], fits: (s) => !s.includes(0), fresh: () => [2, 3, 5] });
  const rank = x.shape.length;
  const axis = b.random.weighted([
    [3, 1],
    [2, -1],
    [2, b.random.int(-rank, rank - 1)],
  ] as const);
  const length = x.shape[axis < 0 ? axis + rank : axis] ?? 1;
  const vector = b.random.chance(0.5)
    ? b.weights([length], x.dtype)
    : b.operand({ shape: [length], dtype: x.dtype });
  return b.tensor('nn.bias_add', [x, vector], { axis });
}

export const biases: ReadonlyArray<Motif> = [motif(1, 'nn.bias_add', bias)];
