/** Rows to expressions, patterns and constructors. */
import type { Span } from '@baton/base';
import { isLeft } from '@baton/base';
import type { Attrs, Constructor, Expr, OpTable, Pattern, Var } from '@baton/ir';
import * as build from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { decodeAttrs } from './decode-attrs.ts';
import { decodeNode } from './decode-node.ts';
import type { DecodedTypes } from './decode-types.ts';
import { refuse, rowAt } from './fault.ts';
import type { FieldValues } from './node-fields.ts';
import type { JsonConstructor, JsonModule, JsonPattern } from './schema.ts';

/** The tables that the rows of expressions refer to. */
export interface NodeContext {
  readonly ops: OpTable;
  readonly types: DecodedTypes;
  readonly spans: ReadonlyArray<Span>;
  readonly tensors: ReadonlyArray<Tensor>;
}

export interface DecodedNodes {
  readonly nodes: ReadonlyArray<Expr>;
  readonly constructors: ReadonlyArray<Constructor>;
}

interface Decoder extends NodeContext {
  readonly nodes: Expr[];
  readonly constructors: ReadonlyArray<Constructor>;
  /** Rows of patterns, which mention nodes and are mentioned by them. */
  readonly patternRows: ReadonlyArray<JsonPattern>;
  readonly patterns: Map<number, Pattern>;
}

export function decodeNodes(data: JsonModule, context: NodeContext): DecodedNodes {
  const constructors = data.constructorRows.map((row, i) =>
    constructorOf(row, context, `/constructorRows/${i}`),
  );
  const nodes: Expr[] = [];
  const d: Decoder = {
    ...context,
    nodes,
    constructors,
    patternRows: data.patterns,
    patterns: new Map(),
  };
  const values = fieldValues(d);
  for (const [i, row] of data.nodes.entries()) {
    const path = `/nodes/${i}`;
    const node = decodeNode(row, path, values);
    checkOperator(d, node, path);
    nodes.push(node);
  }
  return { nodes, constructors };
}

const constructorOf = (row: JsonConstructor, c: NodeContext, path: string): Constructor =>
  build.adtConstructor(
    row.name,
    row.inputs.map((type, i) => c.types.at(type, `${path}/inputs/${i}`)),
    c.types.header(row.belongTo),
    row.tag,
    spanAt(c, row.span, path),
  );

const spanAt = (c: NodeContext, index: number | undefined, path: string): Span | undefined =>
  index === undefined ? undefined : rowAt(c.spans, index, `${path}/span`);

/** The readers for the fields of rows. */
function fieldValues(d: Decoder): FieldValues {
  type Read<Row, Value> = (row: Row, path: string) => Value;
  const each =
    <Row, Value>(read: Read<Row, Value>): Read<ReadonlyArray<Row>, ReadonlyArray<Value>> =>
    (rows, path) =>
      rows.map((row, i) => read(row, `${path}/${i}`));
  const child: FieldValues['child'] = (index, path) => rowAt(d.nodes, index, path);
  const binder: FieldValues['binder'] = (index, path) => variableAt(d, index, path);
  return {
    span: (index, path) => spanAt(d, index, path),
    child,
    children: each(child),
    clauses: each(({ pattern, body }, path) =>
      build.clause(patternAt(d, pattern, `${path}/pattern`), child(body, `${path}/body`)),
    ),
    binder,
    binders: each(binder),
    type: (index, path) => (index === undefined ? undefined : d.types.at(index, path)),
    typeBinders: each(d.types.variable),
    typeArgs: each(d.types.arg),
    relations: each(d.types.relation),
    attrs: decodeAttrs,
    tensor: (index, path) => rowAt(d.tensors, index, path),
    definition: (index, path) => rowAt(d.constructors, index, path),
    callAttrs: (row, op, path) =>
      callAttrs(d, child(op, `${path}/op`), row && decodeAttrs(row, `${path}/attrs`), path),
  };
}

/** Refuses the name of an unknown operator. */
function checkOperator(d: Decoder, node: Expr, path: string): void {
  if (node._tag === 'Op' && d.ops.get(node.name) === undefined) {
    refuse(path, `operator \`${node.name.slice(0, 40)}\` not found`);
  }
}

function variableAt(d: Decoder, index: number, path: string): Var {
  const node = rowAt(d.nodes, index, path);
  return node._tag === 'Var' ? node : refuse(path, 'expected a variable');
}

/** The attributes of a call; an operator's are checked and completed. */
function callAttrs(
  d: Decoder,
  op: Expr,
  attrs: Attrs | undefined,
  path: string,
): Attrs | undefined {
  const info = op._tag === 'Op' ? d.ops.get(op.name) : undefined;
  if (info === undefined) return attrs;
  const decoded = info.attrs.decode(attrs ?? {});
  if (isLeft(decoded)) return refuse(`${path}/attrs`, decoded.left[0].message);
  return decoded.right;
}

/** The pattern of a row and of the rows below it, which come before it. */
function patternAt(d: Decoder, index: number, path: string): Pattern {
  const pending = [index];
  for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
    const row = rowAt(d.patternRows, next, path);
    const below = 'patterns' in row ? row.patterns : [];
    const at = next;
    if (below.some((sub) => sub >= at)) refuse(`/patterns/${next}`, 'its parts come before it');
    const missing = below.filter((sub) => !d.patterns.has(sub));
    if (missing.length > 0) {
      for (const sub of missing) pending.push(sub);
      continue;
    }
    pending.pop();
    if (!d.patterns.has(next)) d.patterns.set(next, patternOf(d, row, `/patterns/${next}`));
  }
  return d.patterns.get(index) ?? refuse(path, 'there is no such pattern');
}

function patternOf(d: Decoder, row: JsonPattern, path: string): Pattern {
  const span = spanAt(d, row.span, path);
  const below = (indexes: ReadonlyArray<number>): ReadonlyArray<Pattern> =>
    indexes.map((index) => d.patterns.get(index) ?? refuse(path, 'its parts come before it'));
  switch (row.tag) {
    case 'PatternWildcard':
      return { _tag: row.tag, span };
    case 'PatternVar':
      return { _tag: row.tag, variable: variableAt(d, row.variable, path), span };
    case 'PatternConstructor':
      return {
        _tag: row.tag,
        ctor: rowAt(d.constructors, row.ctor, `${path}/ctor`),
        patterns: below(row.patterns),
        span,
      };
    case 'PatternTuple':
      return { _tag: row.tag, patterns: below(row.patterns), span };
  }
}
