/** Rows to expressions, patterns and constructors. */
import type { Span } from '@baton/base';
import { isLeft } from '@baton/base';
import type { Attrs, Constructor, Expr, OpTable, Pattern, Var } from '@baton/ir';
import * as build from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { JsonConstructor, JsonModule, JsonNode, JsonPattern } from './data.ts';
import { decodeAttrs } from './decode-attrs.ts';
import type { DecodedTypes } from './decode-types.ts';
import { refuse, rowAt } from './fault.ts';

/** What the rows of expressions refer to. */
export interface NodeContext {
  readonly ops: OpTable;
  readonly types: DecodedTypes;
  readonly spans: ReadonlyArray<Span>;
  readonly tensors: ReadonlyArray<Tensor>;
}

/** What the rows of expressions stand for. */
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

/** Reads the rows in their order. */
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
  for (const [i, row] of data.nodes.entries()) nodes.push(nodeOf(d, row, `/nodes/${i}`));
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

function nodeOf(d: Decoder, row: JsonNode, path: string): Expr {
  const at = (index: number, field: string): Expr => rowAt(d.nodes, index, `${path}/${field}`);
  const list = (indexes: ReadonlyArray<number>, field: string): ReadonlyArray<Expr> =>
    indexes.map((index, i) => at(index, `${field}/${i}`));
  const optionalType = (index: number | undefined, field: string) =>
    index === undefined ? undefined : d.types.at(index, `${path}/${field}`);
  if (row.tag === 'Constructor') return rowAt(d.constructors, row.ctor, `${path}/ctor`);
  const span = spanAt(d, row.span, path);
  switch (row.tag) {
    case 'Var':
      return build.variable(row.name, optionalType(row.type, 'type'), span);
    case 'GlobalVar':
      return build.globalVar(row.name, span);
    case 'Constant':
      return build.constant(rowAt(d.tensors, row.tensor, `${path}/tensor`), span, row.literal);
    case 'Op':
      if (d.ops.get(row.name) === undefined) {
        refuse(path, `operator \`${row.name.slice(0, 40)}\` not found`);
      }
      return build.opRef(row.name, span);
    case 'Tuple':
      return build.tuple(list(row.fields, 'fields'), span);
    case 'TupleGetItem':
      return build.tupleGetItem(at(row.tuple, 'tuple'), row.index, span);
    case 'Function':
      return build.func(
        row.params.map((param, i) => variableAt(d, param, `${path}/params/${i}`)),
        at(row.body, 'body'),
        {
          retType: optionalType(row.retType, 'retType'),
          typeParams: row.typeParams.map((v, i) => d.types.variable(v, `${path}/typeParams/${i}`)),
          attrs: decodeAttrs(row.attrs, `${path}/attrs`),
          constraints: row.constraints.map((r, i) =>
            d.types.relation(r, `${path}/constraints/${i}`),
          ),
          span,
        },
      );
    case 'Call': {
      const op = at(row.op, 'op');
      return build.call(op, list(row.args, 'args'), {
        attrs: callAttrs(d, op, row.attrs && decodeAttrs(row.attrs, `${path}/attrs`), path),
        attrsTypeKey: row.attrsTypeKey,
        typeArgs: row.typeArgs.map((arg, i) => d.types.arg(arg, `${path}/typeArgs/${i}`)),
        span,
      });
    }
    case 'Let': {
      const binder = variableAt(d, row.variable, `${path}/variable`);
      return build.letIn(binder, at(row.value, 'value'), at(row.body, 'body'), span);
    }
    case 'If':
      return build.ifElse(
        at(row.cond, 'cond'),
        at(row.trueBranch, 'trueBranch'),
        at(row.falseBranch, 'falseBranch'),
        span,
      );
    case 'Match': {
      const clauses = row.clauses.map(({ pattern, body }, i) =>
        build.clause(
          patternAt(d, pattern, `${path}/clauses/${i}/pattern`),
          at(body, `clauses/${i}/body`),
        ),
      );
      return build.match(at(row.data, 'data'), clauses, row.complete, span);
    }
    case 'RefCreate':
      return build.refCreate(at(row.value, 'value'), span);
    case 'RefRead':
      return build.refRead(at(row.ref, 'ref'), span);
    case 'RefWrite':
      return build.refWrite(at(row.ref, 'ref'), at(row.value, 'value'), span);
  }
}

function variableAt(d: Decoder, index: number, path: string): Var {
  const node = rowAt(d.nodes, index, path);
  return node._tag === 'Var' ? node : refuse(path, 'expected a variable');
}

/** The attributes of a call: those of an operator are checked and completed. */
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

/** The pattern of a row and of those below it, which come before it. */
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
