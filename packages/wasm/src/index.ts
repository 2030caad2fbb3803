/** The public names of `@baton/wasm`. */

export type { CheckedCode, CodeChecks, Compiled } from './compile.ts';
export * as emit from './emit/index.ts';
export {
  LEAST_ELEMENTS,
  makeWasm,
  SPECIALIZATIONS,
  type WasmOptions,
  wasm,
} from './executor.ts';
export { type CompiledFacts, compiledFacts, type KernelFacts, loweredText } from './facts.ts';
export {
  type Epilogue,
  type HandKernel,
  handKernels,
  plain,
  type Spread,
} from './kernels/index.ts';
export { type SimdLevel, simdLevel } from './level.ts';
export { compileToModule, type ModuleFile, type ModuleOptions } from './module-files.ts';
export type { ArgumentSizes, SpecializationBounds } from './sizes/cache.ts';
export type { SpecializationFacts } from './sizes/function.ts';
export {
  type StartThread,
  serveThread,
  type ThreadProgram,
  type Threads,
  type ThreadWork,
} from './thread.ts';
export {
  hostWebAssembly,
  type WasmMemory,
  type WasmModule,
  type WebAssemblyHost,
} from './web-assembly.ts';
