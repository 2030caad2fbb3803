/**
 * Weights of few bits in blocks: products of matrices with a known second operand become
 * `com.microsoft.MatMulNBits`, whose weight has a scale for each block of neighbours along the sum.
 *
 * **Source** ONNX Runtime, ContribOperators.md, com.microsoft.MatMulNBits.
 */
import { isLeft, joinedBytes, type Result, right } from '@baton/base';
import { fromBytes } from '@baton/tensor';
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

/** The bits of an integer of a weight. */
export type BlockBits = 4 | 8;

/** A weight of (rows, columns), from which the products of a node are made. */
interface Weight {
  readonly rows: number;
  readonly columns: number;
  readonly numbers: Float32Array;
  /** The distances between neighbours along each axis. **Units** elements. */
  readonly strides: readonly [row: number, column: number];
}

/**
 * The file with products of known matrices on weights of 4 or 8 bits. Files of constants that are products
 * of more than two axes, or of few elements, keep them.
 *
 * **Errors** those of decoding.
 * **Complexity** linear in the bytes.
 */
export function withBlockWeights(bytes: Uint8Array, bits: BlockBits = 4): Result<Uint8Array> {
  const decoded = decodeModel(bytes);
  if (isLeft(decoded)) return decoded;
  const model = decoded.right;
  const { graph } = model;
  if (graph === undefined) return right(bytes);
  const known = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]));
  const made: TensorProto[] = [];
  const nodes = graph.nodes.flatMap((node) => replaced(node, known, made, bits));
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
  bits: BlockBits,
): ReadonlyArray<NodeProto> {
  const [data = '', name = '', bias = ''] = node.inputs;
  const weight = node.domain === '' ? weightOf(node, known.get(name)) : undefined;
  if (weight === undefined) return [node];
  const { packed, scales, blocks } = inBlocks(weight, bits);
  const { rows, columns } = weight;
  const base = `${name}_${made.length}`;
  made.push(
    tensorOf(`${base}_${bits}bit`, [columns, blocks, (BLOCK * bits) / 8], 'uint8', packed),
    tensorOf(`${base}_scales`, [columns * blocks], 'float32', new Uint8Array(scales.buffer)),
  );
  const [output = ''] = node.outputs;
  const sum = bias === '' ? output : `${output}_product`;
  const product: NodeProto = {
    ...node,
    opType: 'MatMulNBits',
    domain: MICROSOFT,
    inputs: [data, `${base}_${bits}bit`, `${base}_scales`],
    outputs: [sum],
    attributes: [
      integer('K', rows),
      integer('N', columns),
      integer('bits', bits),
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
  const isTurned = opType === 'Gemm' && number('transB', 0) === 1;
  const [rows, columns] = isTurned ? [second, first] : [first, second];
  if (rows < BLOCK) return undefined;
  const { data, offset } = values.right;
  const numbers = (data as Float32Array).subarray(offset, offset + rows * columns);
  return { rows, columns, numbers, strides: isTurned ? [1, rows] : [columns, 1] };
}

/** A weight as integers of few bits, the first in the low bits of a byte, and the scales of its blocks. */
function inBlocks(
  { rows, columns, numbers, strides: [rowStride, columnStride] }: Weight,
  bits: BlockBits,
) {
  // The integer that stands for 0, and the greatest that a block may reach from it.
  const zero = 2 ** (bits - 1);
  const most = zero - 1;
  const blocks = Math.ceil(rows / BLOCK);
  const packed = new Uint8Array((columns * blocks * BLOCK * bits) / 8);
  const scales = new Float32Array(columns * blocks);
  // Columns are visited inside of blocks: neighbours of both lie in few lines of the cache.
  for (let block = 0; block < blocks; block++) {
    const count = Math.min(BLOCK, rows - block * BLOCK);
    for (let column = 0; column < columns; column++) {
      const start = block * BLOCK * rowStride + column * columnStride;
      let size = 0;
      for (let i = 0; i < count; i++) {
        size = Math.max(size, Math.abs(numbers[start + i * rowStride] as number));
      }
      const scale = Math.fround(size / most) || 1;
      const place = column * blocks + block;
      scales[place] = scale;
      for (let i = 0; i < BLOCK; i++) {
        const x = i < count ? (numbers[start + i * rowStride] as number) : 0;
        const bit = (place * BLOCK + i) * bits;
        const byte = bit >> 3;
        packed[byte] = (packed[byte] as number) | ((Math.round(x / scale) + zero) << (bit & 7));
      }
    }
  }
  return { packed, scales, blocks };
}
