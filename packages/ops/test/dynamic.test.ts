/** Operators whose attributes are operands. */
import { orThrow } from '@baton/base';
import { describeType, type IRModule, inferTypes, typeOf } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

function typeOfBody(text: string): string {
  const m: IRModule = orThrow(
    inferTypes(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }))),
  );
  const main = m.functions.get('main');
  const type = main && typeOf(m, main.body);
  return type === undefined ? 'unknown' : describeType(type);
}

test('C185 dyn.reshape to a shape of the run has a rank and no sizes', () => {
  expect(
    typeOfBody(
      'def @main(%x: Tensor[(2, 3), float32], %s: Tensor[(3), int64]) { dyn.reshape(%x, %s) }',
    ),
  ).toBe('Tensor[(?, ?, ?), float32]');
});

const OPEN: ReadonlyArray<readonly [call: string, type: string]> = [
  ['dyn.zeros(%s, dtype="float32")', 'Tensor[(?, ?), float32]'],
  ['dyn.ones(%s, dtype="int32")', 'Tensor[(?, ?), int32]'],
  ['dyn.tile(%x, %s)', 'Tensor[(?, ?, ?, ?), float32]'],
  ['dyn.squeeze(%x, %s)', 'Tensor[(?, ?), float32]'],
  ['dyn.expand_dims(%x, %k, num_newaxis=2)', 'Tensor[(?, ?, ?, ?, ?, ?), float32]'],
  ['dyn.topk(%x, %k, axis=1, ret_type="values")', 'Tensor[(1, ?, 4, 4), float32]'],
  ['dyn.topk(%x, %k)', '(Tensor[(1, 3, 4, ?), float32], Tensor[(1, 3, 4, ?), int32])'],
  ['dyn.one_hot(%i, 1f, 0f, %k, dtype="float32")', 'Tensor[(2, ?), float32]'],
  ['dyn.nn.pad(%x, %w, 0f)', 'Tensor[(?, ?, ?, ?), float32]'],
  ['dyn.image.resize2d(%x, %s, %r)', 'Tensor[(1, 3, ?, ?), float32]'],
  ['dyn.nn.upsampling(%x, %v, 2f)', 'Tensor[(1, 3, ?, ?), float32]'],
  ['dyn.nn.upsampling3d(%z, %v, 2f, 2f)', 'Tensor[(1, 2, ?, ?, ?), float32]'],
  ['dyn.sparse_to_dense(%w, %s, %v, 0f)', 'Tensor[(?, ?), float32]'],
];

test.each(OPEN)('%s has the type %s', (call, type) => {
  const params =
    '%x: Tensor[(1, 3, 4, 4), float32], %z: Tensor[(1, 2, 2, 2, 2), float32], ' +
    '%s: Tensor[(2), int64], %k: int64, %i: Tensor[(2), int32], %v: float32, ' +
    '%w: Tensor[(4, 2), int64], %r: Tensor[(4), float32]';
  expect(typeOfBody(`def @main(${params}) { ${call} }`)).toBe(type);
});

const REFUSED: ReadonlyArray<readonly [call: string, message: RegExp]> = [
  ['dyn.zeros(%v, dtype="float32")', /expected `shape` of rank 1, found rank 0/],
  ['dyn.tile(%x, [1f, 2f])', /int/],
  ['dyn.nn.pad(%x, %s, 0f)', /expected `pad_width` of rank 2, found rank 1/],
  ['dyn.topk(%x, %s)', /the last axis of `k`/],
];

test.each(REFUSED)('%s is refused', (call, message) => {
  const params = '%x: Tensor[(1, 3, 4, 4), float32], %s: Tensor[(2), int64], %v: int64';
  expect(() => typeOfBody(`def @main(${params}) { ${call} }`)).toThrow(message);
});
