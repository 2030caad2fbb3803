/** Patterns of nodes: which tensors and numbers stand for the names of a formula. */
import { buildPattern, type Formula, onnxColumn, standardOps } from '@baton/ops';
import { type DType, isDType, scalar, shapeSize } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { numberAttribute, numbersOf, type Surroundings } from './steps.ts';

/** A name of any tensor, the name of a number, a number, or a node. */
export type Pattern = string | number | NamedNumber | NodePattern;

/** A constant of one element, as a relation of it to the number of that name. */
interface NamedNumber {
  readonly number: string;
  readonly as: NumberRelation;
}

type NumberRelation = 'same' | 'negative' | 'inverse';

export interface NodePattern {
  readonly opType: string;
  readonly args: ReadonlyArray<Pattern>;
  readonly attributes: Readonly<Record<string, number>>;
}

/** How the holes and the squares of a formula are written. */
interface FormulaOptions {
  /** The names of tensors, by hole. @defaultValue those of the holes */
  readonly names?: Readonly<Record<string, string>>;
  /** Holes that are constants of one element. */
  readonly numbers?: ReadonlyArray<string>;
  readonly square?: 'Mul' | 'Pow';
}

/**
 * The nodes that a formula of Relay is written as. The axes of its first reduction have the name `axes`,
 * those of others `again`; vectors have the axes that a formula gives them already.
 */
export function nodesOf(
  { pattern }: Formula,
  { names = {}, numbers = [], square = 'Mul' }: FormulaOptions,
): NodePattern {
  const nodes: NodePattern[] = [];
  const made = (opType: string, ...args: ReadonlyArray<Pattern>): NodePattern => {
    const isSame = (one: NodePattern): boolean =>
      one.opType === opType && one.args.every((arg, i) => arg === args[i]);
    const known = nodes.find(isSame) ?? node(opType, ...args);
    nodes.push(known);
    return known;
  };
  const squareOf = (x: Pattern): Pattern => made(square, x, square === 'Mul' ? x : 2);
  let lists = 0;
  const reduced = (opType: string, x: Pattern): Pattern =>
    having({ keepdims: 1 }, node(opType, x, lists++ === 0 ? 'axes' : 'again'));
  const call = (op: string, args: ReadonlyArray<Pattern>): Pattern => {
    const [x, y] = args as readonly [Pattern, Pattern];
    if (op === 'expand_dims') return x;
    if (op === 'variance') return reduced('ReduceMean', squareOf(made('Sub', x, y)));
    if (op === 'multiply' && x === y) return squareOf(x);
    if (op in REDUCTIONS) return reduced(REDUCTIONS[op] ?? '', x);
    return made(
      op === 'where' ? 'Where' : (standardOps.read(onnxColumn, op)?.opType ?? op),
      ...args,
    );
  };
  const root = buildPattern<Pattern>(pattern, {
    term: (hole) => (numbers.includes(hole) ? number(hole) : (names[hole] ?? hole)),
    attrs: new Map(),
    number: (value) => value,
    call,
    tuple: ([x]) => x as Pattern,
    field: (x) => x,
  });
  return root as NodePattern;
}

const REDUCTIONS: Readonly<Record<string, string>> = { mean: 'ReduceMean', sum: 'ReduceSum' };

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
export const number = (name: string): NamedNumber => numberAs(name, 'same');

/** The negative or the inverse of a number, or the number itself. */
export const numberAs = (name: string, as: NumberRelation): NamedNumber => ({ number: name, as });

const RELATIONS: Readonly<Record<NumberRelation, (value: number) => number>> = {
  same: (value) => value,
  negative: (value) => -value,
  inverse: (value) => 1 / value,
};

/** What the names of a pattern stand for. */
export interface Match {
  readonly tensors: Readonly<Record<string, Operand>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** The tensors inside the pattern, with their uses there. */
  readonly inside: ReadonlyMap<Pattern, readonly [operand: Operand, uses: number]>;
}

const NOTHING: Match = { tensors: {}, numbers: {}, inside: new Map() };

/**
 * The match of a pattern at a node whose inner tensors nothing else uses, unless it `shares` them with
 * other nodes.
 */
