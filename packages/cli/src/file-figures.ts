/** The figures of an ONNX file, independent of the program that it is read as. */
import { isLeft } from '@baton/base';
import { type AttributeValue, decodeModel, type NodeProto, type TensorProto } from '@baton/onnx';

export interface FileFigures {
  /** The nodes of its graphs, including subgraphs and functions. */
  readonly nodes: number;
  /** Its bytes, and those of its weights in other files. */
  readonly bytes: number;
  readonly hasExternal: boolean;
  /** Whether all its operators are ONNX's own. */
  readonly isPlain: boolean;
}

export interface WorkFigures extends FileFigures {
  /** The estimated time of a run, if the file can be read. */
  readonly seconds: number | undefined;
}

export function fileFigures(file: Uint8Array): FileFigures | undefined {
  const model = decodeModel(file);
  if (isLeft(model)) return undefined;
  const { graph, functions } = model.right;
  let nodes = 0;
  let outside = 0;
  let isPlain = true;
  const addWeights = ({ payload }: TensorProto): void => {
    if (payload._tag !== 'External') return;
    const [, length = '0'] = payload.entries.find(([key]) => key === 'length') ?? [];
    outside += Number(length);
  };
  const graphs = graph === undefined ? [] : [graph];
  const own = new Set(functions.map(({ domain }) => domain));
  const addNodes = (some: ReadonlyArray<NodeProto>): void => {
    nodes += some.length;
    for (const { attributes, domain } of some) {
      isPlain &&= domain === '' || domain === 'ai.onnx' || own.has(domain);
      for (const { value } of attributes) {
        graphs.push(...graphsIn(value));
        tensorsIn(value).forEach(addWeights);
      }
    }
  };
  for (const { nodes } of functions) addNodes(nodes);
  for (let next = graphs.pop(); next !== undefined; next = graphs.pop()) {
    addNodes(next.nodes);
    next.initializers.forEach(addWeights);
  }
  return { nodes, bytes: file.length + outside, hasExternal: outside > 0, isPlain };
}

const graphsIn = (value: AttributeValue) =>
  value.kind === 'graph' ? [value.value] : value.kind === 'graphs' ? value.value : [];

const tensorsIn = (value: AttributeValue): ReadonlyArray<TensorProto> =>
  value.kind === 'tensor' ? [value.value] : value.kind === 'tensors' ? value.value : [];

export const isLarger = (file: WorkFigures, original: WorkFigures): boolean =>
  file.nodes > original.nodes || file.bytes > original.bytes || isSlower(file, original);

/** Whether a file is slower than another by more than the error of the estimate. */
export const isSlower = ({ seconds: a }: WorkFigures, { seconds: b }: WorkFigures): boolean =>
  a !== undefined && b !== undefined && a > b * (1 + GRAIN);

/** Formulas of one operator differ by less, such as x / c and x · 1/c. */
const GRAIN = 0.01;
