/** Lines that move elements: views, concatenations whose parts are read again, gathers, reductions. */
import { fromNumbers, type Shape, shapeSize } from '@baton/tensor';
import type { Draft, Known } from './draft.ts';
import { binary, bounded, isFloat, operandFor, unary } from './elementwise.ts';
import { MOST } from './sizes.ts';

export function moved(draft: Draft, x: Known): Known {
  const { random } = draft;
  const { shape } = x;
  const axes = shape.map((_, axis) => axis);
  const axis = random.pick(axes);
  switch (random.int(0, 5)) {
    case 0: {
      const order = random.shuffle(axes);
      const turned = order.map((at) => shape[at] as number);
      return draft.call('transpose', [x], { ...x, shape: turned }, `, axes=[${order}]`);
    }
    case 1: {
      const to = random.pick([[shapeSize(shape)], [1, ...shape], reversedOf(shape)]);
      return draft.call('reshape', [x], { ...x, shape: to }, `, newshape=[${to}]`);
    }
    case 2:
      return draft.call('reverse', [x], x, `, axis=${axis}`);
    case 3:
      return sliced(draft, x, axis);
    case 4: {
      const count = random.int(1, 3);
      if (count * shapeSize(shape) > MOST || shape.length > 4) return unary(draft, x);
      const wide = { ...x, shape: [count, ...shape] };
      return draft.call('broadcast_to', [x], wide, `, shape=[${wide.shape}]`);
    }
    default:
      return taken(draft, x, axis);
  }
}

const reversedOf = (shape: Shape): Shape => [...shape].reverse();

function sliced(draft: Draft, x: Known, axis: number): Known {
  const { random } = draft;
  const dim = x.shape[axis] as number;
  const begin = random.int(0, dim - 1);
  const end = random.int(begin + 1, dim);
  const step = random.pick([1, 1, 2, 3]);
  const shape = x.shape.map((own, i) => (i === axis ? Math.ceil((end - begin) / step) : own));
  const on = (other: number, own: (i: number) => number) =>
    x.shape.map((_, i) => (i === axis ? other : own(i)));
  const attrs = [
    `begin=[${on(begin, () => 0)}]`,
    `end=[${on(end, (i) => x.shape[i] as number)}]`,
    `strides=[${on(step, () => 1)}]`,
  ];
  return draft.call('strided_slice', [x], { ...x, shape }, `, ${attrs.join(', ')}`);
}

/** Rows by index, in two modes. */
function taken(draft: Draft, x: Known, axis: number): Known {
  const { random } = draft;
  const count = Math.min(random.int(1, 9), Math.floor(MOST / shapeSize(x.shape)) || 1);
  const dim = x.shape[axis] as number;
  const indices = Array.from({ length: count }, () => random.int(-dim - 2, 2 * dim));
  const at = draft.number(fromNumbers(indices, [count], random.pick(['int32', 'int64'])));
  const mode = random.pick(['clip', 'wrap']);
  const shape = x.shape.map((own, i) => (i === axis ? count : own));
  return draft.call('take', [x, at], { ...x, shape }, `, axis=${axis}, mode="${mode}"`);
}

/**
 * A concatenation whose part is read again: by an operator that also reads the concatenation, and may
 * write its result over it, and by a later one.
 */
export function joinedAndReadAgain(draft: Draft, x: Known): Known {
  const { random, call } = draft;
  if (x.shape.length > 4 || 4 * shapeSize(x.shape) > MOST) return binary(draft, x);
  const own = unary(draft, x);
  const part = call('expand_dims', [own], { ...x, shape: [1, ...x.shape] }, ', axis=0');
  const count = random.int(1, 3);
  const others = operandOf(draft, [count, ...x.shape], x);
  const parts = random.chance(0.5) ? [part, others] : [others, part];
  if (random.chance(0.3)) parts.push(part);
  const size = parts.reduce((sum, one) => sum + (one.shape[0] as number), 0);
  const text = `concatenate((${parts.map(({ name }) => name).join(', ')},), axis=0)`;
  const bound = Math.max(...parts.map((one) => one.bound));
  const whole = draft.line(text, parts, { ...x, shape: [size, ...x.shape], bound });
  const first = random.chance(0.3) ? unary(draft, whole) : whole;
  const again = random.chance(0.5) ? part : own;
  const name = x.dtype === 'bool' ? 'logical_xor' : random.pick(['add', 'subtract', 'maximum']);
  const result = call(name, [first, again], { ...whole, bound: whole.bound + x.bound + 2 });
  return bounded(draft, result);
}

function operandOf(draft: Draft, shape: Shape, { dtype }: Known): Known {
  const y = operandFor(draft, shape, dtype);
  if (y.shape.join() === shape.join()) return y;
  return draft.call('broadcast_to', [y], { ...y, shape }, `, shape=[${shape}]`);
}

export function joined(draft: Draft, x: Known): Known {
  const { random } = draft;
  if (3 * shapeSize(x.shape) > MOST) return unary(draft, x);
  const axis = random.int(0, x.shape.length - 1);
  const parts = random.shuffle([
    x,
    operandOf(draft, x.shape, x),
    ...(random.chance(0.3) ? [x] : []),
  ]);
  const dim = (x.shape[axis] as number) * parts.length;
  const shape = x.shape.map((own, i) => (i === axis ? dim : own));
  const text = `concatenate((${parts.map(({ name }) => name).join(', ')},), axis=${axis})`;
  return draft.line(text, parts, { ...x, shape, bound: Math.max(...parts.map((p) => p.bound)) });
}

/** A reduction over an axis, whose result is exact in any order. */
export function folded(draft: Draft, x: Known): Known {
  const { random, isFractional } = draft;
  const axis = random.int(0, x.shape.length - 1);
  const keep = random.chance(0.5);
  const shape = x.shape.flatMap((dim, i) => (i !== axis ? [dim] : keep ? [1] : []));
  const names = x.dtype === 'bool' ? ['all', 'any'] : ['max', 'min'];
  const isSum = x.dtype !== 'bool' && !isFractional && random.chance(0.5);
  const bound = isSum ? x.bound * (x.shape[axis] as number) : x.bound;
  const attrs = `, axis=[${axis}], keepdims=${keep ? 'True' : 'False'}`;
  const result = draft.call(isSum ? 'sum' : random.pick(names), [x], { ...x, shape, bound }, attrs);
  return isFloat(x.dtype) ? bounded(draft, result) : result;
}
