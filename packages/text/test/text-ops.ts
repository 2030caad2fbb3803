/** A small operator table for the tests of the text. */
import { diagnostic, fail, right } from '@baton/base';
import { type AttrField, type Attrs, type AttrsSchema, type OpInfo, opTable } from '@baton/ir';

type Fields = Readonly<Record<string, AttrField['defaultValue'] | { readonly float: number }>>;

function schema(fields: Fields, required: ReadonlyArray<string> = []): AttrsSchema {
  const list: AttrField[] = Object.entries(fields).map(([name, value]) => {
    const isFloat = typeof value === 'object' && value !== null && 'float' in value;
    const given = isFloat ? value.float : (value as AttrField['defaultValue']);
    return { name, isFloat, defaultValue: required.includes(name) ? undefined : given };
  });
  return {
    fields: list,
    decode: (given: Attrs) => {
      const complete: Record<string, Attrs[string]> = {};
      for (const { name, defaultValue } of list) {
        const value = given[name] ?? defaultValue;
        if (value === undefined) {
          return fail(diagnostic('ATTR_MISSING', `the attribute \`${name}\` is missing`));
        }
        if (typeof value !== typeof (defaultValue ?? value)) {
          return fail(diagnostic('ATTR_TYPE', `\`${name}\` has the wrong type`));
        }
        complete[name] = value;
      }
      return right(complete);
    },
  };
}

const op = (
  name: string,
  inputs: number,
  fields: Fields = {},
  required: ReadonlyArray<string> = [],
): OpInfo => ({
  name,
  doc: name,
  source: 'tests',
  inputs: Array.from({ length: inputs }, (_, i) => ({ name: `x${i}` })),
  attrs: schema(fields, required),
  relation: () => undefined,
  effect: 'total',
  nonComputational: false,
  facets: new Map(),
});

const binary = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'less',
  'less_equal',
  'greater',
  'greater_equal',
  'equal',
  'not_equal',
  'logical_and',
  'logical_or',
];

/** Enough operators for the language's cases. */
export const ops = opTable([
  ...binary.map((name) => op(name, 2)),
  ...['exp', 'log', 'negative', 'nn.relu', 'nn.global_avg_pool2d'].map((name) => op(name, 1)),
  op('nn.softmax', 1, { axis: -1 }),
  op('expand_dims', 1, { axis: 0, num_newaxis: 1 }, ['axis']),
  op('stack', 1, { axis: 0 }),
  op('concatenate', 1, { axis: 0 }),
  op('reshape', 1, { newshape: [], allowzero: false }, ['newshape']),
  op('nn.dropout', 1, { rate: { float: 0.5 } }),
  op('cast', 1, { dtype: 'float32' }, ['dtype']),
  op('nn.conv2d', 2, {
    strides: [1, 1],
    padding: [0, 0, 0, 0],
    data_layout: 'NCHW',
    channels: null,
    kernel_size: null,
  }),
]);
