/** A module: functions and type definitions by name, the operators they use, and their types. */

import type { Constructor, Func } from '../expr/expr.ts';
import type { OpTable } from '../ops/op-table.ts';
import type { Attrs } from '../types/attrs.ts';
import { noAttrs } from '../types/attrs.ts';
import type { TypeData } from '../types/type.ts';
import { emptyTypeTable, type TypeTable } from './type-table.ts';

/** A program. Immutable: every change makes another module, which shares the unchanged parts. */
export interface IRModule {
  readonly _tag: 'IRModule';
  /** By name, without the `@`, in order of definition. */
  readonly functions: ReadonlyMap<string, Func>;
  readonly typeDefinitions: ReadonlyMap<string, TypeData>;
  /** Every constructor of every type definition, by name. */
  readonly constructors: ReadonlyMap<string, Constructor>;
  readonly ops: OpTable;
  readonly attrs: Attrs;
  /** The included files of the library. */
  readonly imports: ReadonlySet<string>;
  /** The inferred types: read them with `typeOf`. */
  readonly types: TypeTable;
}

/** The parts of a module; all but the operators may be left out. */
export interface ModuleParts {
  readonly functions?: ReadonlyMap<string, Func>;
  readonly typeDefinitions?: ReadonlyMap<string, TypeData>;
  readonly constructors?: ReadonlyMap<string, Constructor>;
  readonly ops: OpTable;
  readonly attrs?: Attrs;
  readonly imports?: ReadonlySet<string>;
  readonly types?: TypeTable;
}

export const irModule = (parts: ModuleParts): IRModule => ({
  _tag: 'IRModule',
  functions: parts.functions ?? new Map(),
  typeDefinitions: parts.typeDefinitions ?? new Map(),
  constructors: parts.constructors ?? new Map(),
  ops: parts.ops,
  attrs: parts.attrs ?? noAttrs,
  imports: parts.imports ?? new Set(),
  types: parts.types ?? emptyTypeTable(),
});

/** The module with other functions; the module itself if they are the same objects in order. */
export function withFunctions(m: IRModule, functions: ReadonlyMap<string, Func>): IRModule {
  let same = functions.size === m.functions.size;
  const names = m.functions.keys();
  for (const [name, f] of functions) {
    if (!same) break;
    same = names.next().value === name && m.functions.get(name) === f;
  }
  return same ? m : irModule({ ...m, functions });
}

/** Applies `change` to each function; the module itself if nothing changed. */
export function mapFunctions(m: IRModule, change: (f: Func, name: string) => Func): IRModule {
  const functions = new Map<string, Func>();
  for (const [name, f] of m.functions) functions.set(name, change(f, name));
  return withFunctions(m, functions);
}
