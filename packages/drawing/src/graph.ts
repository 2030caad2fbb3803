/**
 * The graph of a module's `main` for drawing: a card for each operator call, one card with many
 * rows for each kernel, and cards for inputs, the output, control flow and function calls. Lets,
 * tuples and projections are not drawn: edges pass through them.
 */
import { postOrder } from '@baton/base';
import { type Call, children, type Expr, type Func, type IRModule, typeOf } from '@baton/ir';
import type { Row } from './data.ts';
import { attrsLabel, inputLabels, typeLabel, windowLabel } from './describe.ts';
import { kindNumber, kindOfOperator } from './kind-of.ts';
import { placeTexts } from './places.ts';
import type { TextTable } from './text-table.ts';

/** Cards without positions, and the links between them. */
export interface Graph {
  readonly cards: ReadonlyArray<ReadonlyArray<Row>>;
  /** The node of each row, card by card. */
  readonly nodes: ReadonlyArray<ReadonlyArray<Expr>>;
  /** Pairs of indices in `cards`: from, to. */
  readonly links: ReadonlyArray<readonly [number, number]>;
}

/** The graph of `main`; empty without `main`. */
export function graphOf(m: IRModule, texts: TextTable): Graph {
  const main = m.functions.get('main');
  if (main === undefined) return { cards: [], nodes: [], links: [] };
  const cards: Placed[][] = [];
  const links: [number, number][] = [];
  const producers = new Map<Expr, ReadonlyArray<number>>();
  const add = (rows: Placed[], from: ReadonlyArray<Expr>): ReadonlyArray<number> => {
    cards.push(rows);
    const to = cards.length - 1;
    for (const source of sources(from, producers)) links.push([source, to]);
    return [to];
  };
  const rows = makeRows(m, texts);
  for (const param of main.params) {
    producers.set(param, add([rows.named('edge', `%${param.nameHint}`, param)], []));
  }
  const order = postOrder(drawnChildren, [main.body]);
  const bound = new Map<Expr, Expr>();
  for (const node of order) if (node._tag === 'Let') bound.set(node.variable, node.value);
  for (const node of order) {
    const value = node._tag === 'Var' ? bound.get(node) : undefined;
    if (value !== undefined) producers.set(node, producers.get(value) ?? []);
    else if (!producers.has(node)) {
      const box = boxOf(node, rows);
      const from = drawnChildren(node);
      producers.set(node, box === undefined ? through(node, producers) : add(box, from));
    }
  }
  add([rows.named('edge', 'output', main.body)], [main.body]);
  return {
    cards: cards.map((rows) => rows.map(({ row }) => row)),
    nodes: cards.map((rows) => rows.map(({ node }) => node)),
    links,
  };
}

/** The children that a drawing follows: it does not enter the bodies of functions. */
function drawnChildren(node: Expr): ReadonlyArray<Expr> {
  if (node._tag === 'Function') return [];
  if (node._tag !== 'Call') return children(node);
  return kernelOf(node) !== undefined || node.op._tag === 'Op' ? node.args : children(node);
}

const kernelOf = (node: Expr): Func | undefined =>
  node._tag === 'Call' && node.op._tag === 'Function' && node.op.attrs.Primitive === 1
    ? node.op
    : undefined;

/** The cards that compute the expressions, without repetition. */
const sources = (
  from: ReadonlyArray<Expr>,
  producers: ReadonlyMap<Expr, ReadonlyArray<number>>,
): ReadonlyArray<number> => [...new Set(from.flatMap((expr) => producers.get(expr) ?? []))];

/** The sources of a node that is not drawn. */
function through(
  node: Expr,
  producers: ReadonlyMap<Expr, ReadonlyArray<number>>,
): ReadonlyArray<number> {
  if (node._tag === 'Let') return producers.get(node.body) ?? [];
  if (node._tag === 'TupleGetItem' && node.tuple._tag === 'Tuple') {
    const field = node.tuple.fields[node.index];
    return field === undefined ? [] : (producers.get(field) ?? []);
  }
  return sources(children(node), producers);
}

function boxOf(node: Expr, rows: Rows): Placed[] | undefined {
  if (node._tag !== 'Call') {
    const word = WORDS.get(node._tag);
    return word === undefined ? undefined : [rows.named('control', word, node)];
  }
  if (node.op._tag === 'Op') return [rows.call(node, node.op.name)];
  const kernel = kernelOf(node);
  if (kernel !== undefined) return kernelRows(kernel, rows);
  const name = node.op._tag === 'GlobalVar' ? `@${node.op.nameHint}` : 'call';
  return [rows.named('control', name, node)];
}

/** The title of the card of each kind of node that has one, except calls. */
const WORDS: ReadonlyMap<Expr['_tag'], string> = new Map([
  ['Function', 'fn'],
  ['If', 'if'],
  ['Match', 'match'],
  ['RefCreate', 'ref'],
  ['RefRead', 'ref_read'],
  ['RefWrite', 'ref_write'],
]);

const kernelRows = (kernel: Func, rows: Rows): Placed[] =>
  postOrder(children, [kernel.body]).flatMap((node) =>
    node._tag === 'Call' && node.op._tag === 'Op' ? [rows.call(node, node.op.name)] : [],
  );

interface Placed {
  readonly row: Row;
  readonly node: Expr;
}

interface Rows {
  readonly call: (call: Call, op: string) => Placed;
  readonly named: (kind: string, name: string, node: Expr) => Placed;
}

function makeRows(m: IRModule, texts: TextTable): Rows {
  const placed = (node: Expr) => ({
    places: placeTexts(node.span).map(texts.add),
    type: texts.add(typeLabel(typeOf(m, node))),
  });
  return {
    call: (call, op) => ({
      node: call,
      row: {
        ...placed(call),
        kind: kindOfOperator(op, m.ops),
        call: true,
        op: texts.add(op),
        note: texts.add(windowLabel(call.attrs)),
        inputs: texts.add(inputLabels(call, m)),
        attrs: texts.add(attrsLabel(op, call.attrs, m)),
      },
    }),
    named: (kind, name, node) => ({
      node,
      row: {
        ...placed(node),
        kind: kindNumber(kind),
        call: false,
        op: texts.add(name),
        note: 0,
        inputs: 0,
        attrs: 0,
      },
    }),
  };
}
