/** The public names of `@baton/wasm`. */
export { type SimdLevel, simdLevel } from './level.ts';
