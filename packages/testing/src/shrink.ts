/** Smaller programs that are like a given one: what a failing program shrinks to. */
import type { IRModule } from '@baton/ir';

/** Modules that are smaller than `m` in one respect, well-typed, the smallest first. */
export function* smallerModules(_m: IRModule): Generator<IRModule> {}
