/**
 * Scalar expressions: the value of an elementwise operator for one element of each operand, as
 * data. Kernels and the interpreter's scalars are compiled from them; compilers and gradients read
 * them.
 */
import { NODES, type NodeKind } from './nodes.ts';

export type NodeName = keyof typeof NODES;

/** A scalar expression. A node that occurs twice is computed once. */
export type Scalar = Argument | Constant | Width | Operation;

export interface Argument {
  readonly _tag: 'Argument';
  readonly name: 'x' | 'y' | 'z';
}

/** A number, converted to the family of the elements. */
export interface Constant {
  readonly _tag: 'Constant';
  readonly value: number;
}

/** The number of bits of the element type. */
export interface Width {
  readonly _tag: 'Width';
}

export interface Operation {
  readonly _tag: 'Operation';
  readonly name: NodeName;
  readonly args: ReadonlyArray<Scalar>;
}

export type Operand = Scalar | number;

type Operands = {
  readonly 1: [Operand];
  readonly 2: [Operand, Operand];
  readonly 3: [Operand, Operand, Operand];
};

export const x: Argument = { _tag: 'Argument', name: 'x' };
export const y: Argument = { _tag: 'Argument', name: 'y' };
export const z: Argument = { _tag: 'Argument', name: 'z' };

export const width: Width = { _tag: 'Width' };

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

/** Whether the value of an expression is a boolean: 0 or 1 for any elements. */
export function isTruth(expr: Scalar): boolean {
  if (expr._tag !== 'Operation') return false;
  const { truth }: NodeKind = NODES[expr.name];
  return truth === 'always' || (truth === 'of truths' && expr.args.every(isTruth));
}

/** The number of an expression's operands: up to the last one that it names. */
export function arityOf(expr: Scalar): number {
  if (expr._tag === 'Argument') return 'xyz'.indexOf(expr.name) + 1;
  return expr._tag === 'Operation' ? Math.max(0, ...expr.args.map(arityOf)) : 0;
}

/** Whether the value rounds, or jumps: as the node that is least exact. */
export function numericsOf(expr: Scalar): 'exact' | 'smooth' | 'discontinuous' {
  if (expr._tag !== 'Operation') return 'exact';
  const { numerics }: NodeKind = NODES[expr.name];
  const all = [numerics, ...expr.args.map(numericsOf)];
  if (all.includes('discontinuous')) return 'discontinuous';
  return all.includes('smooth') ? 'smooth' : 'exact';
}
