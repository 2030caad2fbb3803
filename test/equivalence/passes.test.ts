/** The declared needs of passes, and the checks on real passes. */
import { isRight, orThrow } from '@baton/base';
import { bisect, checkPass, verify } from '@baton/equivalence';
import { inferTypes } from '@baton/ir';
import { resnet18 } from '@baton/models';
import { standardOps } from '@baton/ops';
import { runPass, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { ENROLLED } from '@baton/testing';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const REORDERS = ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp', 'range'];

/** docs/adr/0005 has the reasons. A pass that is not here keeps every bit. */
const NEEDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  backwardFoldScaleAxis: REORDERS,
  forwardFoldScaleAxis: REORDERS,
  foldScaleAxis: REORDERS,
  simplifyInference: REORDERS,
  simplifyExpr: REORDERS,
  simplifyExprPostAlterOp: ['nsz', 'nnan'],
  foldExplicitPadding: ['nsz', 'nnan', 'ninf'],
  fastMath: ['afn'],
  alterOpLayout: ['nsz', 'nnan', 'ninf', 'reassoc'],
  convertLayout: ['nsz', 'nnan', 'ninf', 'reassoc'],
  conv2dToSparse: ['nsz', 'nnan', 'ninf', 'reassoc'],
  denseToSparse: ['nsz', 'nnan', 'ninf', 'reassoc'],
  divToMul: ['arcp'],
  flattenAtrousConv: ['nsz', 'nnan', 'ninf'],
  selectKernels: ['reassoc', 'contract'],
  lazyGradientInit: ['nsz', 'nnan', 'ninf'],
  fakeQuantizationToInteger: ['nnan', 'ninf', 'quantized'],
  productsToInteger: ['nnan', 'ninf', 'reassoc', 'contract'],
  quantizeCalibrate: ['nnan', 'ninf', 'scaled'],
  quantizeRealize: ['nnan', 'ninf', 'quantized'],
  toMixedPrecision: ['nnan', 'ninf', 'narrow'],
};

test('only the passes of the table may change bits', () => {
  const declared = Object.entries(passes)
    .filter(([, pass]) => pass.needs.length > 0)
    .map(([name, pass]) => [name, [...pass.needs]]);
  expect(Object.fromEntries(declared)).toEqual(NEEDS);
});

test('every optimization level verifies on a network, pass by pass and at the end', () => {
  const m = resnet18({ ops: standardOps, imageSize: 32, width: 2, classes: 3 });
  for (const when of ['each', 'end'] as const) {
    const instruments = [verify({ when })];
    expect(isRight(runPass(optimize({ level: 3 }), { instruments })(m))).toBe(true);
  }
});

const norm = orThrow(
  inferTypes(
    orThrow(
      parseModule(
        `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3, 5, 7), float32], %v: Tensor[(3), float32]) {
  %0 = nn.batch_norm(%x, %v, %v, %v, abs(%v));
  nn.relu(%0.0)
}`,
        { ops: standardOps },
      ),
    ),
  ),
);

test('a pass that is right is equal in every regime that applies', () => {
  const { equivalence } = orThrow(checkPass(passes.simplifyInference, norm));
  expect(equivalence.equivalent).toBe(true);
  expect(equivalence.regimes.shadow).toMatchObject({ _tag: 'Applied', equal: true });
  expect(equivalence.regimes.native).toMatchObject({ _tag: 'Applied', equal: true });
  expect(equivalence.regimes.grid).toEqual({ _tag: 'NotApplied', reason: 'nn.batch_norm rounds' });
});

test('a pipeline that does nothing wrong has nothing to bisect', () => {
  const everything = sequential(ENROLLED.map((e) => e.pass));
  expect(isRight(bisect(everything, norm))).toBe(false);
});
