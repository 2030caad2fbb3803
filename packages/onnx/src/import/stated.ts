/** The shapes of results of nodes: as the file states them, or as the nodes that use them need. */
import type { DimensionProto, GraphProto, NodeProto } from '../protobuf/messages.ts';
import type { PlacedNode } from './needed.ts';

/** The dimensions of a value, of which the file may leave any open; `undefined` if not even their number is known. */
export type StatedShapes = (name: string) => ReadonlyArray<DimensionProto> | undefined;

/** The parts of a graph that state shapes. */
type StatingParts = Partial<Pick<GraphProto, 'outputs' | 'valueInfos' | 'initializers'>>;

/** The shapes that the types of a graph's values state, and those that its nodes need. */
export function statedShapes(
  nodes: ReadonlyArray<PlacedNode>,
  { outputs = [], valueInfos = [], initializers = [] }: StatingParts,
): StatedShapes {
  let ranks: Ranks | undefined;
  let types: Map<string, ReadonlyArray<DimensionProto>> | undefined;
  let uses: Map<string, Use[]> | undefined;
  const ofType = (name: string): ReadonlyArray<DimensionProto> | undefined => {
    types ??= new Map(
      [...valueInfos, ...outputs].flatMap((value) =>
        value.type?._tag === 'Tensor' && value.type.shape !== undefined
          ? [[value.name, value.type.shape]]
          : [],
      ),
    );
    return types.get(name);
  };
  return (start) => {
    // Names with the rank of the first.
    const names = new Set([start]);
    for (const name of names) {
      const stated = ofType(name);
      if (stated !== undefined) return name === start ? stated : open(stated.length);
      uses ??= usesOf(nodes);
      for (const { node, index } of uses.get(name) ?? []) {
        const rank = rankOfInput(node, index);
        if (rank !== undefined) return open(rank);
        ranks ??= ranksOfConstants(nodes, initializers);
        if (keepsRank(node, index, ranks)) for (const output of node.outputs) names.add(output);
      }
    }
    return undefined;
  };
}

/** A node that uses a value, and the place of the value among its inputs. */
interface Use {
  readonly node: NodeProto;
  readonly index: number;
}

const open = (rank: number): ReadonlyArray<DimensionProto> =>
  new Array<DimensionProto>(rank).fill(undefined);

function usesOf(nodes: ReadonlyArray<PlacedNode>): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const [, node] of nodes) {
    for (const [index, name] of node.inputs.entries()) {
      const known = uses.get(name);
      if (known === undefined) uses.set(name, [{ node, index }]);
      else known.push({ node, index });
    }
  }
  return uses;
}

/** Ranks by the names of constants. */
type Ranks = ReadonlyMap<string, number>;

function ranksOfConstants(
  nodes: ReadonlyArray<PlacedNode>,
  initializers: GraphProto['initializers'],
): Ranks {
  const ranks = new Map(initializers.map(({ name, dims }) => [name, dims.length]));
  for (const [, { opType, outputs, attributes }] of nodes) {
    const [name, value] = [outputs[0], attributes[0]?.value];
    if (opType !== 'Constant' || name === undefined || value === undefined) continue;
    if (value.kind === 'tensor') ranks.set(name, value.value.dims.length);
    else if (value.kind === 'float' || value.kind === 'int') ranks.set(name, 0);
    else if (value.kind === 'floats' || value.kind === 'ints') ranks.set(name, 1);
  }
  return ranks;
}

/** Whether the results of a node have the rank of an input. Constants of low rank broadcast to it. */
function keepsRank({ opType, inputs }: NodeProto, index: number, ranks: Ranks): boolean {
  if (opType === 'Concat') return true;
  const others = inputs.filter((_, i) => i !== index).map((name) => ranks.get(name));
  if (BROADCASTS.has(opType)) return others.every((rank) => rank !== undefined);
  if (index > 0) return false;
  return KEEP_RANK.has(opType) || (opType === 'MatMul' && others[0] === 2);
}

/** Operators whose result has the greatest rank of their inputs. */
const BROADCASTS: ReadonlySet<string> = new Set([
  ...['Add', 'Div', 'Equal', 'Greater', 'GreaterOrEqual', 'Less', 'LessOrEqual', 'Max', 'Mean'],
  ...['Min', 'Mod', 'Mul', 'PRelu', 'Pow', 'Sub', 'Sum', 'Where'],
]);

/** Operators whose result has the rank of their first input. */
const KEEP_RANK: ReadonlySet<string> = new Set([
  ...[
    'Abs',
    'Cast',
    'Ceil',
    'Clip',
    'Dropout',
    'Elu',
    'Erf',
    'Exp',
    'Floor',
    'Gelu',
    'HardSigmoid',
  ],
  ...[
    'HardSwish',
    'Identity',
    'LeakyRelu',
    'Log',
    'LogSoftmax',
    'Neg',
    'Not',
    'Reciprocal',
    'Relu',
  ],
  ...['Selu', 'Sigmoid', 'Sign', 'Softmax', 'Softplus', 'Sqrt', 'Tanh'],
  ...['BatchNormalization', 'CumSum', 'LayerNormalization', 'Pad', 'Slice', 'Trilu'],
]);

const RECURRENT: ReadonlyArray<number | undefined> = [3, 3, 3, 2, 1, 3, 3, 2];

/** The ranks of inputs that operators have for any data. */
const RANKS: Readonly<Record<string, ReadonlyArray<number | undefined>>> = {
  Gemm: [2, 2],
  GRU: RECURRENT,
  LSTM: RECURRENT,
  RNN: RECURRENT,
};

/** The rank that a node needs of an input. */
function rankOfInput({ opType, attributes }: NodeProto, index: number): number | undefined {
  const list = (name: string): number | undefined => {
    const value = attributes.find((attribute) => attribute.name === name)?.value;
    return value?.kind === 'ints' ? value.value.length : undefined;
  };
  if (Object.hasOwn(RANKS, opType)) return RANKS[opType]?.[index];
  if (index > 0) return undefined;
  if (opType === 'Transpose') return list('perm');
  const spatial = WINDOWS.has(opType) ? list('kernel_shape') : undefined;
  return spatial === undefined ? undefined : spatial + 2;
}

/** Operators with a window over all axes but the first two. */
const WINDOWS: ReadonlySet<string> = new Set([
  ...['AveragePool', 'Conv', 'ConvInteger', 'ConvTranspose', 'LpPool', 'MaxPool', 'QLinearConv'],
]);
