/** The definitions of operators against their kernels, on random calls, in all regimes. */
import { orThrow } from '@baton/base';
import { inferTypes, type OpInfo, type OpTable, opTable } from '@baton/ir';
import { define, definitionColumn, holesOf, standardOps, subpatterns } from '@baton/ops';
import { checkDefinition, type DefinitionCount, definitionProblems } from '@baton/testing';
import { parseModule } from '@baton/text';
import { expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 8 });
const SEED = 39_100;

const counts: DefinitionCount = { operators: new Set(), calls: 0, regimes: 0 };
const NAMES = standardOps.names.filter(
  (name) => standardOps.read(definitionColumn, name) !== undefined,
);

it.each(NAMES)('%s is its definition', (name) => {
  expect(checkDefinition(standardOps, name, { seed: SEED, count: CALLS }, counts)).toEqual([]);
});

// Samplers draw no products, and no pieces of images that reach beyond them.
const PLACES = 'cast(stack((2f, 0f, 2f, 1f, 2f, 0f)), dtype="int64")';

it.each([
  ['scatter_nd', `scatter_nd(%x, reshape(${PLACES}, newshape=[1, 6]), %u, mode="mul")`],
  ['scatter_elements', `scatter_elements(%x, ${PLACES}, %u, reduction="mul")`],
  [
    'image.resize2d',
    'image.resize2d(%image, size=[4, 5], roi=[-0.5, 0.2, 1.25, 1.5], coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=7.5)',
  ],
  [
    'image.resize1d',
    'image.resize1d(%row, size=[6], roi=[-1.0, 1.5], layout="NWC", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=-2.0)',
  ],
  [
    'nn.conv2d_transpose',
    'nn.conv2d_transpose(%image, reshape(%weight, newshape=[2, 3, 2, 2]), kernel_size=[2, 2], strides=[2, 2])',
  ],
  [
    'nn.conv2d_transpose',
    'nn.conv2d_transpose(cast(4f * %image, dtype="int8"), cast(reshape(4f * %weight, newshape=[2, 3, 2, 2]), dtype="int8"), kernel_size=[2, 2], strides=[2, 2], out_dtype="int32")',
  ],
  [
    'nn.conv3d_transpose',
    'nn.conv3d_transpose(expand_dims(%image, axis=2), reshape(%weight, newshape=[2, 3, 1, 2, 2]), kernel_size=[1, 2, 2], strides=[1, 2, 2])',
  ],
  ['nn.max_pool1d', 'nn.max_pool1d(cast(%row, dtype="int32") - 9, pool_size=[2], padding=[1])'],
  ['nn.avg_pool1d', 'nn.avg_pool1d(cast(%row, dtype="int32"), pool_size=[2], padding=[1])'],
  ['nn.adaptive_avg_pool1d', 'nn.adaptive_avg_pool1d(cast(%row, dtype="int32"), output_size=[2])'],
  ['image.resize1d', 'image.resize1d(cast(%row, dtype="int32"), size=[6], layout="NWC")'],
  ['image.resize1d', 'image.resize1d(%row, size=[6], layout="NWC", out_dtype="int8")'],
])('%s is its definition where samplers do not look', (name, call) => {
  const text = `#[version = "0.0.5"]
  def @main(%x: Tensor[(3), float32], %u: Tensor[(6), float32],
    %image: Tensor[(1, 2, 3, 4), float32], %row: Tensor[(2, 5, 3), float32], %weight: Tensor[(24), float32]) { ${call} }`;
  const m = orThrow(inferTypes(orThrow(parseModule(text, { ops: standardOps }))));
  expect(definitionProblems(m, name, SEED, counts)).toEqual([]);
});

it('the definition of every operator is met', () => {
  expect(NAMES.filter((name) => !counts.operators.has(name))).toEqual([]);
  expect(counts.regimes).toBeGreaterThan(2 * counts.calls);
});

it('a formula names inputs, attributes and computed holes, and operators of which none leads back', () => {
  const seen = (name: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const pending = [name];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const cases = standardOps.read(definitionColumn, next);
      for (const { formula } of Array.isArray(cases) ? cases : []) {
        for (const part of subpatterns(formula.pattern)) {
          if (part._tag !== 'Call' || found.has(part.op)) continue;
          found.add(part.op);
          pending.push(part.op);
        }
      }
    }
    return found;
  };
  for (const name of NAMES) {
    const op = standardOps.get(name) as OpInfo;
    expect([...seen(name)].filter((called) => standardOps.get(called) === undefined)).toEqual([]);
    expect(seen(name).has(name)).toBe(false);
    const cases = standardOps.read(definitionColumn, name);
    for (const { formula, computed } of Array.isArray(cases) ? cases : []) {
      const known = [...op.inputs, ...op.attrs.fields].map((part) => part.name).concat('attrs');
      const { terms, attrs } = holesOf(formula.pattern);
      const unbound = [...terms, ...attrs].filter(
        (hole) => !known.includes(hole) && !computed.has(hole),
      );
      expect(unbound).toEqual([]);
    }
  }
});

/** The table with another definition of an operator. */
function withDefinition(name: string, definition: unknown): OpTable {
  const op = standardOps.get(name) as OpInfo;
  const facets = new Map(op.facets).set(definitionColumn.name, definition);
  return opTable(
    standardOps.names.map((each) =>
      each === name ? { ...op, facets } : (standardOps.get(each) as OpInfo),
    ),
  );
}

it.each([
  ['nn.l2_normalize', define('?data / sqrt(sum(?data * ?data, axis=?axis, keepdims=True) + ?eps)')],
  ['nn.cross_entropy', define('negative(mean(sum(?y * log(?x), axis=[1]), axis=[0])) * 1.001')],
  [
    'qnn.dequantize',
    define(
      'cast(?data, dtype="float32") * ?input_scale - cast(?input_zero_point, dtype="float32") * ?input_scale',
      {
        when: ({ rank }) => rank(1) === 0 && rank(2) === 0,
        isExact: true,
      },
    ),
  ],
])('a wrong definition of %s shows', (name, definition) => {
  const ops = withDefinition(name, definition);
  const check = { seed: SEED, count: 40 };
  expect(checkDefinition(ops, name, check, { ...counts, operators: new Set() })).not.toEqual([]);
});
