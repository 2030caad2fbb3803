/** Compiles scalar expressions to functions and to JavaScript text. */
import { postOrder } from '@baton/base';
import { type DType, dtypeInfo, isBig } from '@baton/tensor';
import { isTruth, math, type Scalar } from './expr.ts';
import { type Apply, type Family, meaningOf, NAMED, NODES, type NodeKind } from './nodes.ts';

/** The stored expression for elements of a dtype: for bool, whether its value is not 0. */
export const storedAs = (expr: Scalar, dtype: DType): Scalar =>
  dtype === 'bool' && !isTruth(expr) ? math.notEqual(expr, 0) : expr;

/**
 * An expression as one function, which calls the functions of its nodes; `undefined` if a node is
 * not defined for the dtype.
 */
export function composed(expr: Scalar, dtype: DType): Apply | undefined {
  if (expr._tag === 'Argument') return ARGUMENTS[expr.name];
  if (expr._tag !== 'Operation') {
    const value = constantOf(expr, dtype);
    // A bigint among bigints.
    return value === undefined ? undefined : () => value as number;
  }
  const f = meaningOf(NODES[expr.name], familyOf(dtype))?.apply;
  const [a, b, c] = expr.args.map((arg) => composed(arg, dtype));
  const parts = [a, b, c].slice(0, expr.args.length);
  if (f === undefined || a === undefined || parts.includes(undefined)) return undefined;
  if (expr.args.every((arg, i) => arg._tag === 'Argument' && arg.name === 'xyz'[i])) return f;
  if (b === undefined) return (x, y, z) => f(a(x, y, z));
  if (c === undefined) return (x, y, z) => f(a(x, y, z), b(x, y, z));
  return (x, y, z) => f(a(x, y, z), b(x, y, z), c(x, y, z));
}

const ARGUMENTS: Readonly<Record<'x' | 'y' | 'z', Apply>> = {
  x: (x) => x,
  y: (_x, y) => y,
  z: (_x, _y, z) => z,
};

/** An expression as JavaScript in `x`, `y` and `z`: statements, then the value. */
export interface ScalarText {
  readonly locals: string;
  readonly value: string;
}

/** The text of an expression; `undefined` if a node is not defined for the dtype. */
export function scalarText(expr: Scalar, dtype: DType): ScalarText | undefined {
  const nodes = postOrder(argsOf, [expr]);
  const isShared = (node: Scalar): boolean =>
    node._tag === 'Operation' && nodes.flatMap(argsOf).filter((arg) => arg === node).length > 1;
  const texts = new Map<Scalar, Text>();
  const locals: string[] = [];
  for (const node of nodes) {
    const text = textOf(node, dtype, texts);
    if (text === undefined) return undefined;
    const local = `t${locals.length}`;
    if (isShared(node)) locals.push(`const ${local} = ${text.value};`);
    texts.set(node, isShared(node) ? { value: local, test: `${local} !== 0` } : text);
  }
  return { locals: locals.join(''), value: texts.get(expr)?.value ?? '' };
}

/**
 * Evaluates a text with the names that texts use; `undefined` if code from strings is forbidden.
 */
export function compileText(text: string): unknown {
  try {
    return new Function(...Object.keys(NAMED), text)(...Object.values(NAMED));
  } catch {
    return undefined;
  }
}

/** A node as a value, and as a condition. */
interface Text {
  readonly value: string;
  readonly test: string;
}

function textOf(node: Scalar, dtype: DType, known: ReadonlyMap<Scalar, Text>): Text | undefined {
  if (node._tag === 'Argument') return { value: node.name, test: `${node.name} !== 0` };
  if (node._tag !== 'Operation') {
    const constant = constantOf(node, dtype);
    if (constant === undefined) return undefined;
    const value = typeof constant === 'bigint' ? `${constant}n` : `${constant}`;
    return { value: `(${value})`, test: `${constant !== 0}` };
  }
  const kind: NodeKind = NODES[node.name];
  const meaning = meaningOf(kind, familyOf(dtype));
  if (meaning === undefined) return undefined;
  const part = (as: keyof Text) => (arg: Scalar) => known.get(arg)?.[as] ?? '';
  const values = node.args.map(part('value'));
  const tests = node.args.map(part('test'));
  if (isTruth(node)) {
    const test = `(${filled(kind.test ?? '', kind.truth === 'always' ? values : tests)})`;
    return { value: `(${test} ? 1 : 0)`, test };
  }
  const [condition = ''] = tests;
  const operands = node.name === 'select' ? [condition, ...values.slice(1)] : values;
  const value = `(${filled(meaning.text, operands)})`;
  return { value, test: `${value} !== 0` };
}

const filled = (template: string, parts: ReadonlyArray<string>): string =>
  template.replace(/\b[xyz]\b/g, (name) => parts['xyz'.indexOf(name)] ?? name);

const argsOf = (expr: Scalar): ReadonlyArray<Scalar> =>
  expr._tag === 'Operation' ? expr.args : [];

/** A constant in a dtype; `undefined` if the dtype cannot represent it. */
function constantOf(
  expr: Exclude<Scalar, { readonly _tag: 'Argument' | 'Operation' }>,
  dtype: DType,
): number | bigint | undefined {
  const value = expr._tag === 'Constant' ? expr.value : dtypeInfo(dtype).bits;
  if (!isBig(dtype)) return value;
  return Number.isInteger(value) ? BigInt(value) : undefined;
}

function familyOf(dtype: DType): Family {
  if (isBig(dtype)) return 'big';
  const { kind } = dtypeInfo(dtype);
  return kind === 'bfloat' || kind === 'small' ? 'float' : kind;
}
