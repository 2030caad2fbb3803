import { orThrow } from '@baton/base';
import { constant, structuralEqual } from '@baton/ir';
import { tensor } from '@baton/tensor';
import { parseExpr } from '@baton/text';
import { expect, it } from 'vitest';
import { ops } from './text-ops.ts';

const data = tensor([1, 2, 3], [3], 'float32');

it.each([
  ['a record of tensors', { 'relay.Constant': [data] }],
  ['a record of constants', { 'relay.Constant': [constant(data)] }],
  ['a map of tensors', new Map([['relay.Constant', [data]]])],
])('the table passed to the parser may be %s (C050)', (_, meta) => {
  const found = orThrow(parseExpr('meta[relay.Constant][0]', { ops, meta }));
  expect(structuralEqual(found, constant(data))).toBe(true);
});
