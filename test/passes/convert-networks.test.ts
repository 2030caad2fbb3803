/** ConvertLayout on whole networks: one transform of the data, one of what comes back. */
import { orThrow } from '@baton/base';
import { checkPass } from '@baton/equivalence';
import { postOrderExprs } from '@baton/ir';
import { resnet18 } from '@baton/models';
import { isCallOf, standardOps } from '@baton/ops';
import { runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { expect, test } from 'vitest';

const small = { ops: standardOps, imageSize: 32, width: 2, classes: 3 };

const toChannelsLast = sequential([
  passes.convertLayout({ desired: { 'nn.conv2d': ['NHWC', 'default'] } }),
  passes.foldConstant,
]);

test('§28 a residual network has one transform in and one out', () => {
  const m = resnet18(small);
  const { module } = orThrow(runPass(toChannelsLast)(m));
  const transforms = postOrderExprs([...module.functions.values()]).filter((node) =>
    isCallOf(node, 'layout_transform'),
  );
  expect(transforms.length).toBe(2);
  const { equivalence } = orThrow(checkPass(toChannelsLast, m));
  expect(equivalence.regimes.native).toMatchObject({ _tag: 'Applied', equal: true });
});
