/** Modules to plain data. */
import { InvariantError, postOrder, type SourceText, type Span } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  binders,
  type Constructor,
  type Expr,
  type IRModule,
  type Pattern,
  type TypeData,
  type Var,
  walkExpr,
} from '@baton/ir';
import { isSplat, type Tensor, toBytes } from '@baton/tensor';
import { toBase64 } from './base64.ts';
import type { JsonAttrs, JsonAttrValue, JsonSpan } from './codecs.ts';
import { encodeNode } from './encode-node.ts';
import { makeTypeTable, type TypeRows } from './encode-types.ts';
import type { FieldRows } from './node-fields.ts';
import { FORMAT_VERSION, type RowTable, rowTable } from './rows.ts';
import type {
  JsonConstructor,
  JsonModule,
  JsonNode,
  JsonPattern,
  JsonSource,
  JsonTensor,
  JsonTypeData,
} from './schema.ts';

export interface EncodeOptions {
  /**
   * Whether the origins of nodes, and their texts, are written.
   * @defaultValue true
   */
  readonly spans?: boolean;
}

interface Encoder {
  readonly hasSpans: boolean;
  readonly sources: RowTable<SourceText, JsonSource>;
  readonly spans: RowTable<Span, JsonSpan>;
  readonly types: TypeRows;
  readonly tensors: RowTable<Tensor, JsonTensor>;
  readonly constructors: RowTable<Constructor, JsonConstructor>;
  readonly patterns: RowTable<Pattern, JsonPattern>;
  readonly nodes: RowTable<Expr, JsonNode>;
}

/**
 * A module as plain data, from which `decodeModule` makes the same module again: the same DAG, the
 * same constants bit for bit, types and tensors with their sharing. Inferred types are left out:
 * inference finds them again.
 *
 * **Errors** throws an `InvariantError` for a node private to a pass: none may leave one.
 * **Complexity** linear in nodes, types and bytes.
 */
export function encodeModule(m: IRModule, options: EncodeOptions = {}): JsonModule {
  const e: Encoder = {
    hasSpans: options.spans ?? true,
    sources: rowTable(),
    spans: rowTable(),
    types: makeTypeTable(attrsOf),
    tensors: rowTable(),
    constructors: rowTable(),
    patterns: rowTable(),
    nodes: rowTable(),
  };
  const to = fieldRows(e);
  const functions = [...m.functions].map(([name, f]) => [name, addNode(e, to, f)] as const);
  const typeDefinitions = [...m.typeDefinitions.values()].map((data) => typeDataOf(e, data));
  const constructors = [...m.constructors].map(
    ([name, c]) => [name, addConstructor(e, c)] as const,
  );
  return {
    baton: FORMAT_VERSION,
    sources: e.sources.rows,
    spans: e.spans.rows,
    types: e.types.rows,
    tensors: e.tensors.rows,
    constructorRows: e.constructors.rows,
    patterns: e.patterns.rows,
    nodes: e.nodes.rows,
    functions,
    typeDefinitions,
    constructors,
    attrs: attrsOf(m.attrs),
    imports: [...m.imports],
  };
}

/** The row of an expression, after the rows of everything below it. */
function addNode(e: Encoder, to: FieldRows, root: Expr): number {
  const addVar = (v: Var): void => {
    if (!e.nodes.has(v)) e.nodes.add(v, encodeNode(v, to));
  };
  const enter = (expr: Expr): boolean => {
    if (e.nodes.has(expr)) return false;
    bindersOf(expr).forEach(addVar);
    return true;
  };
  walkExpr(root, enter, (expr) => {
    e.nodes.add(expr, encodeNode(expr, to));
  });
  return e.nodes.at(root);
}

const noVars: ReadonlyArray<Var> = [];

const bindersOf = (expr: Expr): ReadonlyArray<Var> =>
  expr._tag === 'Function' || expr._tag === 'Let' || expr._tag === 'Match' ? binders(expr) : noVars;

/** The writers for the fields of nodes. */
const fieldRows = (e: Encoder): FieldRows => ({
  span: (span) => addSpan(e, span),
  child: e.nodes.at,
  clause: ({ pattern, body }) => ({ pattern: addPattern(e, pattern), body: e.nodes.at(body) }),
  type: (type) => (type === undefined ? undefined : e.types.add(type)),
  typeBinder: e.types.add,
  typeArg: e.types.arg,
  relation: e.types.relation,
  attrs: attrsOf,
  tensor: (tensor) => addTensor(e, tensor),
  definition: (node) => addConstructor(e, node),
  temporary: () => {
    throw new InvariantError('no node private to a pass is left in a module');
  },
});

