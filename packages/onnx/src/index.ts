/** The public names of `@baton/onnx`. */
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  fail,
  ok,
  orThrow,
  type Result,
  renderDiagnostics,
} from '@baton/base';
export { withBlockWeights } from './block-weights.ts';
export { type DecodeOptions, decodeModel } from './decode-model.ts';
export { encodeModel } from './encode-model.ts';
export { exportOnnx, exportOnnxPieces } from './export/export-onnx.ts';
export { outputNames } from './export/main-graph.ts';
export { EXPORT_TARGETS, type ExportOptions, type ExportTarget } from './export/options.ts';
export { originsIn } from './export/origins.ts';
export { dimensionName } from './import/dimensions.ts';
export { importOnnx } from './import/import-onnx.ts';
export type {
  ExternalLocation,
  ImportOptions,
  KnownValue,
  WeightInfo,
  WeightSource,
} from './import/options.ts';
export { readTensorFile, readValueFile } from './import/tensor-file.ts';
export { DEFAULT_DECODE_LIMITS, type DecodeLimits } from './protobuf/budget.ts';
export { elementNumber } from './protobuf/element-type.ts';
export type {
  AttributeKind,
  AttributeProto,
  AttributeValue,
  DimensionProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OperatorSetIdProto,
  SparseTensorProto,
  TensorPayload,
  TensorProto,
  TypedList,
  TypedPayload,
  TypeProto,
  ValueInfoProto,
} from './protobuf/messages.ts';
export type { Int64 } from './protobuf/wire.ts';
export {
  misstatedOutputs,
  type Port,
  type Ports,
  portDifferences,
  portsOf,
  type Reread,
  rereadOnnx,
} from './reread.ts';
export { DEFAULT_OPSET } from './signature.ts';
