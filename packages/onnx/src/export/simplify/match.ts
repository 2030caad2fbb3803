/** Patterns of nodes: which tensors and numbers stand for the names of a formula. */
import { shapeSize } from '@baton/tensor';
import type { Operand } from '../../node/writer.ts';
import type { DraftNode } from '../draft.ts';
import { numberAttribute, numbersOf, type Surroundings } from './step.ts';

/** A name of any tensor, the name of a number, a number, or a node. */
export type Pattern = string | number | NamedNumber | NodePattern;

/** A constant of one element. */
interface NamedNumber {
  readonly number: string;
}

export interface NodePattern {
  readonly opType: string;
  readonly args: ReadonlyArray<Pattern>;
  readonly attributes: Readonly<Record<string, number>>;
}

/** A node; the same object twice in a pattern is one node with two uses. */
export const node = (opType: string, ...args: ReadonlyArray<Pattern>): NodePattern => ({
  opType,
  args,
  attributes: {},
});

/** The node, where it has these attributes. */
export const having = (
  attributes: Readonly<Record<string, number>>,
  { opType, args }: NodePattern,
): NodePattern => ({ opType, args, attributes });

/** A constant of one element by name. */
export const number = (name: string): NamedNumber => ({ number: name });

/** What the names of a pattern stand for. */
export interface Match {
  readonly tensors: Readonly<Record<string, Operand>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** The tensors inside the pattern, with their uses there. */
  readonly inside: ReadonlyMap<Pattern, readonly [operand: Operand, uses: number]>;
}

const NOTHING: Match = { tensors: {}, numbers: {}, inside: new Map() };

/** The match of a pattern at a node whose inner tensors nothing else uses. */
export function matchNode(
  pattern: NodePattern,
  root: DraftNode,
  graph: Surroundings,
): Match | undefined {
  const match = matchArgs(pattern, root, graph, NOTHING);
  const isOwn = match && [...match.inside.values()].every(([at, n]) => graph.uses(at) === n);
  return isOwn ? match : undefined;
}

/** Operators whose inputs may change places. */
const COMMUTATIVE: ReadonlySet<string> = new Set(['Add', 'Mul']);

/** Recursion is as deep as the pattern. */
function matchArgs(
  { opType, args, attributes }: NodePattern,
  made: DraftNode,
  graph: Surroundings,
  before: Match,
): Match | undefined {
  const isSame =
    made.opType === opType &&
    (made.domain ?? '') === '' &&
    made.inputs.length === args.length &&
    Object.entries(attributes).every(([name, value]) => numberAttribute(made, name) === value);
  if (!isSame) return undefined;
  const inOrder = (inputs: DraftNode['inputs']): Match | undefined =>
    args.reduce<Match | undefined>(
      (match, arg, i) => match && matchOperand(arg, inputs[i], graph, match),
      before,
    );
  const plain = inOrder(made.inputs);
  return plain ?? (COMMUTATIVE.has(opType) ? inOrder(made.inputs.toReversed()) : undefined);
}

function matchOperand(
  pattern: Pattern,
  operand: Operand | undefined,
  graph: Surroundings,
  match: Match,
): Match | undefined {
  if (operand === undefined) return undefined;
  if (typeof pattern === 'string') {
    const known = match.tensors[pattern];
    if (known !== undefined) return known === operand ? match : undefined;
    return { ...match, tensors: { ...match.tensors, [pattern]: operand } };
  }
  if (typeof pattern === 'number' || 'number' in pattern) {
    const value = scalarOf(operand);
    if (value === undefined) return undefined;
    if (typeof pattern === 'number') return isNear(value, pattern) ? match : undefined;
    return { ...match, numbers: { ...match.numbers, [pattern.number]: value } };
  }
  const [known, uses = 0] = match.inside.get(pattern) ?? [];
  const inside = new Map(match.inside).set(pattern, [operand, uses + 1]);
  if (known !== undefined) return known === operand ? { ...match, inside } : undefined;
  const made = graph.maker(operand);
  return made && matchArgs(pattern, made, graph, { ...match, inside });
}

/** The value of a constant of one element. */
const scalarOf = (operand: Operand): number | undefined =>
  operand.constant !== undefined && shapeSize(operand.constant.shape) === 1
    ? numbersOf(operand)?.[0]
    : undefined;

/** Numbers without a short form, such as 1/6, are rounded to floats. */
const isNear = (value: number, wanted: number): boolean =>
  Math.abs(value - wanted) <= Math.abs(wanted) * 2 ** -22;