export function matchNode(
  pattern: NodePattern,
  root: DraftNode,
  graph: Surroundings,
  { shares = false }: { readonly shares?: boolean | undefined } = {},
): Match | undefined {
  const match = matchArgs(pattern, root, graph, NOTHING);
  if (shares) return match;
  const isOwn = match && [...match.inside.values()].every(([at, n]) => graph.uses(at) === n);
  return isOwn ? match : undefined;
}

/** Operators whose inputs may change places. */
const COMMUTATIVE: ReadonlySet<string> = new Set(['Add', 'Mul']);

/** Recursion is as deep as the pattern. */
function matchArgs(
  pattern: NodePattern,
  made: DraftNode,
  graph: Surroundings,
  before: Match,
): Match | undefined {
  const { opType, args, attributes } = pattern;
  if ((made.domain ?? '') !== '') return undefined;
  const [x, limit] = args;
  if (opType === 'Max' && limit === 0 && made.opType === 'Relu' && x !== undefined) {
    return matchOperand(x, made.inputs[0], graph, before);
  }
  if (made.inputs.length !== args.length) return undefined;
  if (made.opType !== opType) return matchTurned(pattern, made, graph, before);
  const isSame = Object.entries(attributes).every(
    ([name, value]) => numberAttribute(made, name) === value,
  );
  if (!isSame) return undefined;
  const inOrder = (inputs: DraftNode['inputs']): Match | undefined =>
    args.reduce<Match | undefined>(
      (match, arg, i) => match && matchOperand(arg, inputs[i], graph, match),
      before,
    );
  const plain = inOrder(made.inputs);
  return plain ?? (COMMUTATIVE.has(opType) ? inOrder(made.inputs.toReversed()) : undefined);
}

/** Operators with a number in place of others with its negative or its inverse. */
const TURNED: Readonly<Record<string, readonly [opType: string, turn: 'negative' | 'inverse']>> = {
  Add: ['Sub', 'negative'],
  Sub: ['Add', 'negative'],
  Mul: ['Div', 'inverse'],
  Div: ['Mul', 'inverse'],
};

/** The match of a node that says with a turned number what the pattern says: x / 2 is x · 0.5. */
function matchTurned(
  { opType, args: [arg, constant] }: NodePattern,
  made: DraftNode,
  graph: Surroundings,
  before: Match,
): Match | undefined {
  const [other, turn] = TURNED[opType] ?? [];
  if (other === undefined || turn === undefined || made.opType !== other) return undefined;
  if (arg === undefined || constant === undefined || !isNumber(constant)) return undefined;
  const inputs = COMMUTATIVE.has(other) ? [made.inputs, made.inputs.toReversed()] : [made.inputs];
  for (const [x, number] of inputs) {
    const value = number && scalarOf(number);
    const turned = value && constantOf(number, RELATIONS[turn](value));
    const match = turned && matchOperand(constant, turned, graph, before);
    const found = match && matchOperand(arg, x, graph, match);
    if (found) return found;
  }
  return undefined;
}

const isNumber = (pattern: Pattern): pattern is number | NamedNumber =>
  typeof pattern === 'number' || (typeof pattern === 'object' && 'number' in pattern);

/** A constant of the type of another. */
const constantOf = ({ type }: Operand, value: number): Operand | undefined =>
  isDType(type.dtype) ? constantOperand(scalar(value, type.dtype)) : undefined;

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
  if (isNumber(pattern)) {
    const value = scalarOf(operand);
    if (value === undefined) return undefined;
    const limit = roundingOf(operand);
    if (typeof pattern === 'number') return isNear(value, pattern, limit) ? match : undefined;
    const found = RELATIONS[pattern.as](value);
    const known = match.numbers[pattern.number];
    if (known !== undefined && !isNear(found, known, limit)) return undefined;
    // A number of which another is the inverse is exact.
    const exact = known === undefined || pattern.as !== 'inverse' ? found : known;
    return { ...match, numbers: { ...match.numbers, [pattern.number]: exact } };
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

/** How far numbers without a short form, such as 1/6, are rounded in a type. */
const ROUNDING = { float16: 2 ** -10, float32: 2 ** -22, float64: 2 ** -50 } satisfies Partial<
  Record<DType, number>
>;

const roundingOf = ({ type: { dtype } }: Operand): number =>
  dtype === 'float16' || dtype === 'float64' ? ROUNDING[dtype] : ROUNDING.float32;

const isNear = (value: number, wanted: number, limit: number): boolean =>
  Math.abs(value - wanted) <= Math.abs(wanted) * limit;
