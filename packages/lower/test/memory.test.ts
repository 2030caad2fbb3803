import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlannedBuffer, type PlannedStep, planMemory } from '../src/memory.ts';

interface Case {
  readonly buffers: ReadonlyArray<PlannedBuffer>;
  readonly steps: ReadonlyArray<PlannedStep>;
  readonly outputs: ReadonlyArray<number>;
}

const INPUTS = 2;

/** Steps that each read earlier buffers and write one new one; some buffers are parts of others. */
const cases: fc.Arbitrary<Case> = fc
  .array(
    fc.record({
      bytes: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(64, 128, 256)),
      reads: fc.array(fc.nat(), { maxLength: 3 }),
      mayOverwrite: fc.boolean(),
      joins: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      isOutput: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((made) => {
    const buffers: Array<{ bytes: number; within?: { buffer: number; offset: number } }> = [
      { bytes: 64 },
      { bytes: 100 },
    ];
    const steps: PlannedStep[] = [];
    const outputs: number[] = [];
    for (const { bytes, reads, mayOverwrite, joins, isOutput } of made) {
      const result = buffers.length;
      const operands = [...new Set(reads.map((read) => read % result))];
      const free = operands.filter((at) => at >= INPUTS && buffers[at]?.within === undefined);
      const isJoin = joins && free.length > 0;
      let offset = 0;
      for (const at of isJoin ? free : []) {
        const part = buffers[at];
        if (part === undefined) continue;
        part.within = { buffer: result, offset };
        offset += part.bytes;
      }
      buffers.push({ bytes: isJoin ? offset : bytes });
      steps.push({
        reads: operands,
        writes: [result],
        overwrites: mayOverwrite && !isJoin ? operands : [],
      });
      if (isOutput) outputs.push(result);
    }
    outputs.push(buffers.length - 1);
    return { buffers, steps, outputs };
  });

/** The bytes of an arena as the steps leave them: who wrote each byte last. */
function faultOf({ buffers, steps, outputs }: Case): string | undefined {
  const inputs = [0, 1];
  const plan = planMemory(buffers, steps, { inputs, outputs });
  const owner = new Int32Array(plan.bytes).fill(-1);
  const write = (buffer: number, what: number): string | undefined => {
    const from = plan.offsets[buffer] as number;
    const to = from + (buffers[buffer]?.bytes ?? 0);
    if (from < 0 || to > plan.bytes) return `buffer ${buffer} leaves the arena`;
    owner.fill(what, from, to);
    return undefined;
  };
  /** A part is what its step wrote; a whole is what its parts are. */
  const intact = (buffer: number): boolean => {
    const from = plan.offsets[buffer] as number;
    const parts = buffers.flatMap((part, at) => (part.within?.buffer === buffer ? [at] : []));
    if (parts.length > 0) return parts.every(intact);
    return owner.subarray(from, from + (buffers[buffer]?.bytes ?? 0)).every((by) => by === buffer);
  };
  for (const input of inputs) {
    const fault = write(input, input);
    if (fault !== undefined) return fault;
  }
  for (const [at, { reads, writes }] of steps.entries()) {
    for (const read of reads) if (!intact(read)) return `step ${at} reads a damaged ${read}`;
    for (const result of writes) {
      const isJoin = buffers.some((part) => part.within?.buffer === result);
      const fault = isJoin ? undefined : write(result, result);
      if (fault !== undefined) return fault;
      // Operands in other places are still there once the result is written.
      const others = steps[at]?.overwrites.length === 0 && !isJoin ? reads : [];
      for (const read of others) if (!intact(read)) return `step ${at} damages its operand ${read}`;
    }
  }
  return outputs.every(intact) ? undefined : 'an output is damaged';
}

describe('the memory plan', () => {
  it('keeps every buffer until its last use', () => {
    fc.assert(
      fc.property(cases, (made) => {
        expect(faultOf(made)).toBeUndefined();
      }),
      { seed: 16_001, numRuns: 1_000 },
    );
  });

  it('needs little more than what lives at one time', () => {
    let most = 0;
    fc.assert(
      fc.property(cases, ({ buffers, steps, outputs }) => {
        const plan = planMemory(buffers, steps, { inputs: [0, 1], outputs });
        expect(plan.bytes).toBeGreaterThanOrEqual(plan.lowerBound);
        most = Math.max(most, plan.bytes / plan.lowerBound);
      }),
      { seed: 16_002, numRuns: 300 },
    );
    expect(most).toBeLessThan(1.3);
  });

  it('needs no more than in the order of sizes, of areas, or of first uses that is best', () => {
    let [bytes, bound] = [0, 0];
    fc.assert(
      fc.property(cases, ({ buffers, steps, outputs }) => {
        const plan = planMemory(buffers, steps, { inputs: [0, 1], outputs });
        bytes += plan.bytes;
        bound += plan.lowerBound;
      }),
      { seed: 16_003, numRuns: 400 },
    );
    // Each of the three orders is the only best one for some programs.
    expect(bound).toBe(270_272);
    expect(bytes).toBeLessThanOrEqual(271_808);
  });

  it('keeps the operands of a step that writes two results', () => {
    const buffers = [{ bytes: 64 }, { bytes: 64 }, { bytes: 64 }];
    const steps = [{ reads: [0], writes: [1, 2], overwrites: [0] }];
    const { offsets } = planMemory(buffers, steps, { inputs: [0], outputs: [1, 2] });
    expect(new Set(offsets).size).toBe(3);
  });

  it('gives no memory to a buffer that no step uses', () => {
    const buffers = [{ bytes: 64 }, { bytes: 6_400 }, { bytes: 64 }, { bytes: 640 }];
    const steps = [{ reads: [0], writes: [2], overwrites: [] }];
    const plan = planMemory(buffers, steps, { inputs: [0], outputs: [2] });
    expect([plan.bytes, plan.lowerBound]).toEqual([128, 128]);
  });

  it('writes a result in the place of an operand that is not read again', () => {
    const buffers = [{ bytes: 64 }, { bytes: 64 }, { bytes: 64 }];
    const steps = [
      { reads: [0], writes: [1], overwrites: [0] },
      { reads: [1], writes: [2], overwrites: [1] },
    ];
    expect(planMemory(buffers, steps, { inputs: [0], outputs: [2] })).toEqual({
      offsets: [0, 0, 0],
      bytes: 64,
      lowerBound: 64,
      blocks: [{ bytes: 64, from: -1, to: 2, offset: 0 }],
    });
  });

  it('takes a hundred thousand buffers', () => {
    const count = 100_000;
    const buffers = Array.from({ length: count + 1 }, (_, i) => ({ bytes: 64 + (i % 7) * 64 }));
    const steps = Array.from({ length: count }, (_, i) => ({
      reads: [i],
      writes: [i + 1],
      overwrites: [],
    }));
    const plan = planMemory(buffers, steps, { inputs: [0], outputs: [count] });
    expect(plan.bytes).toBeLessThan(1024);
  });
});
