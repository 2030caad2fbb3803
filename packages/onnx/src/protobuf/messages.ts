/**
 * The messages of an ONNX file, with the fields that the import needs, under ONNX's own names.
 *
 * **Source** onnx.proto of ONNX 1.20 (IR version 12). The producer is written but not read;
 * metadata, training information and device configurations are skipped.
 */
import type { Int64 } from './wire.ts';

/** A file. */
export interface ModelProto {
  readonly irVersion: number;
  /** The name and the version of the program that wrote the file. */
  readonly producer?: readonly [name: string, version: string];
  readonly opsetImports: ReadonlyArray<OperatorSetIdProto>;
  readonly graph: GraphProto | undefined;
  /** Functions of the model itself, which replace their calls. */
  readonly functions: ReadonlyArray<FunctionProto>;
}

/** The version of one operator set. ONNX's own domain is the empty text. */
export interface OperatorSetIdProto {
  readonly domain: string;
  readonly version: number;
}

export interface GraphProto {
  readonly name: string;
  readonly nodes: ReadonlyArray<NodeProto>;
  readonly inputs: ReadonlyArray<ValueInfoProto>;
  readonly outputs: ReadonlyArray<ValueInfoProto>;
  /** Types of results of nodes that the file states. */
  readonly valueInfos?: ReadonlyArray<ValueInfoProto>;
  readonly initializers: ReadonlyArray<TensorProto>;
  readonly sparseInitializers: ReadonlyArray<SparseTensorProto>;
}

export interface NodeProto {
  readonly name: string;
  readonly opType: string;
  readonly domain: string;
  /** Selects one of several functions of this name. */
  readonly overload: string;
  /** Names of values; the empty text marks an absent optional one. */
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly attributes: ReadonlyArray<AttributeProto>;
  /** In an exported file, the origins of the node. */
  readonly docString?: string;
}

/** The value of an attribute, by the kind in the file. */
export type AttributeValue =
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'int'; readonly value: Int64 }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'tensor'; readonly value: TensorProto }
  | { readonly kind: 'graph'; readonly value: GraphProto }
  | { readonly kind: 'floats'; readonly value: ReadonlyArray<number> }
  | { readonly kind: 'ints'; readonly value: ReadonlyArray<Int64> }
  | { readonly kind: 'strings'; readonly value: ReadonlyArray<string> }
  | { readonly kind: 'tensors'; readonly value: ReadonlyArray<TensorProto> }
  | { readonly kind: 'graphs'; readonly value: ReadonlyArray<GraphProto> }
  | { readonly kind: 'sparse_tensor'; readonly value: SparseTensorProto }
  /** Types and lists of sparse tensors, whose contents are not read. */
  | { readonly kind: 'opaque'; readonly value: string }
  /** The value of an attribute of the surrounding function. */
  | { readonly kind: 'reference'; readonly value: string };

/** The kind of an attribute. */
export type AttributeKind = AttributeValue['kind'];

export interface AttributeProto {
  readonly name: string;
  readonly value: AttributeValue;
}

/** The place of a tensor's elements. Positions count bytes of {@link TensorProto.file}. */
export type TensorPayload =
  | { readonly _tag: 'Empty' }
  | RawPayload
  | TypedPayload
  | { readonly _tag: 'External'; readonly entries: ReadonlyArray<readonly [string, string]> };

/** The elements as bytes of the file. */
export interface RawPayload {
  readonly _tag: 'Raw';
  readonly start: number;
  readonly end: number;
}

/** Elements in one of the typed lists; they are read when a tensor is made. */
export interface TypedPayload {
  readonly _tag: 'Typed';
  readonly list: TypedList;
  readonly count: number;
  /** The extent of the whole message. */
  readonly start: number;
  readonly end: number;
}

/** The typed lists of a tensor. */
export type TypedList =
  | 'float_data'
  | 'int32_data'
  | 'string_data'
  | 'int64_data'
  | 'double_data'
  | 'uint64_data';

/** A tensor, not yet copied out of the file. */
export interface TensorProto {
  readonly name: string;
  readonly dims: ReadonlyArray<Int64>;
  /** A number of ONNX's enumeration of element types. */
  readonly dataType: number;
  readonly payload: TensorPayload;
  readonly file: Uint8Array;
}

export interface ValueInfoProto {
  readonly name: string;
  readonly type: TypeProto | undefined;
}

/** The type of a tensor. */
export interface TensorTypeProto {
  readonly _tag: 'Tensor';
  readonly elemType: number;
  /** `undefined` if not even the rank is known. */
  readonly shape: ReadonlyArray<DimensionProto> | undefined;
}

/** A container of tensors as the type of an output. */
export type Container = 'sequence' | 'optional';

/** The type of a value. Containers are outputs; types that are not read are named in diagnostics. */
export type TypeProto =
  | TensorTypeProto
  | { readonly _tag: 'Other'; readonly what: string }
  | { readonly _tag: 'Container'; readonly container: Container; readonly of: TensorTypeProto };

/** A dimension: a number, a name, or neither. */
export type DimensionProto = Int64 | string | undefined;

/** A tensor of zeros except for the listed elements; its name is the name of its values. */
export interface SparseTensorProto {
  readonly values: TensorProto;
  /** The places of the values, in row-major order or along each axis. */
  readonly indices: TensorProto;
  readonly dims: ReadonlyArray<Int64>;
}

/** A function of the model. */
export interface FunctionProto {
  readonly name: string;
  readonly domain: string;
  readonly overload: string;
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly nodes: ReadonlyArray<NodeProto>;
  /** Attributes that a call may leave out, with their default values. */
  readonly defaults: ReadonlyArray<AttributeProto>;
  /** The operator sets of its nodes. */
  readonly opsetImports: ReadonlyArray<OperatorSetIdProto>;
}
