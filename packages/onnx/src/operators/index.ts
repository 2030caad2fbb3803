/**
 * Every operator of ONNX that can be imported: those that are one of Baton's under another name, as
 * that one states itself, and those that take more, each in its file here.
 */
import { onnxColumn, standardOps } from '@baton/ops';
import { oneToOne } from '../families/one-to-one.ts';
import { type OnnxOperator, type OperatorIndex, operatorKey } from '../node/operator.ts';
import { argMax } from './arg-max.ts';
import { argMin } from './arg-min.ts';
import { averagePool } from './average-pool.ts';
import { batchNormalization } from './batch-normalization.ts';
import { cast } from './cast.ts';
import { castLike } from './cast-like.ts';
import { celu } from './celu.ts';
import { clip } from './clip.ts';
import { compress } from './compress.ts';
import { concat } from './concat.ts';
import { constant } from './constant.ts';
import { constantOfShape } from './constant-of-shape.ts';
import { conv } from './conv.ts';
import { convTranspose } from './conv-transpose.ts';
import { cumSum } from './cum-sum.ts';
import { dequantizeLinear } from './dequantize-linear.ts';
import { dropout } from './dropout.ts';
import { einsum } from './einsum.ts';
import { elu } from './elu.ts';
import { expand } from './expand.ts';
import { eyeLike } from './eye-like.ts';
import { flatten } from './flatten.ts';
import { gather } from './gather.ts';
import { gatherNd } from './gather-nd.ts';
import { gelu } from './gelu.ts';
import { gemm } from './gemm.ts';
import { globalAveragePool } from './global-average-pool.ts';
import { globalMaxPool } from './global-max-pool.ts';
import { gridSample } from './grid-sample.ts';
import { groupNormalization } from './group-normalization.ts';
import { hardSigmoid } from './hard-sigmoid.ts';
import { hardSwish } from './hard-swish.ts';
import { hardmax } from './hardmax.ts';
import { identity } from './identity.ts';
import { isInf } from './is-inf.ts';
import { layerNormalization } from './layer-normalization.ts';
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
import { nonZero } from './non-zero.ts';
import { oneHot } from './one-hot.ts';
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
import { reshape } from './reshape.ts';
import { resize } from './resize.ts';
import { rmsNormalization } from './rms-normalization.ts';
import { round } from './round.ts';
import { scatterElements } from './scatter-elements.ts';
import { scatterNd } from './scatter-nd.ts';
import { selu } from './selu.ts';
import { shape } from './shape.ts';
import { shrink } from './shrink.ts';
import { size } from './size.ts';
import { slice } from './slice.ts';
import { softmax } from './softmax.ts';
import { softplus } from './softplus.ts';
import { softsign } from './softsign.ts';
import { split } from './split.ts';
import { squeeze } from './squeeze.ts';
import { sum } from './sum.ts';
import { swish } from './swish.ts';
import { thresholdedRelu } from './thresholded-relu.ts';
import { tile } from './tile.ts';
import { topK } from './top-k.ts';
import { trilu } from './trilu.ts';
import { unsqueeze } from './unsqueeze.ts';
import { upsample } from './upsample.ts';

const RENAMED: ReadonlyArray<OnnxOperator> = standardOps.names.flatMap((name) => {
  const op = standardOps.get(name);
  const form = standardOps.read(onnxColumn, name);
  return op === undefined || form === undefined ? [] : [oneToOne(op, form)];
});

const CONVERTED: ReadonlyArray<OnnxOperator> = [
  argMax,
  argMin,
  averagePool,
  batchNormalization,
  cast,
  castLike,
  celu,
  clip,
  compress,
  concat,
  constant,
  constantOfShape,
  conv,
  convTranspose,
  cumSum,
  dequantizeLinear,
  dropout,
  einsum,
  elu,
  expand,
  eyeLike,
  flatten,
  gather,
  gatherNd,
  gelu,
  gemm,
  globalAveragePool,
  globalMaxPool,
  gridSample,
  groupNormalization,
  hardSigmoid,
  hardSwish,
  hardmax,
  identity,
  isInf,
  layerNormalization,
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
  nonZero,
  oneHot,
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
  reshape,
  resize,
  rmsNormalization,
  round,
  scatterElements,
  scatterNd,
  selu,
  shape,
  shrink,
  size,
  slice,
  softmax,
  softplus,
  softsign,
  split,
  squeeze,
  sum,
  swish,
  thresholdedRelu,
  tile,
  topK,
  trilu,
  unsqueeze,
  upsample,
];

/** The operators by domain and name. */
export const onnxOperators: OperatorIndex = new Map(
  [...RENAMED, ...CONVERTED].map((operator) => [
    operatorKey(operator.domain, operator.opType),
    operator,
  ]),
);
