import { describe, expect, it } from 'vitest';
import * as emit from '../src/emit/index.ts';
import { simdLevel } from '../src/level.ts';
import { hostWebAssembly } from '../src/web-assembly.ts';

const { call, f32, f32x4, f64, i32, i64, makeModule, v128 } = emit;

type Host = NonNullable<ReturnType<typeof hostWebAssembly>>;
const host = hostWebAssembly() as Host;

/** The exports of a module, on a memory of one page. */
function run(module: ReturnType<typeof makeModule>, memory = new host.Memory({ initial: 1 })) {
  const bytes = module.finish();
  expect(host.validate(bytes)).toBe(true);
  const { exports } = new host.Instance(new host.Module(bytes), { env: { memory } });
  return exports as Record<string, (...args: number[]) => number>;
}

/** A module with one function `f`. */
const alone = (add: (module: ReturnType<typeof makeModule>) => emit.FunctionRef) => {
  const module = makeModule();
  module.importMemory('env', 'memory', { minimum: 1 });
  module.exportFunction('f', add(module));
  return module;
};

describe('globals', () => {
  it('keep what is written to them from call to call, each by itself', () => {
    const module = makeModule();
    module.importMemory('env', 'memory', { minimum: 1 });
    const [first, second] = [module.global('i32'), module.global('i32')];
    for (const [name, of, by] of [
      ['first', first, 1],
      ['second', second, 10],
    ] as const) {
      const next = module.func([], 'i32', (b) => {
        b.do(of.set(i32.add(of.value, by)));
        return of.value;
      });
      module.exportFunction(name, next);
    }
    const exports = run(module);
    const calls = ['first', 'second', 'first', 'first', 'second'];
    expect(calls.map((name) => exports[name]?.())).toEqual([1, 10, 2, 3, 20]);
  });
});

describe('functions', () => {
  it('counts with for, whose body runs while the counter is below its end', () => {
    const { f } = run(
      alone((m) =>
        m.func(['i32', 'i32', 'i32'], 'i32', (b, from, to, step) => {
          const sum = b.local('i32');
          b.for(from, to, step, (i) => b.increase(sum, i));
          return sum;
        }),
      ),
    );
    expect(f?.(0, 10, 1)).toBe(45);
    expect(f?.(3, 10, 3)).toBe(3 + 6 + 9);
    expect(f?.(10, 10, 1)).toBe(0);
    expect(f?.(11, 10, 1)).toBe(0);
    expect(f?.(-2, 1, 1)).toBe(-3);
  });

  it('repeats, branches, chooses and calls', () => {
    const module = alone((m) => {
      const square = m.func(['f64'], 'f64', (_, x) => f64.mul(x, x));
      return m.func(['i32', 'f64'], 'f64', (b, n, x) => {
        const y = b.let(f64.const(1));
        b.block((end) => {
          b.branchIf(end, i32.eqz(n));
          b.repeat(n, () => b.set(y, f64.mul(y, call(square, x))));
        });
        b.if(
          f64.gt(y, 1000),
          () => b.set(y, 1000),
          () => b.set(y, f64.neg(y)),
        );
        return y;
      });
    });
    const { f } = run(module);
    expect([0, 1, 2, 3, 9].map((n) => f?.(n, 3))).toEqual([-1, -9, -81, -729, 1000]);
  });

  it('writes constants of all sizes', () => {
    const ints = [0, 1, -1, 63, 64, -64, -65, 127, 128, 2 ** 31 - 1, -(2 ** 31), 300000];
    for (const x of ints) {
      expect(run(alone((m) => m.func([], 'i32', () => i32.const(x)))).f?.()).toBe(x);
      const wide = i64.mul(i64.const(BigInt(x)), 4294967297n);
      const high = i32.wrapI64(i64.shrS(wide, 32n));
      const expected = Number(BigInt.asIntN(32, (BigInt(x) * 4294967297n) >> 32n));
      expect(run(alone((m) => m.func([], 'i32', () => high))).f?.()).toBe(expected);
    }
    for (const x of [0, -0, 1.5, Infinity, 1e-45, Number.NaN]) {
      expect(run(alone((m) => m.func([], 'f32', () => f32.const(x)))).f?.()).toBe(Math.fround(x));
    }
  });

  it('loads and stores at constant offsets', () => {
    const memory = new host.Memory({ initial: 1 });
    const floats = new Float32Array(memory.buffer);
    floats.set([1, 2, 3, 4, 5, 6, 7, 8]);
    const { f } = run(
      alone((m) =>
        m.procedure(['i32'], (b, p) => {
          const sum = f32x4.add(v128.load(p), v128.load(p, 16));
          b.do(v128.store(p, f32x4.mul(sum, v128.load32Splat(p, 4)), 32));
          b.do(v128.store32Lane(p, v128.load(p, 32), 2, 48));
        }),
      ),
      memory,
    );
    f?.(0);
    expect([...floats.subarray(8, 13)]).toEqual([12, 16, 20, 24, 20]);
  });

  it('emits chains of a hundred thousand operations', () => {
    let x: emit.Value<'i32'> = i32.const(0);
    for (let i = 0; i < 100_000; i++) x = i32.add(x, 1);
    expect(run(alone((m) => m.func([], 'i32', () => x))).f?.()).toBe(100_000);
  });

  it('refuses operands, results and labels that do not fit', () => {
    const m = makeModule();
    expect(() => i32.add(f32.const(1) as never, 1)).toThrow('expected i32, found f32');
    expect(() => m.func([], 'i32', () => f32.const(1) as never)).toThrow('expected i32, found f32');
    expect(() => m.procedure([], (b) => b.do(i32.const(1) as never))).toThrow(
      'expected none, found i32',
    );
    expect(() => v128.load(0, -16)).toThrow('is no u32');
    expect(() => f32x4.extractLane(f32x4.splat(0), 4)).toThrow('lane 4 of 4');
    expect(() =>
      m.procedure([], (b) => {
        let left: emit.Label | undefined;
        b.block((end) => {
          left = end;
        });
        b.branch(left as emit.Label);
      }),
    ).toThrow('a label that has been left');
  });
});

