/** The paths that a command selects. */
import type { HuntCommand } from './arguments.ts';
import { BATON_PATHS, type Path } from './paths.ts';
import { withBases } from './reduce.ts';
import { makeTool } from './tools.ts';

/** Paths, and the end of the processes that they use. */
export interface ChosenPaths {
  readonly paths: ReadonlyArray<Path>;
  readonly close: () => void;
}

/** The paths of Baton, one of them with those before it, or a tool's. */
export function chosenPaths({ tool, python, only }: HuntCommand): ChosenPaths {
  if (tool !== undefined) {
    const { path, close } = makeTool(tool, python);
    return { paths: [path], close };
  }
  const close = (): void => {};
  if (only === undefined) return { paths: BATON_PATHS, close };
  return { paths: withBases(only, BATON_PATHS).map((path) => ({ ...path, share: 1 })), close };
}
