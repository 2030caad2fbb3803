/**
 * Formulas that the import makes of an operator, as patterns: each is imported with inputs and numbers
 * that stand in for any, and exported again. So the export knows an operator by its one definition.
 */
import {
  andThen,
  budgetWithin,
  isLeft,
  joinedBytes,
  type Result,
  right,
  runSteps,
} from '@baton/base';
import {
  func,
  type IRModule,
  inferTypes,
  irModule,
  type OpTable,
  tensorType,
  variable,
} from '@baton/ir';
import { formula, instantiate } from '@baton/ops';
import { type DType, shapeSize } from '@baton/tensor';
import { onnxImporters } from '../../catalogue.ts';
import { encodeModel } from '../../encode-model.ts';
import { LATEST_OPSET } from '../../import/coverage.ts';
import { importOnnx } from '../../import/import-onnx.ts';
import { float, text } from '../../operator-api/attribute-values.ts';
import type { NodeAttributeValues, Operand } from '../../operator-api/exporter.ts';
import type { OnnxImporter, StandIns } from '../../operator-api/importer.ts';
import { makeProblems } from '../../problems.ts';
import { elementNumber } from '../../protobuf/element-type.ts';
import { factsOf } from '../../schemas/schemas.ts';
import type { InnerGraph } from '../graph-builder.ts';
import { mainGraph } from '../main-graph.ts';
import { schemaAt } from '../misfit.ts';
import type { Idiom } from './idioms.ts';
import { type NodePattern, node, numberAs, type Pattern } from './match.ts';
import { numberAttribute, numbersOf } from './steps.ts';

/** Brings a graph into the form in which formulas are looked for. */
type Normalize = (graph: InnerGraph) => InnerGraph;

/** The element types of formulas that are one node: those of which runtimes have all operators. */
const DTYPES: ReadonlyArray<DType> = ['float32', 'float64', 'float16'];

/** The formulas of all operators that are defined by one, larger ones and older operators first. */
export function derivedIdioms(
  ops: OpTable,
  opset: number,
  normalize: Normalize,
): ReadonlyArray<Idiom> {
  const known = byOps.get(ops) ?? new Map<number, ReadonlyArray<Idiom>>();
  byOps.set(ops, known);
  const before = known.get(opset);
  if (before !== undefined) return before;
  const rows = [...onnxImporters.values()].flatMap((operator) =>
    (operator.domain ?? '') === '' && schemaAt(operator.opType, opset) !== undefined
      ? DTYPES.flatMap((dtype) => idiomsOf(operator, { ops, opset, dtype, normalize }))
      : [],
  );
  const sorted = rows
    .toSorted((a, b) => b.size - a.size || a.idiom.since - b.idiom.since)
    .map(({ idiom }) => idiom);
  known.set(opset, sorted);
  return sorted;
}

const byOps = new WeakMap<OpTable, Map<number, ReadonlyArray<Idiom>>>();

interface Setting {
  readonly ops: OpTable;
  readonly opset: number;
  readonly dtype: DType;
  readonly normalize: Normalize;
}

/** An idiom with the number of nodes of its formula. */
interface Sized {
  readonly idiom: Idiom;
  readonly size: number;
}

const idiomsOf = (operator: OnnxImporter, setting: Setting): ReadonlyArray<Sized> => [
  ...(operator.formulas ?? []).flatMap((standIns) => {
    const names = Object.keys(standIns).filter((name) => standIns[name] === 'any');
    const stood = new Map(names.map((name, i) => [name, standIn(i)]));
    const module = importedNode(operator, standIns, stood, setting);
    return idiomOf(operator, module, setting, { standIns, stood });
  }),
  ...(operator.spellings ?? []).flatMap((text) =>
    idiomOf(operator, spelledModule(text, setting), setting, { standIns: {}, stood: new Map() }),
  ),
];

/** What stands for the attributes of an operator in its formula. */
interface Stood {
  readonly standIns: StandIns;
  readonly stood: ReadonlyMap<string, number>;
}

function idiomOf(
  operator: OnnxImporter,
  module: Result<IRModule>,
  setting: Setting,
  { standIns, stood }: Stood,
): ReadonlyArray<Sized> {
  const { opType } = operator;
  const graph = graphOf(opType, module, setting);
  const found = graph && patternOf(graph, stood);
  if (found === undefined || (found.size === 1 && found.pattern.opType === opType)) return [];
  const numbers = (match: Readonly<Record<string, number>>): NodeAttributeValues =>
    Object.fromEntries(
      Object.entries(standIns).map(([name, value]) => [
        name,
        typeof value === 'string' && value !== 'any'
          ? text(value)
          : float(typeof value === 'number' ? value : (match[name] ?? 0)),
      ]),
    );
  const isWhole = [...stood.keys()].every((name) => found.numbers.has(name));
  const inputs = graph?.draft.inputs.map((_, i) => inputName(i)) ?? [];
  const idiom = {
    opType,
    since: factsOf(operator).versions[0] ?? 1,
    formulas: [found.pattern, ...spellings(found.pattern)],
    inputs,
    shares: true,
  };
  return isWhole ? [{ idiom: { ...idiom, attributes: numbers }, size: found.size }] : [];
}

/** A number that no formula has, also where it is rounded to 16 bits. */
const standIn = (index: number): number => Math.fround(0.618_034 + 0.137 * index);

/** The first input has the type of the result. */
const inputName = (index: number): string => (index === 0 ? 'x' : `x${index}`);

const SIZES: ReadonlyArray<number> = [2, 3];