describe('modules', () => {
  const sample = () =>
    alone((m) => {
      return m.func(['i32'], 'i32', (_, p) => i32.add(p, 7));
    });

  it('have the same bytes for the same calls', () => {
    expect(sample().finish()).toEqual(sample().finish());
    expect(run(sample()).f?.(64)).toBe(71);
  });

  it('name exports in any script', () => {
    const module = makeModule();
    module.exportFunction(
      'größe ⟂ 𝑥',
      module.func(['f64'], 'f64', (_, x) => f64.add(x, 1)),
    );
    expect(run(module)['größe ⟂ 𝑥']?.(20.5)).toBe(21.5);
  });

  it('share parts by key', () => {
    const module = makeModule();
    const part = () => module.once('part', () => module.procedure([], () => undefined));
    expect(part()).toBe(part());
  });

  it('work on shared memories', () => {
    const module = makeModule();
    module.importMemory('env', 'memory', { minimum: 1, maximum: 2, isShared: true });
    module.exportFunction(
      'f',
      module.func(['i32'], 'i32', (_, p) => emit.atomic.add(p, 5)),
    );
    const memory = new host.Memory({ initial: 1, maximum: 2, shared: true });
    const { f } = run(module, memory);
    expect([f?.(8), f?.(8)]).toEqual([0, 5]);
  });
});

describe('instructions', () => {
  const groups = Object.entries(emit).flatMap(([name, group]) =>
    typeof group === 'object' ? [[name, group] as const] : [],
  );

  /** The operands that an instruction takes, found by trying: its own checks name the types. */
  function operandsFor(instruction: (...operands: unknown[]) => emit.Value): unknown[] {
    const samples = [i32.const(0), i64.const(0n), f32.const(0), f64.const(0), f32x4.splat(0)];
    const longer = (tuples: unknown[][]) => tuples.flatMap((t) => samples.map((s) => [...t, s]));
    const pairs = longer(longer([[]]));
    const tuples = [[], ...longer([[]]), ...pairs, ...longer(pairs)];
    for (const tuple of tuples) {
      for (const extra of [[], [0]]) {
        try {
          if (instruction(...tuple, ...extra).type) return [...tuple, ...extra];
        } catch {}
      }
    }
    return [];
  }

  it.each(groups)('of %s are valid, each with its operands and its result', (_, group) => {
    for (const [name, instruction] of Object.entries(group)) {
      if (name === 'const' || name === 'shuffle' || name === 'replaceLane') continue;
      if (name.startsWith('relaxed') && simdLevel() !== 'relaxed') continue;
      const make = instruction as (...operands: unknown[]) => emit.Value;
      const module = alone((m) => {
        const value = make(...operandsFor(make));
        return value.type === 'none'
          ? m.procedure([], (b) => b.do(value as emit.Statement))
          : m.func([], value.type, () => value as never);
      });
      expect([name, host.validate(module.finish())]).toEqual([name, true]);
    }
  });
});

describe('constants of vectors in loops', () => {
  it('are kept before the outermost one, each once', () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => 101 + i);
    const { v128, f32x4, i32x4 } = emit;
    const module = emit.makeModule();
    module.importMemory('env', 'memory', { minimum: 1 });
    const run = module.procedure([], (f) => {
      const sum = f.let(v128.const(new Int32Array(4)));
      f.repeat(3, () => {
        f.repeat(5, () => {
          f.set(sum, i32x4.add(sum, v128.const(Int32Array.of(1, 2, 3, 4))));
          f.set(sum, i32x4.add(sum, v128.and(v128.const(bytes), v128.const(new Int32Array(4)))));
        });
        f.set(sum, i32x4.add(sum, v128.and(v128.const(bytes), f32x4.splat(0))));
      });
      f.do(v128.store(0, sum));
    });
    module.exportFunction('run', run);
    const code = module.finish();
    const memory = new host.Memory({ initial: 1 });
    new host.Instance(new host.Module(code), { env: { memory } }).exports.run?.();
    expect([...new Int32Array(memory.buffer, 0, 4)]).toEqual([15, 30, 45, 60]);
    const text = [...code].join();
    expect(text.split([...bytes].join()).length).toBe(2);
    expect(text.indexOf([...bytes].join())).toBeLessThan(text.indexOf('3,64'));
  });
});

describe('simdLevel', () => {
  it('asks the host for each level, from the highest', () => {
    let asked = 0;
    const accepting = (n: number): Host => ({
      ...host,
      Module: class {},
      validate: () => ++asked > n,
    });
    const answers = [0, 1, 2, 3].map((n) => {
      asked = 0;
      return simdLevel(accepting(n));
    });
    expect(answers).toEqual(['relaxed', 'simd', 'scalar', undefined]);
    expect(['simd', 'relaxed']).toContain(simdLevel());
  });
});
