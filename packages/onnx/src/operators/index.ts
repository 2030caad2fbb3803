/** Every operator of ONNX that can be imported. A test compares the list with the files here. */
import { type OnnxOperator, type OperatorIndex, operatorKey } from '../import/operator.ts';
import { abs } from './abs.ts';
import { acos } from './acos.ts';
import { acosh } from './acosh.ts';
import { add } from './add.ts';
import { and } from './and.ts';
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
import { ceil } from './ceil.ts';
import { clip } from './clip.ts';
import { concat } from './concat.ts';
import { constant } from './constant.ts';
import { constantOfShape } from './constant-of-shape.ts';
import { conv } from './conv.ts';
import { cos } from './cos.ts';
import { cosh } from './cosh.ts';
import { div } from './div.ts';
import { dropout } from './dropout.ts';
import { equal } from './equal.ts';
import { erf } from './erf.ts';
import { exp } from './exp.ts';
import { expand } from './expand.ts';
import { flatten } from './flatten.ts';
import { floor } from './floor.ts';
import { gather } from './gather.ts';
import { gemm } from './gemm.ts';
import { globalAveragePool } from './global-average-pool.ts';
import { globalMaxPool } from './global-max-pool.ts';
import { greater } from './greater.ts';
import { greaterOrEqual } from './greater-or-equal.ts';
import { identity } from './identity.ts';
import { isNan } from './is-nan.ts';
import { leakyRelu } from './leaky-relu.ts';
import { less } from './less.ts';
import { lessOrEqual } from './less-or-equal.ts';
import { log } from './log.ts';
import { logSoftmax } from './log-softmax.ts';
import { lrn } from './lrn.ts';
import { matMul } from './mat-mul.ts';
import { max } from './max.ts';
import { maxPool } from './max-pool.ts';
import { mean } from './mean.ts';
import { min } from './min.ts';
import { mul } from './mul.ts';
import { neg } from './neg.ts';
import { not } from './not.ts';
import { or } from './or.ts';
import { pow } from './pow.ts';
import { reciprocal } from './reciprocal.ts';
import { reduceL1 } from './reduce-l1.ts';
import { reduceL2 } from './reduce-l2.ts';
import { reduceLogSum } from './reduce-log-sum.ts';
import { reduceMax } from './reduce-max.ts';
import { reduceMean } from './reduce-mean.ts';
import { reduceMin } from './reduce-min.ts';
import { reduceProd } from './reduce-prod.ts';
import { reduceSum } from './reduce-sum.ts';
import { reduceSumSquare } from './reduce-sum-square.ts';
import { relu } from './relu.ts';
import { reshape } from './reshape.ts';
import { shape } from './shape.ts';
import { sigmoid } from './sigmoid.ts';
import { sign } from './sign.ts';
import { sin } from './sin.ts';
import { sinh } from './sinh.ts';
import { slice } from './slice.ts';
import { softmax } from './softmax.ts';
import { sqrt } from './sqrt.ts';
import { squeeze } from './squeeze.ts';
import { sub } from './sub.ts';
import { sum } from './sum.ts';
import { tan } from './tan.ts';
import { tanh } from './tanh.ts';
import { transpose } from './transpose.ts';
import { unsqueeze } from './unsqueeze.ts';
import { where } from './where.ts';
import { xor } from './xor.ts';

const ALL: ReadonlyArray<OnnxOperator> = [
  abs,
  acos,
  acosh,
  add,
  and,
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
  ceil,
  clip,
  concat,
  constant,
  constantOfShape,
  conv,
  cos,
  cosh,
  div,
  dropout,
  equal,
  erf,
  exp,
  expand,
  flatten,
  floor,
  gather,
  gemm,
  globalAveragePool,
  globalMaxPool,
  greater,
  greaterOrEqual,
  identity,
  isNan,
  leakyRelu,
  less,
  lessOrEqual,
  log,
  logSoftmax,
  lrn,
  matMul,
  max,
  maxPool,
  mean,
  min,
  mul,
  neg,
  not,
  or,
  pow,
  reciprocal,
  reduceL1,
  reduceL2,
  reduceLogSum,
  reduceMax,
  reduceMean,
  reduceMin,
  reduceProd,
  reduceSum,
  reduceSumSquare,
  relu,
  reshape,
  shape,
  sigmoid,
  sign,
  sin,
  sinh,
  slice,
  softmax,
  sqrt,
  squeeze,
  sub,
  sum,
  tan,
  tanh,
  transpose,
  unsqueeze,
  where,
  xor,
];

/** The operators by domain and name. */
export const onnxOperators: OperatorIndex = new Map(
  ALL.map((operator) => [operatorKey(operator.domain, operator.opType), operator]),
);
