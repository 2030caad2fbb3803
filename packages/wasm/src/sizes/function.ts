/** A function with open sizes, as the interpreter calls it. */
import type { HostRoutine } from '@baton/executor';
import { type Func, type IRModule, postOrderExprs } from '@baton/ir';
import { type Lowered, type ProgramMemo, type Region, sizedRegionOf } from '@baton/lower';
import {
  type CodeChecks,
  compileRegion,
  isBrokenLoop,
  MOST_MEMORY,
  type Target,
} from '../compile.ts';
import { instantiate } from '../runtime.ts';
import type { WebAssemblyHost } from '../web-assembly.ts';
import {
  type ArgumentSizes,
  type SpecializationBounds,
  type Specialized,
  specializing,
} from './cache.ts';
import type { SharedProgram } from './program.ts';

/** A function for which code was made at new sizes. **Units** bytes. */
export interface SpecializationFacts {
  readonly func: Func;
  readonly sizes: ArgumentSizes;
  /** Modules of WebAssembly that were compiled for these sizes: none, if all code was there. */
  readonly modules: number;
  /** The code of the function for all sizes up to now, and of what shares its memory. */
  readonly codeBytes: number;
  /** The constants of the program that lie in this memory, which all sizes share. */
  readonly constantBytes: number;
  /** The arena at these sizes; all sizes share one, as large as the largest. */
  readonly arenaBytes: number;
  /** What is kept for these sizes alone. */
  readonly ownBytes: number;
}

/** What the code of a function with open sizes is made with. */
export interface SizedFunctionOptions {
  readonly m: IRModule;
  readonly target: Target;
  readonly host: WebAssemblyHost | undefined;
  readonly checks: CodeChecks | undefined;
  readonly bounds: SpecializationBounds;
  /** A memory with code for a function; `undefined` on a host that runs reference kernels, or with checks. */
  readonly makeShared: () => SharedProgram | undefined;
  /** Whether code is faster than the interpreter. */
  readonly isWorth: (region: Region) => boolean;
  /** Told of plans whose kernels run. */
  readonly onLowered: (lowered: Lowered) => void;
  readonly onSpecialize: ((facts: SpecializationFacts) => void) | undefined;
  /** Told of sizes at which the function is no plain dataflow. */
  readonly onRefused: () => void;
}

/** The routine of a function with open sizes. */
export function sizedRoutine(func: Func, options: SizedFunctionOptions): HostRoutine {
  const { m, target, makeShared, bounds } = options;
  const memo = memoOf(func);
  const exactly = { isExact: target.isExact || target.level === undefined };
  let shared: SharedProgram | undefined;
  return specializing((sizes) => {
    const region = sizedRegionOf(func, sizes, m, memo, exactly);
    if (region === undefined) options.onRefused();
    if (region === undefined || !options.isWorth(region)) return undefined;
    shared ??= makeShared();
    if (shared === undefined) return alone(region, options);
    const before = shared.library.modules();
    const program = shared.at(region, memo.has);
    if (program === undefined) return undefined;
    options.onLowered(program.lowered);
    const { library, memory } = shared;
    const { arenaBytes, ownBytes } = program;
    options.onSpecialize?.({
      ...{ func, sizes, arenaBytes, ownBytes },
      modules: library.modules() - before,
      codeBytes: library.codeBytes(),
      constantBytes: memory.constantBytes(),
    });
    return { routine: program, bytes: ownBytes };
  }, bounds);
}

/** Code with checks, and reference kernels without code, have a memory for each tuple of sizes. */
function alone(
  region: Region,
  { m, target, host, checks, onLowered }: SizedFunctionOptions,
): Specialized | undefined {
  const compiled = compileRegion(region, m, target);
  if (isBrokenLoop(compiled.lowered) || compiled.bytes > MOST_MEMORY) return undefined;
  onLowered(compiled.lowered);
  return { routine: instantiate(compiled, host, undefined, checks), bytes: compiled.bytes };
}

/** What is known of a function at first: the constants in it. */
function memoOf(func: Func): ProgramMemo {
  const storage = new Set(
    postOrderExprs([func]).flatMap((node) => (node._tag === 'Constant' ? [node.data.data] : [])),
  );
  return {
    has: (data) => storage.has(data),
    add: (data) => void storage.add(data),
    results: new WeakMap(),
    calls: new WeakMap(),
    formulas: new WeakMap(),
  };
}