/** A module of one node of the operator, imported. */
function importedNode(
  operator: OnnxImporter,
  standIns: StandIns,
  stood: ReadonlyMap<string, number>,
  { ops, dtype }: Setting,
): Result<IRModule> {
  const { opType } = operator;
  const [count] = factsOf(operator).inputs;
  const value = (name: string) => ({
    name,
    type: { _tag: 'Tensor', elemType: elementNumber(dtype), shape: SIZES } as const,
  });
  const names = Array.from({ length: count }, (_, i) => inputName(i));
  const attributes = Object.entries(standIns).map(([name, given]) => ({
    name,
    value:
      typeof given === 'string' && given !== 'any'
        ? text(given)
        : float(stood.get(name) ?? Number(given)),
  }));
  const only = {
    name: '',
    opType,
    domain: '',
    overload: '',
    inputs: names,
    outputs: ['result'],
    attributes,
  };
  const graph = {
    name: '',
    nodes: [only],
    inputs: names.map(value),
    outputs: [value('result')],
    initializers: [],
    sparseInitializers: [],
  };
  const pieces = encodeModel({
    irVersion: 8,
    opsetImports: [{ domain: '', version: LATEST_OPSET }],
    graph,
    functions: [],
  });
  return importOnnx(joinedBytes(pieces), { ops });
}

/** A module of the formula of a text. */
function spelledModule(text: string, { ops, dtype }: Setting): Result<IRModule> {
  const x = variable('x', tensorType(SIZES, dtype));
  const body = instantiate<string, string, string>(
    ops,
    formula<string>(text),
    { x },
    {},
    { dtype },
  );
  return right(irModule({ ops, functions: new Map([['main', func([x], body)]]) }));
}

/** The graph of a module, written again. */
function graphOf(
  source: string,
  module: Result<IRModule>,
  { opset, normalize }: Setting,
): InnerGraph | undefined {
  const typed = andThen(module, inferTypes);
  const main = isLeft(typed) ? undefined : typed.right.functions.get('main');
  if (isLeft(typed) || main === undefined) return undefined;
  const problems = makeProblems();
  const run = {
    module: typed.right,
    opset,
    isChosen: true,
    source,
    problems,
    domains: new Set<string>(),
    wanted: opset,
    room: budgetWithin({}, () => ({ bytes: 0, nodes: 0 })),
    nodesLeft: MOST_NODES,
    target: 'onnxruntime' as const,
  };
  const made = runSteps(mainGraph(run, main));
  return problems.all() === undefined ? normalize(made.graph) : undefined;
}

/** More nodes than any formula has. */
const MOST_NODES = 100;

interface Found {
  readonly pattern: NodePattern;
  /** The numbers that the pattern finds. */
  readonly numbers: ReadonlySet<string>;
  readonly size: number;
}

/** The pattern of a graph of one result; numbers that stand in for others find these. */
function patternOf(
  { draft, outputs: [result] }: InnerGraph,
  stood: ReadonlyMap<string, number>,
): Found | undefined {
  const patterns = new Map<Operand, Pattern>(draft.inputs.map((input, i) => [input, inputName(i)]));
  const numbers = new Set<string>();
  let size = 0;
  const constant = (operand: Operand): Pattern | undefined => {
    const value =
      operand.constant && shapeSize(operand.constant.shape) === 1
        ? numbersOf(operand)?.[0]
        : undefined;
    if (value === undefined) return undefined;
    for (const [name, stand] of stood) {
      for (const as of ['same', 'negative', 'inverse'] as const) {
        if (!isLike(value, as === 'same' ? stand : as === 'negative' ? -stand : 1 / stand))
          continue;
        numbers.add(name);
        return numberAs(name, as);
      }
    }
    return value;
  };
  for (const node of draft.nodes) {
    const [made, ...others] = node.outputs;
    const args = node.inputs.map((input) => input && (patterns.get(input) ?? constant(input)));
    const names = Object.keys(node.attributes);
    const attributes = names.map((name): [string, number | undefined] => [
      name,
      numberAttribute(node, name),
    ]);
    const isKnown =
      args.every((arg) => arg !== undefined) &&
      attributes.every(([, value]) => value !== undefined);
    if (made === undefined || others.length > 0 || !isKnown) return undefined;
    const [x, y] = args;
    const isNeutral =
      (node.opType === 'Mul' && y === 1) ||
      ((node.opType === 'Add' || node.opType === 'Sub' || node.opType === 'Div') &&
        y === (node.opType === 'Div' ? 1 : 0));
    if (isNeutral && x !== undefined) patterns.set(made, x);
    else {
      size++;
      patterns.set(made, {
        opType: node.opType,
        args: args as ReadonlyArray<Pattern>,
        attributes: Object.fromEntries(attributes) as Record<string, number>,
      });
    }
  }
  const pattern = result && patterns.get(result);
  return typeof pattern === 'object' && 'opType' in pattern
    ? { pattern, numbers, size }
    : undefined;
}

const isLike = (value: number, wanted: number): boolean =>
  Math.abs(value - wanted) <= Math.abs(wanted) * 2 ** -10;

/** The same with other operators: rules write 1/2 · a (tanh(b) + 1) as a · sigmoid(2b). */
function spellings({ opType, args: [left, right] }: NodePattern): ReadonlyArray<NodePattern> {
  const [a, half] = argsOf(left, 'Mul');
  const [bent, one] = argsOf(right, 'Add');
  const [b, factor] = argsOf(argsOf(bent, 'Tanh')[0], 'Mul');
  if (opType !== 'Mul' || half !== 0.5 || one !== 1 || typeof factor !== 'number') return [];
  return a === undefined || b === undefined
    ? []
    : [node('Mul', a, node('Sigmoid', node('Mul', b, 2 * factor)))];
}

const argsOf = (pattern: Pattern | undefined, opType: string): ReadonlyArray<Pattern> =>
  typeof pattern === 'object' && 'opType' in pattern && pattern.opType === opType
    ? pattern.args
    : [];
