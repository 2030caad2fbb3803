/** The public names of `@baton/tensor`. */
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
export {
  dataIndex,
  type Nested,
  readBigInt,
  readNumber,
  toBigInts,
  toNested,
  toNumbers,
} from './access.ts';
export { fromBytes, toBytes } from './bytes.ts';
export { cast, castNumber } from './cast.ts';
export { decodeFloats, encodeFloats, hasRoom, narrow } from './codes.ts';
export {
  absoluteError,
  allClose,
  type Comparison,
  compareTensors,
  rootMeanSquare,
  type Tolerance,
  tensorsEqual,
  valuesEqual,
} from './compare.ts';
export {
  type CodedDType,
  DTYPES,
  type DType,
  type DTypeInfo,
  type DTypeKind,
  dtypeInfo,
  FLOAT32_MAX,
  isBig,
  isCoded,
  isDType,
  isFloat,
  isInteger,
  STORAGE_DTYPES,
} from './dtype.ts';
export { type FloatCode, floatCode } from './float-code.ts';
export { hashTensor } from './hash.ts';
export { describeTensor, elementText } from './print.ts';
export {
  broadcastShapes,
  MAX_ELEMENTS,
  MAX_RANK,
  normalizeAxis,
  printShape,
  rowMajorStrides,
  type Shape,
  sameShape,
  shapeSize,
} from './shape.ts';
export { type Spacing, spacingOf } from './spacing.ts';
export {
  allocate,
  type BigData,
  bigsToStorage,
  heap,
  isBigData,
  isStorageOf,
  isTensorData,
  type Memory,
  type NumberData,
  numbersToStorage,
  type PlainData,
  type StorageOf,
  storageOf,
  type TensorData,
} from './storage.ts';
export { collapseLoops, dense, forEachRow, isDense, type LoopNest } from './strided.ts';
export {
  checkedSize,
  fromNumbers,
  full,
  isSplat,
  isTensor,
  makeTensor,
  SPLAT_THRESHOLD,
  scalar,
  splat,
  type Tensor,
  tensor,
  zeros,
} from './tensor.ts';
export {
  broadcastView,
  expandDims,
  laid,
  reshapeView,
  reverseView,
  type Strided,
  sliceView,
  squeeze,
  stridesInShape,
  transposeView,
} from './views.ts';
