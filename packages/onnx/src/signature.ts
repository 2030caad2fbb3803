/**
 * What a file says of its inputs and outputs that types of Relay do not say: attributes of `@main`,
 * which the import writes and the export reads.
 */
import type { Attrs, AttrValue } from '@baton/ir';
import { type DType, isDType } from '@baton/tensor';
import type { Container } from './protobuf/messages.ts';

const NAMES = 'output_tensor_names';
/** The names of the dimensions of each input; empty where the file has none. */
const INPUT_DIMS = 'input_dim_names';
/**
 * The dimensions of each output as the file states them: a name, empty where it has none, or the
 * size of a dimension of which the program does not know it.
 */
const OUTPUT_DIMS = 'output_dim_names';
/** The inputs with a default: name, element type, shape, and the bytes of a file in hexadecimal digits. */
const DEFAULTS = 'input_defaults';
/** For each output the container that it is, with the element type: `sequence float32`. */
const CONTAINERS = 'output_containers';

/**
 * The version that is written by default, unless the program needs a later one: the first with all
 * reductions and `Split` in their present form, which every runtime reads.
 */
export const DEFAULT_OPSET = 18;

/** The versions of ONNX's operator set that can be written. */
export const OPSETS = { least: 13, most: 28 } as const;

/** The operator set of the file, where the export is to know it. */
const OPSET = 'onnx_opset';

/** Whether the file states shapes of values inside, of which dimensions are open. */
const INNER_SHAPES = 'onnx_value_shapes';

/** An output that contains tensors. */
export interface ContainerOutput {
  readonly container: Container;
  /** The element type of the tensors. */
  readonly dtype: string;
}

/** The value that an input has if the caller gives none. */
export interface InputDefault {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: ReadonlyArray<number>;
  /** The elements as a file has them. */
  readonly bytes: Uint8Array;
}

/** The names and types of a file's inputs and outputs. */
export interface Signature {
  readonly outputNames: ReadonlyArray<string>;
  readonly inputDims: ReadonlyArray<ReadonlyArray<string>>;
  readonly outputDims: ReadonlyArray<ReadonlyArray<string | number>>;
  readonly containers: ReadonlyArray<ContainerOutput | undefined>;
  /** The version of ONNX's operator set that the file has, where the export is to know it. */
  readonly opset?: number | undefined;
  readonly defaults: ReadonlyArray<InputDefault>;
  /** Whether it states shapes of values inside, of which dimensions are open. */
  readonly statesShapes: boolean;
}

/** The attributes that say it; those that add nothing are left out. */
export function signatureAttrs(signature: Signature): Attrs {
  const { outputNames, inputDims, outputDims, containers, defaults, opset } = signature;
  const written = containers.map((one) => (one ? `${one.container} ${one.dtype}` : ''));
  return {
    [NAMES]: outputNames,
    ...(inputDims.length > 0 ? { [INPUT_DIMS]: inputDims } : {}),
    ...(outputDims.length > 0 ? { [OUTPUT_DIMS]: outputDims } : {}),
    ...(written.some((text) => text !== '') ? { [CONTAINERS]: written } : {}),
    ...(opset === undefined ? {} : { [OPSET]: opset }),
    ...(defaults.length > 0 ? { [DEFAULTS]: defaults.map(defaultAttr) } : {}),
    ...(signature.statesShapes ? { [INNER_SHAPES]: true } : {}),
  };
}

/** What the attributes of `@main` say; lists are empty where they say nothing. */
export function signatureOf(attrs: Attrs): Signature {
  const opset = attrs[OPSET];
  return {
    opset: typeof opset === 'number' ? opset : undefined,
    outputNames: listIn(attrs[NAMES]).map(String),
    inputDims: listIn(attrs[INPUT_DIMS]).map((dims) => listIn(dims).map(String)),
    outputDims: listIn(attrs[OUTPUT_DIMS]).map((dims) =>
      listIn(dims).map((dim) => (typeof dim === 'number' ? dim : String(dim))),
    ),
    containers: listIn(attrs[CONTAINERS]).map((text) => {
      const [, container, dtype = ''] = /^(sequence|optional) (\w+)$/.exec(String(text)) ?? [];
      return container === undefined ? undefined : { container: container as Container, dtype };
    }),
    defaults: listIn(attrs[DEFAULTS]).flatMap(defaultIn),
    statesShapes: attrs[INNER_SHAPES] === true,
  };
}

const defaultAttr = ({ name, dtype, shape, bytes }: InputDefault): AttrValue => [
  name,
  dtype,
  shape,
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
];

function defaultIn(value: AttrValue): ReadonlyArray<InputDefault> {
  const [name, dtype, dims, digits] = listIn(value);
  if (typeof name !== 'string' || typeof digits !== 'string' || !isDType(dtype)) return [];
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return [{ name, dtype, shape: listIn(dims).map(Number), bytes }];
}

const listIn = (value: AttrValue | undefined): ReadonlyArray<AttrValue> =>
  Array.isArray(value) ? value : [];
