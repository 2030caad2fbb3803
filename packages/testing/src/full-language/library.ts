/** The library of the language, typed: programs call it for lists and functions. */

import { isLeft } from '@baton/base';
import {
  type Func,
  type IRModule,
  inferTypes,
  irModule,
  namedGlobals,
  type OpTable,
  type TypeData,
} from '@baton/ir';
import { importStd } from '@baton/text';
import type { DataType } from './data-types.ts';

export interface Library {
  readonly functions: ReadonlyMap<string, Func>;
  readonly list: DataType;
  readonly option: DataType;
}

const libraries = new WeakMap<OpTable, Library | 'none'>();

/** The library over these operators; `undefined` if one of its operators is missing. */
export function libraryOf(ops: OpTable): Library | undefined {
  const known = libraries.get(ops) ?? makeLibrary(ops) ?? 'none';
  libraries.set(ops, known);
  return known === 'none' ? undefined : known;
}

function makeLibrary(ops: OpTable): Library | undefined {
  const imported = importStd(irModule({ ops }), 'prelude.rly');
  const typed = isLeft(imported) ? imported : inferTypes(imported.right);
  if (isLeft(typed)) return undefined;
  const [list, option] = ['List', 'Option'].map((name) => dataType(typed.right, name));
  return list && option && { functions: typed.right.functions, list, option };
}

function dataType(m: IRModule, name: string): DataType | undefined {
  const data: TypeData | undefined = m.typeDefinitions.get(name);
  const constructors = data?.constructors.flatMap((c) => m.constructors.get(c.name) ?? []);
  return data && constructors && { data, constructors };
}

export function reachedBy(
  library: Library,
  functions: ReadonlyMap<string, Func>,
): ReadonlyMap<string, Func> {
  const reached = new Map<string, Func>();
  const pending = [...functions.values()];
  for (let f = pending.pop(); f !== undefined; f = pending.pop()) {
    for (const name of namedGlobals(f)) {
      const next = functions.has(name) ? undefined : library.functions.get(name);
      if (next === undefined || reached.has(name)) continue;
      reached.set(name, next);
      pending.push(next);
    }
  }
  return reached;
}
