import { orThrow } from '@baton/base';
import { checkEquivalent, verify } from '@baton/equivalence';
import { standardOps } from '@baton/ops';
import { needsOf, runPass, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const read = (text: string) => orThrow(parseModule(text, { ops: standardOps }));

const m = read(`#[version = "0.0.5"]
def @main(%x: Tensor[(1, 1, 4, 4), float32]) {
  %0 = nn.conv2d(%x, [[[[0.3f, 0.1f], [-0.7f, 1.9f]]]]);
  %1 = nn.batch_norm(%0, [0.7f], [0.2f], [0.1f], [1.3f]);
  nn.relu(%1.0)
}`);

describe('U.5 the module of a run carries the needs of its passes', () => {
  const { module, report } = orThrow(runPass(optimize({ level: 3 }))(m));

  it('so the common call finds an optimized program equal', () => {
    const found = orThrow(checkEquivalent(m, module));
    expect(found.verdict).toBe('equal');
    expect(found.needs).toEqual(report.needs);
    expect(report.needs.length).toBeGreaterThan(0);
  });

  it('and a user may ask for every bit', () => {
    expect(orThrow(checkEquivalent(m, module, { needs: [] })).verdict).toBe('different');
  });

  it('through several runs, and not by passes that changed nothing', () => {
    const again = orThrow(runPass(passes.deadCodeElimination)(module));
    expect(needsOf(again.module)).toEqual(report.needs);
    expect(again.report.needs).toEqual([]);
    const plain = read('#[version = "0.0.5"]\ndef @main(%x: float32) { %x + 1f }');
    const idle = orThrow(runPass(optimize({ level: 3 }))(plain));
    expect(needsOf(idle.module)).toEqual([]);
  });

  it('and a text does not: the report has them', () => {
    const copy = orThrow(parseModule(printModule(module), { ops: standardOps }));
    expect(orThrow(checkEquivalent(m, copy, { needs: report.needs })).verdict).toBe('equal');
  });
});

it('U.7 verify compares once around a pipeline, and reuses results between passes', () => {
  const compared: string[] = [];
  const onVerdict = (pass: string): void => {
    compared.push(pass);
  };
  const pipeline = sequential([passes.simplifyInference, passes.foldConstant], { name: 'two' });
  orThrow(runPass(pipeline, { instruments: [verify({ onVerdict })] })(m));
  expect(compared).toEqual(['two']);
});
