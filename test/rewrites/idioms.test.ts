import { isLeft } from '@baton/base';
import { checkPass } from '@baton/equivalence';
import { orThrow } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { passesRun, runPass } from '@baton/pass-manager';
import {
  activationKernels,
  activations,
  arithmetic,
  attention,
  casts,
  inference,
  kernelCount,
  movement,
  normKernels,
  norms,
  operatorCount,
  saturate,
  spellings,
} from '@baton/rewrites';
import { testPass } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { SPELLINGS, spelled } from './attention.ts';
import { INSTANCES, type Instance } from './idioms.ts';

/** The sets about idioms. */
const SETS = [inference, spellings, activations, activationKernels, norms, normKernels, attention];

const all = saturate([SETS, arithmetic, movement], { cost: operatorCount, nodeLimit: 3_000 });

const programOf = ({ params, body }: Instance) => {
  const typed = params.split(' ').map((param) => {
    const [name, type = 'Tensor[(2, 3), float32]'] = param.split(':');
    return `${name}: ${type}`;
  });
  const text = `#[version = "0.0.5"]\ndef @main(${typed.join(', ')}) { ${body} }`;
  return orThrow(parseModule(text, { ops: standardOps }));
};

describe('rules about idioms', () => {
  it('have a program each', () => {
    const names = SETS.flatMap((set) => orThrow(set).rules.map(({ name }) => name));
    expect(INSTANCES.map(({ rule }) => rule).sort()).toEqual([...names].sort());
  });

  it.each(INSTANCES)('$rule fires, and keeps what the program computes', (instance) => {
    const m = programOf(instance);
    const { report } = orThrow(runPass(all)(m));
    const counts = passesRun(report).find(({ name }) => name === 'Saturate')?.counts ?? {};
    expect(counts[instance.rule]).toBeGreaterThan(0);
    expect(orThrow(checkPass(all, m)).equivalence.verdict).toBe('equal');
  });

  it('keep what programs compute', () => {
    const small = saturate([SETS, arithmetic, movement], { nodeLimit: 500, iterationLimit: 4 });
    const trial = testPass(small, {
      focus: ['arith', 'constants', 'movement'],
      count: 20,
      seed: 13,
    });
    expect(isLeft(trial) ? trial.left : 'kept').toBe('kept');
  });
});

describe('GELU', () => {
  /** The arguments of `erf` in each element type. */
  const inner = {
    float16: ['%x / 1.4142135f16', '%x * 0.70710677f16'],
    float32: ['%x / 1.4142135f', '%x * 0.70710677f'],
    float64: ['%x * 0.7071067811865476f64'],
  };
  const outer = [
    (x: string, e: string, half: string) => `(${x} * ${half}) * ${e}`,
    (x: string, e: string, half: string) => `${x} * (${half} * ${e})`,
    (x: string, e: string, half: string) => `${half} * (${x} * ${e})`,
  ];
  const spelledOut = Object.entries(inner).flatMap(([dtype, args]) => {
    const suffix = { float16: 'f16', float32: 'f', float64: 'f64' }[dtype];
    return args.flatMap((arg) =>
      outer.map((around) => [dtype, around('%x', `(1${suffix} + erf(${arg}))`, `0.5${suffix}`)]),
    );
  });

  it.each(spelledOut)('is recognised in %s: %s', (dtype, body) => {
    const m = programOf({ rule: 'gelu', params: `%x:Tensor[(2,3),${dtype}]`, body, source: '' });
    const { module } = orThrow(runPass(all)(m));
    expect(printModule(module)).toContain('Composite="gelu"');
  });
});

describe('attention', () => {
  const sets = [inference, spellings, norms, attention, arithmetic, casts, movement];
  const pass = saturate(sets, { cost: kernelCount });

  it.each(SPELLINGS.map((_, i) => i + 1))('is recognised in spelling %i of Inductor', (number) => {
    const m = spelled(number);
    const { module, equivalence } = orThrow(checkPass(pass, m));
    expect(equivalence.verdict).toBe('equal');
    const text = printModule(module);
    expect(text.match(/Composite="attention"/g)).toHaveLength(1);
    expect(text.match(/nn\.\w+\(/g)?.sort()).toEqual([
      'nn.batch_matmul(',
      'nn.batch_matmul(',
      'nn.softmax(',
    ]);
  });
});
