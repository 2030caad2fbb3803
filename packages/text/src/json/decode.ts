/** Plain data to modules. The data is not trusted. */
import { fail, failure, isLeft, type Result, right } from '@baton/base';
import {
  type Constructor,
  type Func,
  type IRModule,
  irModule,
  type OpTable,
  type TypeData,
} from '@baton/ir';
import type * as t from 'io-ts';
import { badJson, jsonTooDeep, notJsonModule } from '../diagnostics.ts';
import { decodeAttrs } from './decode-attrs.ts';
import { decodeSpans, decodeTensors } from './decode-leaves.ts';
import { decodeNodes } from './decode-nodes.ts';
import { type DecodedTypes, decodeTypes } from './decode-types.ts';
import { JsonFault, refuse, rowAt } from './fault.ts';
import type { JsonModule, JsonTypeData } from './schema.ts';
import { checkModule } from './schema.ts';

export interface FromJsonOptions {
  readonly ops: OpTable;
}

/** The deepest nesting of lists and records in the data. */
export const MAX_JSON_DEPTH = 256;

/** The most reported violations of the schema. */
const MAX_PROBLEMS = 10;

/**
 * The module that `encodeModule` wrote as `data`. Nothing of the data is kept, and a claimed size
 * allocates nothing: the bytes have to be there.
 *
 * **Errors** `JSON_DEPTH`; `JSON_CONTENT` if the data has another form than a module, or an index,
 * a name, a kind, a size or an attribute is wrong. Each names the place in the data.
 * **Complexity** linear in the data.
 */
export function decodeModule(data: unknown, options: FromJsonOptions): Result<IRModule> {
  if (!isShallow(data)) return fail(jsonTooDeep(MAX_JSON_DEPTH));
  if (isOther(data)) return fail(notJsonModule());
  const checked = checkModule(data);
  if (isLeft(checked)) {
    const problems = checked.left.slice(0, MAX_PROBLEMS).map(schemaProblem);
    return failure(problems) ?? fail(badJson('/', 'it is no module'));
  }
  try {
    return right(moduleOf(checked.right, options));
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault;
    return fail(fault.diagnostic);
  }
}

/** Whether a record does not say that it is a module: it lacks all that a module has. */
const isOther = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && !('baton' in data);

/** Whether no list or record nests deeper than {@link MAX_JSON_DEPTH}. */
function isShallow(data: unknown): boolean {
  const pending: unknown[] = [data];
  const depths: number[] = [0];
  while (pending.length > 0) {
    const value = pending.pop();
    const depth = depths.pop() as number;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_JSON_DEPTH) return false;
    for (const below of Array.isArray(value) ? value : Object.values(value)) {
      if (typeof below !== 'object' || below === null) continue;
      pending.push(below);
      depths.push(depth + 1);
    }
  }
  return true;
}

/** The first violation of the schema, with the expected form. */
function schemaProblem({ context, value }: t.ValidationError) {
  const path = context.map((entry) => entry.key).join('/');
  const expected = context.at(-1)?.type.name ?? 'something else';
  return badJson(path === '' ? '/' : path, `expected ${expected}, found ${described(value)}`);
}

function described(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 40)}"`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a record' : String(value);
}

function moduleOf(data: JsonModule, { ops }: FromJsonOptions): IRModule {
  const types = decodeTypes(data.types, decodeAttrs);
  const spans = decodeSpans(data.spans, data.sources);
  const tensors = decodeTensors(data.tensors);
  const { nodes, constructors } = decodeNodes(data, { ops, types, spans, tensors });
  const functions = new Map<string, Func>();
  for (const [i, [name, index]] of data.functions.entries()) {
    const path = `/functions/${i}`;
    const f = rowAt(nodes, index, path);
    if (f._tag !== 'Function') return refuse(path, 'expected a function');
    if (functions.has(name)) return refuse(path, `the function \`${name}\` is there twice`);
    functions.set(name, f);
  }
  const typeDefinitions = new Map<string, TypeData>();
  for (const [i, row] of data.typeDefinitions.entries()) {
    const path = `/typeDefinitions/${i}`;
    if (typeDefinitions.has(row.name)) refuse(path, `the type \`${row.name}\` is there twice`);
    typeDefinitions.set(row.name, typeDataOf(row, types, path));
  }
  const byName = new Map<string, Constructor>();
  for (const [i, [name, index]] of data.constructors.entries()) {
    byName.set(name, rowAt(constructors, index, `/constructors/${i}`));
  }
  return irModule({
    functions,
    typeDefinitions,
    constructors: byName,
    ops,
    attrs: decodeAttrs(data.attrs, '/attrs'),
    imports: new Set(data.imports),
  });
}

const typeDataOf = (row: JsonTypeData, types: DecodedTypes, path: string): TypeData => ({
  _tag: 'TypeData',
  header: types.header(row.name),
  typeVars: row.typeVars.map((v, i) => types.variable(v, `${path}/typeVars/${i}`)),
  constructors: row.constructors.map(({ name, inputs }, i) => ({
    name,
    inputs: inputs.map((type, j) => types.at(type, `${path}/constructors/${i}/inputs/${j}`)),
  })),
  extern: row.extern,
});
