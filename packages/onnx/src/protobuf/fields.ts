/**
 * The numbers of the fields of an ONNX file, by message, for the reader and the writer.
 *
 * **Source** onnx.proto of ONNX 1.20 (IR version 12).
 */

export const MODEL = {
  irVersion: 1,
  producerName: 2,
  producerVersion: 3,
  graph: 7,
  opsetImport: 8,
  functions: 25,
} as const;

export const OPSET = { domain: 1, version: 2 } as const;

export const GRAPH = {
  node: 1,
  name: 2,
  initializer: 5,
  input: 11,
  output: 12,
  valueInfo: 13,
  sparseInitializer: 15,
} as const;

export const NODE = {
  input: 1,
  output: 2,
  name: 3,
  opType: 4,
  attribute: 5,
  docString: 6,
  domain: 7,
  overload: 8,
} as const;

export const FUNCTION = {
  name: 1,
  input: 4,
  output: 5,
  node: 7,
  opsetImport: 9,
  domain: 10,
  attributeProto: 11,
  overload: 13,
} as const;

/** The fields of an attribute that hold no value; see {@link VALUES}. */
export const ATTRIBUTE = { name: 1, type: 20, refAttrName: 21 } as const;

/** The kinds of values of an attribute: the field that holds one, and its number as a type. */
export const VALUES = [
  { kind: 'float', field: 2, type: 1 },
  { kind: 'int', field: 3, type: 2 },
  { kind: 'string', field: 4, type: 3 },
  { kind: 'tensor', field: 5, type: 4 },
  { kind: 'graph', field: 6, type: 5 },
  { kind: 'floats', field: 7, type: 6 },
  { kind: 'ints', field: 8, type: 7 },
  { kind: 'strings', field: 9, type: 8 },
  { kind: 'tensors', field: 10, type: 9 },
  { kind: 'graphs', field: 11, type: 10 },
  { kind: 'sparse_tensor', field: 22, type: 11 },
  { kind: 'opaque', field: 23, type: 12 },
  { kind: 'opaque', field: 14, type: 13 },
  { kind: 'opaque', field: 15, type: 14 },
] as const;

export const TENSOR = {
  dims: 1,
  dataType: 2,
  segment: 3,
  floatData: 4,
  int32Data: 5,
  stringData: 6,
  int64Data: 7,
  name: 8,
  rawData: 9,
  doubleData: 10,
  uint64Data: 11,
  externalData: 13,
  dataLocation: 14,
} as const;

/** The value of `dataLocation` for elements outside the file. */
export const EXTERNAL = 1;

/** An entry of a map from text to text. */
export const ENTRY = { key: 1, value: 2 } as const;

export const SPARSE = { values: 1, indices: 2, dims: 3 } as const;

export const VALUE_INFO = { name: 1, type: 2 } as const;

export const TYPE = {
  tensor: 1,
  sequence: 4,
  map: 5,
  opaque: 7,
  sparseTensor: 8,
  optional: 9,
} as const;

/** A sequence and an optional value have the type of what is inside in the same field. */
export const CONTAINER_TYPE = { elemType: 1 } as const;

export const SEQUENCE = { tensorValues: 3 } as const;

export const OPTIONAL = { tensorValue: 3, sequenceValue: 5 } as const;

export const TENSOR_TYPE = { elemType: 1, shape: 2 } as const;

export const SHAPE = { dim: 1 } as const;

export const DIMENSION = { value: 1, param: 2 } as const;
