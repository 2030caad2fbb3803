/**
 * The signs of floats, by a constant with the bits of their signs, which a loop keeps in a register.
 * V8 materializes the constant each time for WebAssembly's own instructions.
 */
import { type Value, v128 } from '../emit/index.ts';
import { splatOf } from '../kernels/lanes.ts';

type Vector = Value<'v128'>;

/** A number in all lanes. */
type Splat = (value: number) => Vector;

/** Without their signs. */
export const magnitudeOf = (x: Vector, splat: Splat = splatOf): Vector => v128.andnot(x, splat(-0));

/** With the other signs. */
export const negated = (x: Vector, splat: Splat = splatOf): Vector => v128.xor(x, splat(-0));
