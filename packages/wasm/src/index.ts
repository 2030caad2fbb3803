/** The public names of `@baton/wasm`. */
export { LEAST_ELEMENTS, makeWasm, type WasmOptions, wasm } from './executor.ts';
export { type SimdLevel, simdLevel } from './level.ts';
