/** What a run gives belongs to the caller: writing to it changes neither the module nor the arguments. */
import { orThrow } from '@baton/base';
import { interpreter, oracle, type Value } from '@baton/executor';
import { bindByName, constant, type Func, inferTypes, irModule } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { type Tensor, tensor, toNumbers } from '@baton/tensor';
import { makeWasm, wasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { parse } from './support.ts';

const EXECUTORS = [interpreter, oracle, wasm, makeWasm({ leastElements: 0 })];

/** Programs whose results are constants, parameters, parts of these, or views of them. */
const PROGRAMS = [
  '%c',
  '%x',
  '(%c, %x, %c)',
  'reshape(%c, newshape=[3, 2])',
  'reshape(%x, newshape=[6])',
  'transpose(%x)',
  'transpose(reshape(%c, newshape=[6, 1]))',
  'squeeze(expand_dims(%x, axis=0))',
  'split(%c, indices_or_sections=2, axis=0)',
  'split(%x, indices_or_sections=2, axis=0)',
  'copy(%c)',
  'let %y = %c; let %f = fn () { %y }; (%f(), %x + %c)',
  'if (mean(%x) < 0f) { %c } else { %x }',
  'let %r = ref(%x); let %u = ref_write(%r, %c); ref_read(%r)',
  'cast(%x, dtype="float32")',
  'add(%c, zeros(shape=[2, 3], dtype="float32"))',
];

const leaves = (value: Value): ReadonlyArray<Tensor> =>
  value._tag === 'Tensor' ? [value] : value._tag === 'Tuple' ? value.fields.flatMap(leaves) : [];

describe.each(EXECUTORS.map((executor, i) => [`${executor.name} ${i}`, executor] as const))(
  '%s',
  (_, executor) => {
    it.each(PROGRAMS)('%s', (body) => {
      const type = 'Tensor[(2, 3), float32]';
      const open = parse(`def @main(%x: ${type}, %c: ${type}) { ${body} }`);
      const weight = tensor(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3], 'float32');
      const main = orThrow(
        bindByName(open.functions.get('main') as Func, new Map([['c', constant(weight)]])),
      );
      const m = orThrow(inferTypes(irModule({ ops, functions: new Map([['main', main]]) })));
      const program = orThrow(executor.prepare(m));
      const given = tensor(Float32Array.of(6, 5, 4, 3, 2, 1), [2, 3], 'float32');
      const first = leaves(orThrow(program.run([given])));
      const expected = first.map((t) => [...toNumbers(t)]);
      for (const { data } of first) (data as Float32Array).fill(99);
      expect([...toNumbers(given)]).toEqual([6, 5, 4, 3, 2, 1]);
      expect([...toNumbers(weight)]).toEqual([1, 2, 3, 4, 5, 6]);
      const second = leaves(orThrow(program.run([given])));
      expect(second.map((t) => [...toNumbers(t)])).toEqual(expected);
    });
  },
);
