/** Calls on float16 that are computed in float32, which has all of its numbers. */
import type { DType } from '@baton/tensor';
import { apply, load } from './element.ts';
import { ITSELF } from './lower-map.ts';
import { compute, type Lowering, newBuffer, shapeAt, stored, type Value } from './lowering.ts';
import type { Window } from './window.ts';

/** A tensor of float16 in float32. */
export function widened(at: number, state: Lowering): Window {
  const out = newBuffer('float32', shapeAt(at, state), state);
  compute(apply(ITSELF, 'float32', [load(stored(at, state))], 'float16'), out, state);
  return out;
}

/** A value of float32 in a narrower type: it is stored first. */
export function roundedTo(dtype: DType, value: Value, state: Lowering): Value {
  const { shape } = value;
  let window = value._tag === 'Window' ? value : undefined;
  if (value._tag === 'Pending') {
    window = newBuffer('float32', shape, state);
    compute(value.element, window, state);
  }
  const element = apply(ITSELF, dtype, [load(window as Window)], 'float32');
  return { _tag: 'Pending', shape, element };
}
