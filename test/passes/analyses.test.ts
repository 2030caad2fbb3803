/** Analyses look at each object once. */
import { type Analysis, analysis, orThrow } from '@baton/base';
import { callGraph, freeVarsOfFunction, inferTypes, namedGlobals, wellFormed } from '@baton/ir';
import { resnet18 } from '@baton/models';
import { measureModule, standardOps } from '@baton/ops';
import { countOperatorCalls, runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { describe, expect, test } from 'vitest';

const ANALYSES: ReadonlyArray<readonly [string, Analysis<never, unknown>]> = [
  ['free variables', freeVarsOfFunction],
  ['well-formedness', wellFormed],
  ['names of globals', namedGlobals],
  ['counts of calls', countOperatorCalls],
  ['measures', measureModule],
  ['call graphs', callGraph],
];

/** How often each analysis was asked, and how often it had to look, while something ran. */
function counted(run: () => void): ReadonlyMap<string, { asked: number; made: number }> {
  const before = ANALYSES.map(([, analysis]) => analysis.count());
  run();
  return new Map(
    ANALYSES.map(([name, analysis], i) => {
      const { asked, made } = analysis.count();
      const start = before[i] ?? { asked: 0, made: 0 };
      return [name, { asked: asked - start.asked, made: made - start.made }];
    }),
  );
}

describe('the optimization of a network', () => {
  const m = orThrow(
    inferTypes(resnet18({ ops: standardOps, imageSize: 32, width: 2, classes: 3 })),
  );
  const modules = new Set([m]);
  const functions = new Set(m.functions.values());
  const counts = counted(() => {
    const seen = {
      name: 'seen',
      afterPass: (made: typeof m) => {
        modules.add(made);
        for (const f of made.functions.values()) functions.add(f);
      },
    };
    orThrow(runPass(optimize({ level: 3 }), { instruments: [seen] })(m));
    orThrow(runPass(optimize({ level: 3 }))(m));
  });
  const of = (name: string) => counts.get(name) ?? { asked: 0, made: 0 };
  test('looks at no module twice, however often passes and the driver ask', () => {
    // The second run makes modules of its own.
    for (const name of ['well-formedness', 'counts of calls']) {
      expect(of(name).made).toBeLessThanOrEqual(2 * modules.size);
      expect(of(name).asked).toBeGreaterThan(of(name).made);
    }
  });

  test('looks at no function twice', () => {
    expect(of('free variables').made).toBeLessThanOrEqual(2 * functions.size);
    expect(of('names of globals').asked).toBeGreaterThan(of('names of globals').made);
  });
});

test('an analysis that found nothing does not look again', () => {
  let looks = 0;
  const nothing = analysis((_: object) => {
    looks++;
    return undefined;
  });
  const one = {};
  expect([nothing.isKnown(one), nothing(one), nothing(one), nothing.isKnown(one)]).toEqual([
    false,
    undefined,
    undefined,
    true,
  ]);
  expect([looks, nothing.count()]).toEqual([1, { made: 1, asked: 2 }]);
});
