import { orThrow, spanLeaves } from '@baton/base';
import { type IRModule, inferTypes, postOrderExprs, printType } from '@baton/ir';
import { mobilenetV2, resnet18 } from '@baton/models';
import { standardOps as ops } from '@baton/ops';
import { tensorsEqual } from '@baton/tensor';
import { describe, expect, it } from 'vitest';

const nodes = (m: IRModule) => postOrderExprs([...m.functions.values()]);

const opCounts = (m: IRModule): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const node of nodes(m)) {
    if (node._tag !== 'Call' || node.op._tag !== 'Op') continue;
    counts[node.op.name] = (counts[node.op.name] ?? 0) + 1;
  }
  return counts;
};

const constants = (m: IRModule) => nodes(m).flatMap((n) => (n._tag === 'Constant' ? [n.data] : []));

const small = {
  resnet18: (seed?: string) =>
    resnet18({
      ops,
      imageSize: 32,
      width: 4,
      classes: 10,
      ...(seed === undefined ? {} : { seed }),
    }),
  mobilenetV2: (seed?: string) =>
    mobilenetV2({
      ops,
      imageSize: 32,
      widthMultiplier: 0.25,
      classes: 10,
      ...(seed === undefined ? {} : { seed }),
    }),
};

describe.each(Object.entries(small))('%s', (_, build) => {
  it('has the type of an image classifier', () => {
    const main = orThrow(inferTypes(build())).functions.get('main');
    expect(main?.retType && printType(main.retType)).toBe('Tensor[(1, 10), float32]');
  });

  it('is the same network for the same seed and another for another', () => {
    const [a, b, c] = [constants(build()), constants(build()), constants(build('other'))];
    expect(a.every((x, i) => b[i] !== undefined && tensorsEqual(x, b[i]))).toBe(true);
    expect(a.every((x, i) => c[i] !== undefined && !tensorsEqual(x, c[i]))).toBe(true);
  });

  it('names the layer that every node belongs to', () => {
    for (const node of nodes(build())) {
      if (node._tag === 'Call') expect(spanLeaves(node.span).length).toBeGreaterThan(0);
    }
  });
});

describe('the papers', () => {
  it('give ResNet-18 its 20 convolutions and 8 shortcuts', () => {
    expect(opCounts(resnet18({ ops, imageSize: 32 }))).toEqual({
      'nn.conv2d': 20,
      'nn.batch_norm': 20,
      'nn.relu': 17,
      'nn.max_pool2d': 1,
      'nn.global_avg_pool2d': 1,
      'nn.batch_flatten': 1,
      'nn.dense': 1,
      'nn.bias_add': 1,
      'nn.softmax': 1,
      add: 8,
    });
  });

  it('give MobileNet v2 its 52 convolutions, 17 of them depthwise, and 10 shortcuts', () => {
    const m = mobilenetV2({ ops, imageSize: 32 });
    expect(opCounts(m)).toMatchObject({ 'nn.conv2d': 52, clip: 35, add: 10 });
    const grouped = nodes(m).filter(
      (n) => n._tag === 'Call' && n.attrs?.groups !== undefined && n.attrs.groups !== 1,
    );
    expect(grouped).toHaveLength(17);
  });

  it('give the networks their parameter counts', () => {
    const count = (m: IRModule): number => constants(m).reduce((n, t) => n + t.data.length, 0);
    // The published counts plus the moving statistics, which frameworks do not count.
    expect(count(resnet18({ ops, imageSize: 32 }))).toBe(11_689_512 + 9_600);
    expect(count(mobilenetV2({ ops, imageSize: 32 }))).toBe(3_504_872 + 34_112);
  });
});
