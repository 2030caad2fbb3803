/** Imports of small models, and the results as text. */
import { type Diagnostic, isLeft, orThrow, printSpan } from '@baton/base';
import type { Attrs, Expr, Func, IRModule, Type } from '@baton/ir';
import { type ImportOptions, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describeTensor, printShape, shapeSize, toNumbers } from '@baton/tensor';
import { type GraphParts, modelBytes } from './encode.ts';

/** Options of an import, and the version of the operator set. */
export type TestOptions = Partial<ImportOptions> & { readonly opset?: number };

/** `@main` of an import that succeeds. */
export function imported(graph: GraphParts, options: TestOptions = {}): Func {
  return mainOf(orThrow(importGraph(graph, options)));
}

/** The diagnostics of an import that fails. */
export function refused(graph: GraphParts, options: TestOptions = {}): ReadonlyArray<string> {
  const result = importGraph(graph, options);
  return isLeft(result) ? result.left.map(diagnosticText) : ['imported'];
}

/** A diagnostic as `CODE at place: message`. */
export const diagnosticText = (d: Diagnostic): string =>
  `${d.code} at ${d.span === undefined ? '?' : printSpan(d.span)}: ${d.message}`;

/** The function `@main`. */
export function mainOf(m: IRModule): Func {
  const main = m.functions.get('main');
  if (main === undefined) throw new Error('a module without main');
  return main;
}

const importGraph = (graph: GraphParts, { opset = 13, ...options }: TestOptions) =>
  importOnnx(modelBytes(graph, opset), { ops: standardOps, source: 'test', ...options });

/** An expression as text: `add(x, [1, 2])`. Attributes named in `shown` follow the arguments. */
export function summary(expr: Expr, shown: ReadonlyArray<string> = []): string {
  switch (expr._tag) {
    case 'Var':
      return expr.nameHint;
    case 'Constant':
      return shapeSize(expr.data.shape) <= 8
        ? `${expr.data.dtype}${printShape(expr.data.shape)}[${toNumbers(expr.data).join(', ')}]`
        : describeTensor(expr.data);
    case 'Tuple':
      return `(${expr.fields.map((field) => summary(field, shown)).join(', ')})`;
    case 'Let':
      // A value as one of a wider type: the variable is the result.
      return expr.body === expr.variable ? summary(expr.value, shown) : expr._tag;
    case 'TupleGetItem':
      return `${summary(expr.tuple, shown)}.${expr.index}`;
    case 'Call': {
      const args = expr.args.map((arg) => summary(arg, shown));
      const attrs = attrTexts(expr.attrs ?? {}, shown);
      return `${expr.op._tag === 'Op' ? expr.op.name : '?'}(${[...args, ...attrs].join(', ')})`;
    }
    default:
      return expr._tag;
  }
}

const attrTexts = (attrs: Attrs, shown: ReadonlyArray<string>): ReadonlyArray<string> =>
  shown.filter((name) => Object.hasOwn(attrs, name)).map((n) => `${n}=${JSON.stringify(attrs[n])}`);

/** A tensor type as text. */
export function typeText(type: Type | undefined): string {
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) return String(type?._tag);
  const dims = type.shape.map((dim) => (typeof dim === 'number' ? String(dim) : '?'));
  return `${String(type.dtype)}(${dims.join(', ')})`;
}

/** A row of a table of imports: what it shows, the graph, what is expected, options. */
export type Row<E> = readonly [string, GraphParts, E, TestOptions?];

/** The rows of a table as records, with options that may be left out. */
export const table = <E>(rows: ReadonlyArray<Row<E>>) =>
  rows.map(([name, graph, expected, options = {}]) => ({ name, graph, expected, options }));
