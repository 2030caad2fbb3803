/** Decoding of ONNX files into messages. */
import { fail, type Result, right } from '@baton/base';
import { malformed, notBytes } from './diagnostics.ts';
import {
  type Budget,
  DEFAULT_DECODE_LIMITS,
  type DecodeLimits,
  makeBudget,
} from './protobuf/budget.ts';
import {
  decodeFunction,
  decodeFunctionOutline,
  decodeGraph,
  decodeGraphOutline,
  decodeOpset,
} from './protobuf/decode-graph.ts';
import { decodeTensorProto } from './protobuf/decode-tensor.ts';
import { decodeOptional, decodeSequence } from './protobuf/decode-value.ts';
import { MODEL } from './protobuf/fields.ts';
import type {
  FunctionProto,
  GraphProto,
  ModelProto,
  OperatorSetIdProto,
  TensorProto,
} from './protobuf/messages.ts';
import { otherFormat } from './protobuf/other-formats.ts';
import { WireReader } from './protobuf/wire.ts';

/** The options of decoding. */
export interface DecodeOptions {
  /** The name of the file in diagnostics. Default: `onnx`. */
  readonly source?: string;
  readonly limits?: Partial<DecodeLimits>;
}

/**
 * The messages of an ONNX file. Tensors stay in `bytes`.
 *
 * **Errors** `ONNX_BYTES`, `ONNX_MALFORMED`, `ONNX_LIMIT`.
 *
 * **Complexity** linear in the bytes; heap at most `heapFactor` times the bytes plus `heapBase`.
 */
export function decodeModel(bytes: Uint8Array, options: DecodeOptions = {}): Result<ModelProto> {
  return decode(bytes, options, budgetOf(bytes, options), 'ModelProto', (r) => decodeModelProto(r));
}

/** Like {@link decodeModel}, from a budget that later steps share. */
export const decodeModelWithin = (
  budget: Budget,
  bytes: Uint8Array,
  options: DecodeOptions,
): Result<ModelProto> => decode(bytes, options, budget, 'ModelProto', (r) => decodeModelProto(r));

/** The budget of a file of this length under the limits of the options. */
export const budgetOf = (bytes: Uint8Array, options: DecodeOptions): Budget =>
  makeBudget({ ...DEFAULT_DECODE_LIMITS, ...options.limits }, bytes?.length ?? 0);

/**
 * The single TensorProto of a file, as in ONNX's test data.
 *
 * **Errors** as {@link decodeModel}.
 */
export const decodeTensorFile = (
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Result<TensorProto> =>
  decode(bytes, options, budgetOf(bytes, options), 'TensorProto', decodeTensorProto);

/**
 * The value of a file with one SequenceProto or OptionalProto, as in ONNX's test data.
 *
 * **Errors** as {@link decodeModel}.
 */
export const decodeValueFile = (
  bytes: Uint8Array,
  kind: 'sequence' | 'optional',
  options: DecodeOptions = {},
): Result<TensorProto | ReadonlyArray<TensorProto> | null> =>
  kind === 'sequence'
    ? decode(bytes, options, budgetOf(bytes, options), 'SequenceProto', decodeSequence)
    : decode(bytes, options, budgetOf(bytes, options), 'OptionalProto', decodeOptional);

/**
 * The outline of a model: its operator sets, the nodes of its graph without attributes, and the names
 * of its functions. It takes a few bytes for each node, whatever the attributes and weights are.
 *
 * **Errors** as {@link decodeModel}.
 */
export const decodeOutline = (bytes: Uint8Array, options: DecodeOptions): Result<ModelProto> =>
  decode(bytes, options, budgetOf(bytes, options), 'ModelProto', (r) =>
    decodeModelProto(r, { graph: decodeGraphOutline, function: decodeFunctionOutline }),
  );

/** The operator sets of a model. */
export const decodeOpsets = (bytes: Uint8Array, options: DecodeOptions): Result<ModelProto> =>
  decode(bytes, options, budgetOf(bytes, options), 'ModelProto', (r) =>
    decodeModelProto(r, { graph: skipped, function: decodeFunctionOutline }),
  );

/** A graph of which nothing is read. */
function skipped(r: WireReader): GraphProto {
  r.position = r.end;
  const none = { inputs: [], outputs: [], initializers: [], sparseInitializers: [] };
  return { name: '', nodes: [], ...none };
}

function decode<A>(
  bytes: Uint8Array,
  options: DecodeOptions,
  budget: Budget,
  name: string,
  read: (r: WireReader) => A,
): Result<A> {
  const source = options.source ?? 'onnx';
  if (!ArrayBuffer.isView(bytes)) return fail(notBytes(bytes, source));
  // A plain view is needed: a Node Buffer has a `slice` of its own that does not copy.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new WireReader(plain, budget, name);
  const value = read(reader);
  return reader.fault === undefined
    ? right(value)
    : fail(malformed(reader.fault, otherFormat(plain), source));
}

/** The parts of a model. */
interface ModelReading {
  readonly graph: (r: WireReader) => GraphProto;
  readonly function: (r: WireReader) => FunctionProto;
}

const ALL: ModelReading = { graph: decodeGraph, function: decodeFunction };

function decodeModelProto(r: WireReader, reading: ModelReading = ALL): ModelProto {
  let irVersion = 0;
  const opsetImports: OperatorSetIdProto[] = [];
  let graph: GraphProto | undefined;
  const functions: ModelProto['functions'][number][] = [];
  while (r.next()) {
    switch (r.field) {
      case MODEL.irVersion:
        irVersion = Number(r.int64());
        break;
      case MODEL.graph:
        if (graph !== undefined) {
          r.fail({ _tag: 'Contradiction', reason: 'the model holds two graphs' });
        }
        graph = r.message('GraphProto', reading.graph);
        break;
      case MODEL.opsetImport:
        if (r.take('attributeItems', 1, 64)) {
          opsetImports.push(r.message('OperatorSetIdProto', decodeOpset));
        }
        break;
      case MODEL.functions:
        functions.push(r.message('FunctionProto', reading.function));
        break;
      default:
        r.skip();
    }
  }
  return { irVersion, opsetImports, graph, functions };
}
