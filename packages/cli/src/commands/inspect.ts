/** `baton inspect`: prints the parts of a model. */
import { isLeft, printSpan, type Result, right, type Span, spanLeaves } from '@baton/base';
import { measureModule } from '@baton/ops';
import { si } from '@baton/report';
import { loweredText } from '@baton/wasm';
import { type Expr, type IRModule, inferTypes, postOrderExprs, typeOf } from 'batonjs';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import {
  type FileDimensions,
  fileDimensions,
  type TypeTexts,
  typeTexts,
} from '../dimension-names.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openModel } from '../model-file.ts';

export const inspect: Command = {
  name: 'inspect',
  doc: 'prints the inputs, outputs, operators and sizes of a model',
  operands: ['MODEL'],
  options: {
    nodes: { type: 'boolean', doc: 'print a row for each node: its name, operator and result' },
    lowered: {
      type: 'boolean',
      doc: 'print what `main` compiles to: kernels, where they read and write, and their memory',
    },
    ...MODEL_OPTIONS,
    ...JSON_OPTION,
  },
  isConfigured: false,
  run: contents,
};

async function contents(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  let file: FileDimensions = new Map();
  const model = await openModel(session, operands[0] ?? '-', (bytes) => {
    file = fileDimensions(bytes);
  });
  if (isLeft(model)) return model;
  const typed = inferTypes(model.right, { limits: session.limits });
  if (isLeft(typed)) return typed;
  host.progress.done();
  if (session.has('lowered')) return lowered(session, typed.right);
  const texts = typeTexts(typed.right, file);
  const found = contentsOf(typed.right, texts);
  const nodes = session.has('nodes') ? nodesOf(typed.right, texts) : undefined;
  if (session.has('json')) {
    const list = nodes === undefined ? {} : { list: nodes };
    host.print(JSON.stringify({ schema: SCHEMA, ...found, ...list }));
  } else if (nodes === undefined) for (const line of inWords(found)) host.print(line);
  else for (const line of columns(nodes)) host.print(line);
  return right(EXIT.ok);
}

function lowered({ host, has }: Session, m: IRModule): Result<ExitCode> {
  const text = loweredText(m);
  if (isLeft(text)) return text;
  const lines = text.right.trimEnd().split('\n');
  if (has('json')) host.print(JSON.stringify({ schema: SCHEMA, lowered: lines }));
  else for (const line of lines) host.print(line);
  return right(EXIT.ok);
}

const SCHEMA = 'baton.inspect/1';

const typeIn = (m: IRModule, expr: Expr, { textOf }: TypeTexts): string => {
  const type = typeOf(m, expr);
  return type === undefined ? '?' : textOf(type);
};

interface NodeRow {
  /** The node of the file that it comes from, or its position in the text. */
  readonly name: string;
  readonly operator: string;
  readonly result: string;
}

/** Operator calls and control flow. */
function nodesOf(m: IRModule, texts: TypeTexts): ReadonlyArray<NodeRow> {
  return postOrderExprs([...m.functions.values()]).flatMap((node) => {
    const operator = operatorOf(node);
    if (operator === undefined) return [];
    return [{ name: placeOf(node.span), operator, result: typeIn(m, node, texts) }];
  });
}

function operatorOf(node: Expr): string | undefined {
  if (node._tag === 'If' || node._tag === 'Match') return node._tag.toLowerCase();
  if (node._tag !== 'Call') return undefined;
  const { op } = node;
  if (op._tag === 'Op') return op.name;
  return op._tag === 'GlobalVar' ? `@${op.nameHint}` : undefined;
}

const placeOf = (span: Span | undefined): string => {
  const [leaf] = spanLeaves(span);
  if (leaf === undefined) return '';
  return leaf._tag === 'NodeSpan' ? leaf.name : printSpan(leaf);
};

function columns(nodes: ReadonlyArray<NodeRow>): ReadonlyArray<string> {
  const width = (of: (row: NodeRow) => string): number =>
    Math.max(0, ...nodes.map((row) => of(row).length));
  const name = width((row) => row.name);
  const operator = width((row) => row.operator);
  return nodes.map(
    (row) => `${row.name.padEnd(name)}  ${row.operator.padEnd(operator)}  ${row.result}`,
  );
}

function contentsOf(m: IRModule, texts: TypeTexts) {
  const main = m.functions.get('main');
  const { nodes, byOp, flops, paramBytes, activationBytes, bytesMoved } = measureModule(m);
  return {
    inputs: Object.fromEntries((main?.params ?? []).map((p) => [p.nameHint, typeIn(m, p, texts)])),
    output: main === undefined ? '?' : typeIn(m, main.body, texts),
    dims: texts.dims,
    functions: [...m.functions.keys()],
    nodes,
    operators: byOp,
    flops,
    paramBytes,
    activationBytes,
    bytesMoved,
  };
}

const FIRST_COLUMN = 18;

function inWords(found: ReturnType<typeof contentsOf>): ReadonlyArray<string> {
  const { inputs, output, dims, functions, nodes, operators } = found;
  const rows: ReadonlyArray<readonly [string, string]> = [
    ...Object.entries(inputs).map(([name, type]) => [`input ${name}`, type] as const),
    ['output', output],
    ...(dims.length > 0 ? ([['open (--dim)', dims.join(', ')]] as const) : []),
    ...(functions.length > 1 ? ([['functions', functions.join(', ')]] as const) : []),
    ['nodes', String(nodes)],
    ['flops', si(found.flops)],
    ['weights', `${si(found.paramBytes)}B`],
    ['activations', `${si(found.activationBytes)}B`],
    ['bytes moved', `${si(found.bytesMoved)}B`],
    ...Object.entries(operators).map(([name, count]) => [`  ${name}`, String(count)] as const),
  ];
  const width = Math.max(FIRST_COLUMN, ...rows.map(([name]) => name.length + 2));
  return rows.map(([name, value]) => `${name.padEnd(width)}${value}`);
}
