/** Every operator of ONNX that can be imported. A test compares the list with the files here. */
import { type OnnxOperator, type OperatorIndex, operatorKey } from '../node/operator.ts';
import { abs } from './abs.ts';
import { acos } from './acos.ts';
import { acosh } from './acosh.ts';
import { add } from './add.ts';
import { and } from './and.ts';
import { argMax } from './arg-max.ts';
import { argMin } from './arg-min.ts';
import { asin } from './asin.ts';
import { asinh } from './asinh.ts';
import { atan } from './atan.ts';
import { atanh } from './atanh.ts';
import { averagePool } from './average-pool.ts';
import { batchNormalization } from './batch-normalization.ts';
import { bitwiseAnd } from './bitwise-and.ts';
import { bitwiseNot } from './bitwise-not.ts';
import { bitwiseOr } from './bitwise-or.ts';
import { bitwiseXor } from './bitwise-xor.ts';
import { cast } from './cast.ts';
import { castLike } from './cast-like.ts';
import { ceil } from './ceil.ts';
import { celu } from './celu.ts';
import { clip } from './clip.ts';
import { compress } from './compress.ts';
import { concat } from './concat.ts';
import { constant } from './constant.ts';
import { constantOfShape } from './constant-of-shape.ts';
import { conv } from './conv.ts';
import { convTranspose } from './conv-transpose.ts';
import { cos } from './cos.ts';
import { cosh } from './cosh.ts';
import { cumSum } from './cum-sum.ts';
import { depthToSpace } from './depth-to-space.ts';
import { dequantizeLinear } from './dequantize-linear.ts';
import { div } from './div.ts';
import { dropout } from './dropout.ts';
import { einsum } from './einsum.ts';
import { elu } from './elu.ts';
import { equal } from './equal.ts';
import { erf } from './erf.ts';
import { exp } from './exp.ts';
import { expand } from './expand.ts';
import { eyeLike } from './eye-like.ts';
import { flatten } from './flatten.ts';
import { floor } from './floor.ts';
import { gather } from './gather.ts';
import { gatherElements } from './gather-elements.ts';
import { gatherNd } from './gather-nd.ts';
import { gelu } from './gelu.ts';
import { gemm } from './gemm.ts';
import { globalAveragePool } from './global-average-pool.ts';
import { globalMaxPool } from './global-max-pool.ts';
import { greater } from './greater.ts';
import { greaterOrEqual } from './greater-or-equal.ts';
import { gridSample } from './grid-sample.ts';
import { groupNormalization } from './group-normalization.ts';
import { hardSigmoid } from './hard-sigmoid.ts';
import { hardSwish } from './hard-swish.ts';
import { hardmax } from './hardmax.ts';
import { identity } from './identity.ts';
import { instanceNormalization } from './instance-normalization.ts';
import { isInf } from './is-inf.ts';
import { isNan } from './is-nan.ts';
import { layerNormalization } from './layer-normalization.ts';
import { leakyRelu } from './leaky-relu.ts';
import { less } from './less.ts';
import { lessOrEqual } from './less-or-equal.ts';
import { log } from './log.ts';
import { logSoftmax } from './log-softmax.ts';
import { lpNormalization } from './lp-normalization.ts';
import { lpPool } from './lp-pool.ts';
import { lrn } from './lrn.ts';
import { matMul } from './mat-mul.ts';
import { max } from './max.ts';
import { maxPool } from './max-pool.ts';
import { mean } from './mean.ts';
import { meanVarianceNormalization } from './mean-variance-normalization.ts';
import { min } from './min.ts';
import { mish } from './mish.ts';
import { mod } from './mod.ts';
import { mul } from './mul.ts';
import { neg } from './neg.ts';
import { nonZero } from './non-zero.ts';
import { not } from './not.ts';
import { oneHot } from './one-hot.ts';
import { or } from './or.ts';
import { pRelu } from './p-relu.ts';
import { pad } from './pad.ts';
import { pow } from './pow.ts';
import { quantizeLinear } from './quantize-linear.ts';
import { range } from './range.ts';
import { reciprocal } from './reciprocal.ts';
import { reduceL1 } from './reduce-l1.ts';
import { reduceL2 } from './reduce-l2.ts';
import { reduceLogSum } from './reduce-log-sum.ts';
import { reduceLogSumExp } from './reduce-log-sum-exp.ts';
import { reduceMax } from './reduce-max.ts';
import { reduceMean } from './reduce-mean.ts';
import { reduceMin } from './reduce-min.ts';
import { reduceProd } from './reduce-prod.ts';
import { reduceSum } from './reduce-sum.ts';
import { reduceSumSquare } from './reduce-sum-square.ts';
import { relu } from './relu.ts';
import { reshape } from './reshape.ts';
import { resize } from './resize.ts';
import { reverseSequence } from './reverse-sequence.ts';
import { rmsNormalization } from './rms-normalization.ts';
import { round } from './round.ts';
import { scatterElements } from './scatter-elements.ts';
import { scatterNd } from './scatter-nd.ts';
import { selu } from './selu.ts';
import { shape } from './shape.ts';
import { shrink } from './shrink.ts';
import { sigmoid } from './sigmoid.ts';
import { sign } from './sign.ts';
import { sin } from './sin.ts';
import { sinh } from './sinh.ts';
import { size } from './size.ts';
import { slice } from './slice.ts';
import { softmax } from './softmax.ts';
import { softplus } from './softplus.ts';
import { softsign } from './softsign.ts';
import { spaceToDepth } from './space-to-depth.ts';
import { split } from './split.ts';
import { sqrt } from './sqrt.ts';
import { squeeze } from './squeeze.ts';
import { sub } from './sub.ts';
import { sum } from './sum.ts';
import { swish } from './swish.ts';
import { tan } from './tan.ts';
import { tanh } from './tanh.ts';
import { thresholdedRelu } from './thresholded-relu.ts';
import { tile } from './tile.ts';
import { topK } from './top-k.ts';
import { transpose } from './transpose.ts';
import { trilu } from './trilu.ts';
import { unsqueeze } from './unsqueeze.ts';
import { upsample } from './upsample.ts';
import { where } from './where.ts';
import { xor } from './xor.ts';

