/**
 * Scalar expressions: the value of an elementwise operator for one element of each operand, as data.
 * Kernels and the interpreter's scalars are made of them; compilers and gradients can read them.
 */
import { NODES, type NodeKind } from './nodes.ts';

/** The name of a node kind. */
export type NodeName = keyof typeof NODES;

/** A scalar expression. A node that occurs twice is computed once. */
export type Scalar = Argument | Constant | Width | Operation;

/** The element of one operand. */
export interface Argument {
  readonly _tag: 'Argument';
  readonly name: 'x' | 'y' | 'z';
}

/** A number, in the family of the elements. */
export interface Constant {
  readonly _tag: 'Constant';
  readonly value: number;
}

/** The bits of the element type. */
export interface Width {
  readonly _tag: 'Width';
}

/** A node of a kind. */
export interface Operation {
  readonly _tag: 'Operation';
  readonly name: NodeName;
  readonly args: ReadonlyArray<Scalar>;
}

/** A number stands for the constant. */
export type Operand = Scalar | number;

type Operands = {
  readonly 1: [Operand];
  readonly 2: [Operand, Operand];
  readonly 3: [Operand, Operand, Operand];
};

/** The arguments, by the position of the operand. */
export const x: Argument = { _tag: 'Argument', name: 'x' };
export const y: Argument = { _tag: 'Argument', name: 'y' };
export const z: Argument = { _tag: 'Argument', name: 'z' };

/** The bits of the element type. */
export const width: Width = { _tag: 'Width' };

/** A constructor for each kind of node. */
export const math = Object.fromEntries(
  Object.keys(NODES).map((name) => [
    name,
    (...args: Operand[]): Operation => ({
      _tag: 'Operation',
      // The names are the keys of the table.
      name: name as NodeName,
      args: args.map((arg) => (typeof arg === 'number' ? { _tag: 'Constant', value: arg } : arg)),
    }),
  ]),
) as {
  readonly [Name in NodeName]: (...args: Operands[(typeof NODES)[Name]['arity']]) => Operation;
};

/** Whether the value of an expression is a truth: 0 or 1 for any elements. */
export function isTruth(expr: Scalar): boolean {
  if (expr._tag !== 'Operation') return false;
  const { truth }: NodeKind = NODES[expr.name];
  return truth === 'always' || (truth === 'of truths' && expr.args.every(isTruth));
}

/** The number of an expression's operands: the last one that it names, and those before. */
export function arityOf(expr: Scalar): number {
  if (expr._tag === 'Argument') return 'xyz'.indexOf(expr.name) + 1;
  return expr._tag === 'Operation' ? Math.max(0, ...expr.args.map(arityOf)) : 0;
}
