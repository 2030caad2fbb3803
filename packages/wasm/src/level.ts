/** Which vector instructions a host knows. */
import { invariant } from '@baton/base';
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
  const [level, probe] = LEVELS.find(([, made]) => host?.validate(made())) ?? [];
  return host && probe && compiles(host, probe()) ? level : undefined;
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
export function probeOf(level: SimdLevel): Uint8Array<ArrayBuffer> {
  const found = LEVELS.find(([name]) => name === level);
  invariant(found !== undefined, 'each level has a probe');
  return found[1]();
}

const one = f32x4.splat(1);

/** The levels from the highest, each with a module that only it can run. */
const LEVELS: ReadonlyArray<readonly [SimdLevel, () => Uint8Array<ArrayBuffer>]> = [
  ['relaxed', () => probe(f32x4.extractLane(f32x4.relaxedMadd(one, one, one), 0))],
  ['simd', () => probe(f32x4.extractLane(one, 0))],
  ['scalar', () => probe(f32.const(1))],
];

function probe(value: Value<'f32'>): Uint8Array<ArrayBuffer> {
  const module = makeModule();
  module.func([], 'f32', () => value);
  return module.finish();
}