const ALL: ReadonlyArray<OnnxOperator> = [
  abs,
  acos,
  acosh,
  add,
  and,
  argMax,
  argMin,
  asin,
  asinh,
  atan,
  atanh,
  averagePool,
  batchNormalization,
  bitwiseAnd,
  bitwiseNot,
  bitwiseOr,
  bitwiseXor,
  cast,
  castLike,
  ceil,
  celu,
  clip,
  compress,
  concat,
  constant,
  constantOfShape,
  conv,
  convTranspose,
  cos,
  cosh,
  cumSum,
  depthToSpace,
  dequantizeLinear,
  div,
  dropout,
  einsum,
  elu,
  equal,
  erf,
  exp,
  expand,
  eyeLike,
  flatten,
  floor,
  gather,
  gatherElements,
  gatherNd,
  gelu,
  gemm,
  globalAveragePool,
  globalMaxPool,
  greater,
  greaterOrEqual,
  gridSample,
  groupNormalization,
  hardSigmoid,
  hardSwish,
  hardmax,
  identity,
  instanceNormalization,
  isInf,
  isNan,
  layerNormalization,
  leakyRelu,
  less,
  lessOrEqual,
  log,
  logSoftmax,
  lpNormalization,
  lpPool,
  lrn,
  matMul,
  max,
  maxPool,
  mean,
  meanVarianceNormalization,
  min,
  mish,
  mod,
  mul,
  neg,
  nonZero,
  not,
  oneHot,
  or,
  pRelu,
  pad,
  pow,
  quantizeLinear,
  range,
  reciprocal,
  reduceL1,
  reduceL2,
  reduceLogSum,
  reduceLogSumExp,
  reduceMax,
  reduceMean,
  reduceMin,
  reduceProd,
  reduceSum,
  reduceSumSquare,
  relu,
  reshape,
  resize,
  reverseSequence,
  rmsNormalization,
  round,
  scatterElements,
  scatterNd,
  selu,
  shape,
  shrink,
  sigmoid,
  sign,
  sin,
  sinh,
  size,
  slice,
  softmax,
  softplus,
  softsign,
  spaceToDepth,
  split,
  sqrt,
  squeeze,
  sub,
  sum,
  swish,
  tan,
  tanh,
  thresholdedRelu,
  tile,
  topK,
  transpose,
  trilu,
  unsqueeze,
  upsample,
  where,
  xor,
];

/** The operators by domain and name. */
export const onnxOperators: OperatorIndex = new Map(
  ALL.map((operator) => [operatorKey(operator.domain, operator.opType), operator]),
);
