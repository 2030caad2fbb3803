/**
 * The signs of four floats, by a constant with the bits of their signs, which a loop keeps in a register.
 * V8 materializes the constant each time for WebAssembly's own instructions.
 */
import { type Value, v128 } from '../emit/index.ts';
import { splatOf } from '../kernels/lanes.ts';

type Vector = Value<'v128'>;

const signs = (): Vector => splatOf(-0);

/** Without their signs. */
export const magnitudeOf = (x: Vector): Vector => v128.andnot(x, signs());

/** With the other signs. */
export const negated = (x: Vector): Vector => v128.xor(x, signs());