const subPatterns = (p: Pattern): ReadonlyArray<Pattern> => ('patterns' in p ? p.patterns : []);

function addPattern(e: Encoder, root: Pattern): number {
  const { at, add, has } = e.patterns;
  for (const p of postOrder(subPatterns, [root], has)) add(p, patternOf(e, p));
  return at(root);
}

function patternOf(e: Encoder, pattern: Pattern): JsonPattern {
  const tag = pattern._tag;
  const span = addSpan(e, pattern.span);
  switch (tag) {
    case 'PatternWildcard':
      return { tag, span };
    case 'PatternVar':
      return { tag, variable: e.nodes.at(pattern.variable), span };
    case 'PatternConstructor':
      return {
        tag,
        ctor: addConstructor(e, pattern.ctor),
        patterns: pattern.patterns.map(e.patterns.at),
        span,
      };
    case 'PatternTuple':
      return { tag, patterns: pattern.patterns.map(e.patterns.at), span };
  }
}

const addConstructor = (e: Encoder, c: Constructor): number =>
  e.constructors.find(c) ??
  e.constructors.add(c, {
    name: c.nameHint,
    inputs: c.inputs.map(e.types.add),
    belongTo: c.belongTo.nameHint,
    tag: c.tag,
    span: addSpan(e, c.span),
  });

const typeDataOf = (e: Encoder, data: TypeData): JsonTypeData => ({
  name: data.header.nameHint,
  typeVars: data.typeVars.map(e.types.add),
  constructors: data.constructors.map(({ name, inputs }) => ({
    name,
    inputs: inputs.map(e.types.add),
  })),
  extern: data.extern,
});

const addTensor = (e: Encoder, t: Tensor): number =>
  e.tensors.find(t) ?? e.tensors.add(t, tensorOf(t));

/** One element for a tensor filled with it, and every element for all others. */
function tensorOf(t: Tensor): JsonTensor {
  const size = t.shape.reduce((product, dim) => product * dim, 1);
  const isFilled = size > 1 && isSplat(t);
  const one = (): Tensor => ({ ...t, shape: [], strides: [] });
  return {
    dtype: t.dtype,
    shape: t.shape,
    data: toBase64(toBytes(isFilled ? one() : t)),
    isFilled: isFilled ? true : undefined,
  };
}

const spanParts = (span: Span): ReadonlyArray<Span> =>
  span._tag === 'MergedSpan' ? span.parts : [];

function addSpan(e: Encoder, root: Span | undefined): number | undefined {
  if (root === undefined || !e.hasSpans) return undefined;
  if (root._tag !== 'MergedSpan') {
    return e.spans.find(root) ?? e.spans.add(root, spanOf(e, root));
  }
  for (const span of postOrder(spanParts, [root], e.spans.has)) {
    e.spans.add(span, spanOf(e, span));
  }
  return e.spans.at(root);
}

function spanOf(e: Encoder, span: Span): JsonSpan {
  switch (span._tag) {
    case 'TextSpan': {
      const { source, line, column, endLine, endColumn } = span;
      const row = e.sources.find(source) ?? e.sources.add(source, [source.name, source.text]);
      return { tag: span._tag, source: row, range: [line, column, endLine, endColumn] };
    }
    case 'NodeSpan':
      return { tag: span._tag, source: span.source, name: span.name, op: span.op };
    case 'BuilderSpan':
      return { tag: span._tag, name: span.name };
    case 'MergedSpan':
      return { tag: span._tag, parts: span.parts.map(e.spans.at) };
  }
}

const attrsOf = (attrs: Attrs): JsonAttrs =>
  Object.entries(attrs).map(([name, value]) => [name, attrValueOf(value)] as const);

/** Recursion is bounded by `MAX_ATTR_DEPTH`. */
function attrValueOf(value: AttrValue): JsonAttrValue {
  if (typeof value === 'number') return numberOf(value);
  if (typeof value === 'bigint') return { integer: String(value) };
  return Array.isArray(value)
    ? value.map(attrValueOf)
    : (value as Exclude<typeof value, readonly unknown[]>);
}

function numberOf(value: number): JsonAttrValue {
  if (Number.isNaN(value)) return { number: 'NaN' };
  if (Object.is(value, -0)) return { number: '-0' };
  if (Number.isFinite(value)) return value;
  return { number: value > 0 ? 'inf' : '-inf' };
}
