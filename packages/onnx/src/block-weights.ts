/**
 * Weights of 4 bits in blocks: products of matrices with a known second operand become
 * `com.microsoft.MatMulNBits`, whose weight has a scale for each block of neighbours along the sum.
 *
 * **Source** ONNX Runtime, ContribOperators.md, com.microsoft.MatMulNBits.
 */
import { isLeft, joinedBytes, type Result, right } from '@baton/base';
import { fromBytes, toNumbers } from '@baton/tensor';
import { decodeModel } from './decode-model.ts';
import { encodeModel } from './encode-model.ts';
import { MICROSOFT } from './operator-api/importer.ts';
import { elementNumber } from './protobuf/element-type.ts';
import type {
  AttributeProto,
  GraphProto,
  ModelProto,
  NodeProto,
  TensorProto,
} from './protobuf/messages.ts';

/** Elements of a block: a power of 2, at least 16. */
const BLOCK = 32;

/** The integer that stands for 0, and the greatest that a block may reach from it. */
const [ZERO, MOST] = [8, 7];

/** A weight of (rows, columns), from which the products of a node are made. */
interface Weight {
  readonly rows: number;
  readonly columns: number;
  readonly at: (row: number, column: number) => number;
}

/**
 * The file with products of known matrices on weights of 4 bits. Files of constants that are products
 * of more than two axes, or of few elements, keep them.
 *
 * **Errors** those of decoding.
 */
export function withBlockWeights(bytes: Uint8Array): Result<Uint8Array> {
  const decoded = decodeModel(bytes);
  if (isLeft(decoded)) return decoded;
  const model = decoded.right;
  const { graph } = model;
  if (graph === undefined) return right(bytes);
  const known = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const made: TensorProto[] = [];
  const nodes = graph.nodes.flatMap((node) => replaced(node, known, made));
  if (made.length === 0) return right(bytes);
  return right(joinedBytes(encodeModel(withParts(model, graph, nodes, made))));
}

/** The model with other nodes, and the initializers that they use. */
function withParts(
  model: ModelProto,
  graph: GraphProto,
  nodes: ReadonlyArray<NodeProto>,
  made: ReadonlyArray<TensorProto>,
): ModelProto {
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const used = new Set([...nodes.flatMap(({ inputs }) => inputs), ...outputs]);
  const initializers = [...graph.initializers.filter(({ name }) => used.has(name)), ...made];
  const imports = model.opsetImports.filter(({ domain }) => domain !== MICROSOFT);
  return {
    ...model,
    opsetImports: [...imports, { domain: MICROSOFT, version: 1 }],
    graph: { ...graph, nodes, initializers },
  };
}

/** The nodes in the place of one. */
function replaced(
  node: NodeProto,
  known: ReadonlyMap<string, TensorProto>,
  made: TensorProto[],
): ReadonlyArray<NodeProto> {
  const [data = '', name = '', bias = ''] = node.inputs;
  const weight = node.domain === '' ? weightOf(node, known.get(name)) : undefined;
  if (weight === undefined) return [node];
  const { packed, scales, blocks } = inBlocks(weight);
  const { rows, columns } = weight;
  const base = `${name}_${made.length}`;
  made.push(
    tensorOf(`${base}_4bit`, [columns, blocks, BLOCK / 2], 'uint8', packed),
    tensorOf(`${base}_scales`, [columns * blocks], 'float32', new Uint8Array(scales.buffer)),
  );
  const [output = ''] = node.outputs;
  const sum = bias === '' ? output : `${output}_product`;
  const product: NodeProto = {
    ...node,
    opType: 'MatMulNBits',
    domain: MICROSOFT,
    inputs: [data, `${base}_4bit`, `${base}_scales`],
    outputs: [sum],
    attributes: [
      integer('K', rows),
      integer('N', columns),
      integer('bits', 4),
      integer('block_size', BLOCK),
    ],
  };
  if (bias === '') return [product];
  const added: NodeProto = {
    ...node,
    name: `${node.name}_bias`,
    opType: 'Add',
    inputs: [sum, bias],
    attributes: [],
  };
  return [product, added];
}

const integer = (name: string, value: number): AttributeProto => ({
  name,
  value: { kind: 'int', value },
});

/** A tensor whose elements are these bytes. */
const tensorOf = (
  name: string,
  dims: ReadonlyArray<number>,
  dtype: 'uint8' | 'float32',
  file: Uint8Array,
): TensorProto => ({
  name,
  dims,
  dataType: elementNumber(dtype) ?? 0,
  payload: { _tag: 'Raw', start: 0, end: file.length },
  file,
});

/** The second operand of a product that `MatMulNBits` computes; `undefined` of other nodes. */
function weightOf(
  { opType, attributes }: NodeProto,
  tensor: TensorProto | undefined,
): Weight | undefined {
  if (tensor === undefined || tensor.payload._tag !== 'Raw' || tensor.dims.length !== 2)
    return undefined;
  if (tensor.dataType !== elementNumber('float32')) return undefined;
  const number = (name: string, other: number): number => {
    const found = attributes.find((attribute) => attribute.name === name)?.value;
    return found?.kind === 'int' || found?.kind === 'float' ? Number(found.value) : other;
  };
  const isPlain = number('transA', 0) === 0 && number('alpha', 1) === 1 && number('beta', 1) === 1;
  if (opType !== 'MatMul' && !(opType === 'Gemm' && isPlain)) return undefined;
  const [first = 0, second = 0] = tensor.dims.map(Number);
  const bytes = tensor.file.slice(tensor.payload.start, tensor.payload.end);
  const values = fromBytes(bytes, [first, second], 'float32');
  if (isLeft(values)) return undefined;
  const numbers = Float64Array.from(toNumbers(values.right), Number);
  const isTurned = opType === 'Gemm' && number('transB', 0) === 1;
  const [rows, columns] = isTurned ? [second, first] : [first, second];
  if (rows < BLOCK) return undefined;
  const at = (row: number, column: number): number =>
    numbers[isTurned ? column * rows + row : row * columns + column] as number;
  return { rows, columns, at };
}

/** A weight as integers of 4 bits, two in a byte, and the scales of its blocks. */
function inBlocks({ rows, columns, at }: Weight) {
  const blocks = Math.ceil(rows / BLOCK);
  const packed = new Uint8Array((columns * blocks * BLOCK) / 2);
  const scales = new Float32Array(columns * blocks);
  for (let column = 0; column < columns; column++) {
    for (let block = 0; block < blocks; block++) {
      const [first, end] = [block * BLOCK, Math.min((block + 1) * BLOCK, rows)];
      let size = 0;
      for (let row = first; row < end; row++) size = Math.max(size, Math.abs(at(row, column)));
      const scale = Math.fround(size / MOST) || 1;
      const place = column * blocks + block;
      scales[place] = scale;
      for (let i = 0; i < BLOCK; i++) {
        const row = first + i;
        const whole = row < end ? Math.round(at(row, column) / scale) + ZERO : ZERO;
        const byte = (place * BLOCK + i) >> 1;
        packed[byte] = (packed[byte] ?? 0) | (whole << (i % 2 === 0 ? 0 : 4));
      }
    }
  }
  return { packed, scales, blocks };
}
