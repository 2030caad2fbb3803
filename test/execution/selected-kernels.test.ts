/** Level 3 states the algorithms of convolutions, and the compiled executor takes them. */
import { mulberry32, orThrow } from '@baton/base';
import { interpreter } from '@baton/executor';
import { squeezenet } from '@baton/models';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { type Tensor, tensor } from '@baton/tensor';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';

const m = orThrow(
  runPass(optimize({ level: 3 }))(squeezenet({ ops: standardOps, imageSize: 64, classes: 10 })),
).module;

describe('a network on level 3', () => {
  it('is lowered to the algorithms that its calls state', () => {
    expect(orThrow(loweredText(m, { level: 'simd' })).match(/conv2d:winograd4/g)).toHaveLength(3);
  });

  it('agrees with the interpreter within 1e-5, and switched off as before', () => {
    const random = mulberry32(38);
    const data = Float32Array.from({ length: 3 * 64 * 64 }, () => 2 * random() - 1);
    const args = [tensor(data, [1, 3, 64, 64], 'float32')];
    const [wanted, chosen, plain, exact] = [
      interpreter,
      makeWasm(),
      makeWasm({ transforms: false }),
      makeWasm({ isExact: true }),
    ].map((executor) => (orThrow(orThrow(executor.prepare(m)).run(args)) as Tensor).data) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const size = Math.max(...wanted);
    const errorOf = (found: Float32Array): number =>
      Math.max(...found.map((value, i) => Math.abs(value - (wanted[i] as number)))) / size;
    expect(errorOf(exact)).toBe(0);
    expect(errorOf(plain)).toBeLessThan(1e-6);
    expect(errorOf(chosen)).toBeLessThan(1e-5);
    expect(chosen).not.toEqual(plain);
  });
});
