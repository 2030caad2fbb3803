/**
 * Imports: definitions of one module in another
 * ([language §1](https://batonjs.github.io/baton/spec/language#1),
 * [§10](https://batonjs.github.io/baton/spec/language#10)).
 */
import { type Diagnostic, failure, isLeft, type Result, right } from '@baton/base';
import { type IRModule, irModule, structuralEqual, typeDataEqual } from '@baton/ir';
import { importClash, unknownImport } from '../diagnostics.ts';
import { parseModule } from '../parse.ts';
import { STD_TEXTS, type StdFile } from './texts.ts';

/**
 * The module with the definitions of a library file, and of the files that it needs. A file that is
 * present already adds nothing.
 *
 * **Errors** `IMPORT_CLASH` if the module has other definitions of the same names, `IMPORT_UNKNOWN`
 * for an unknown file, and errors of {@link parseModule} if the module's operators lack one that
 * the library calls (`add`, `subtract`, `equal`).
 */
export function importStd(m: IRModule, file: StdFile): Result<IRModule> {
  if (m.imports.has(file)) return right(m);
  if (!Object.hasOwn(STD_TEXTS, file)) {
    return failure([unknownImport(file, Object.keys(STD_TEXTS))]) ?? right(m);
  }
  const { text, needs } = STD_TEXTS[file];
  let needed = irModule({ ops: m.ops });
  for (const name of needs) {
    const next = importStd(needed, name);
    if (isLeft(next)) return next;
    needed = next.right;
  }
  const library = parseModule(text, { ops: m.ops, source: file, context: needed });
  if (isLeft(library)) return library;
  const imports = new Set([...library.right.imports, file]);
  return mergeModules(m, irModule({ ...library.right, imports }));
}

/**
 * The module with the definitions of another one. Definitions that both have under one name must be
 * equal; the first module's own is kept. Operators, attributes and types come from the first.
 *
 * **Errors** `IMPORT_CLASH` for each function, type or constructor that both define differently.
 */
export function mergeModules(m: IRModule, other: IRModule): Result<IRModule> {
  const problems: Diagnostic[] = [];
  const functions = new Map(m.functions);
  for (const [name, f] of other.functions) {
    const own = functions.get(name);
    if (own === undefined) functions.set(name, f);
    else if (!structuralEqual(own, f)) problems.push(importClash('global', `@${name}`, own.span));
  }
  const typeDefinitions = new Map(m.typeDefinitions);
  const constructors = new Map(m.constructors);
  for (const [name, data] of other.typeDefinitions) {
    const own = typeDefinitions.get(name);
    if (own !== undefined) {
      if (!typeDataEqual(own, data)) problems.push(importClash('type', name, undefined));
      continue;
    }
    typeDefinitions.set(name, data);
    for (const { name: ctorName } of data.constructors) {
      const earlier = constructors.get(ctorName);
      const made = other.constructors.get(ctorName);
      if (earlier !== undefined) problems.push(importClash('constructor', ctorName, earlier.span));
      else if (made !== undefined) constructors.set(ctorName, made);
    }
  }
  const imports = new Set([...m.imports, ...other.imports]);
  return (
    failure(problems) ??
    right(irModule({ ...m, functions, typeDefinitions, constructors, imports }))
  );
}
