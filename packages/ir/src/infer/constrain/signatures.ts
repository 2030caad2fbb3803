/** The types that the functions of a group have for each other while they are inferred. */
import type { Func, Var } from '../../expr/expr.ts';
import type { TypeView } from '../../module/type-table.ts';
import { funcType, type Type } from '../../types/type.ts';

/** The functions of a group, by name. */
export type Group = ReadonlyMap<string, Func>;

/** Types with holes for those functions of the group whose annotations are not complete. */
export function openSignatures(
  group: Group,
  view: TypeView,
  typeOf: (v: Var) => Type,
  fresh: () => Type,
): { readonly types: ReadonlyMap<string, Type>; readonly results: ReadonlyMap<Func, Type> } {
  const types = new Map<string, Type>();
  const results = new Map<Func, Type>();
  for (const [name, f] of group) {
    if (view.signature(name) !== undefined) continue;
    const result = f.retType ?? fresh();
    results.set(f, result);
    // Inside the group each has one type: its parameters are those of its own body.
    types.set(name, funcType(f.params.map(typeOf), result));
  }
  return { types, results };
}
