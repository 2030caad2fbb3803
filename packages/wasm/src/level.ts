/** Which vector instructions a host knows. */
import { f32, f32x4, makeModule, type Value } from './emit/index.ts';
import { hostWebAssembly, type WebAssemblyHost } from './web-assembly.ts';

/**
 * The instructions that generated code may use: `scalar` is WebAssembly 1.0; `simd` has vectors of
 * 128 bits; `relaxed` has fused multiplication and addition too.
 */
export type SimdLevel = 'scalar' | 'simd' | 'relaxed';

/**
 * The highest level that the host accepts, or `undefined` if it has no WebAssembly, or none that
 * may compile code here. Each level is asked for by a module of a few bytes that uses it.
 */
export function simdLevel(
  host: WebAssemblyHost | undefined = hostWebAssembly(),
): SimdLevel | undefined {
  const level = LEVELS.find((one) => host?.validate(probeOf(one)));
  return host && level && compiles(host, probeOf(level)) ? level : undefined;
}

/** A page whose policy lacks `wasm-unsafe-eval` validates code, and compiles none. */
function compiles(host: WebAssemblyHost, code: Uint8Array<ArrayBuffer>): boolean {
  try {
    return new host.Module(code) !== undefined;
  } catch {
    return false;
  }
}

/** A module of a few bytes that only hosts of a level can compile. */
export const probeOf = (level: SimdLevel): Uint8Array<ArrayBuffer> => {
  const module = makeModule();
  module.func([], 'f32', () => PROBES[level]);
  return module.finish();
};

const one = f32x4.splat(1);

/** A value that only hosts of a level, or a higher one, can compute. */
const PROBES: Readonly<Record<SimdLevel, Value<'f32'>>> = {
  relaxed: f32x4.extractLane(f32x4.relaxedMadd(one, one, one), 0),
  simd: f32x4.extractLane(one, 0),
  scalar: f32.const(1),
};

/** The levels from the highest. */
const LEVELS: ReadonlyArray<SimdLevel> = ['relaxed', 'simd', 'scalar'];
