/** C325: FastMath at the levels of a context. */
import { orThrow } from '@baton/base';
import { func, inferTypes, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type PassContextParts, runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { expect, test } from 'vitest';

const x = variable('x', tensorType([2, 3], 'float32'));
const body = callOp(standardOps, 'exp', [x]);
const m = orThrow(
  inferTypes(irModule({ functions: new Map([['main', func([x], body)]]), ops: standardOps })),
);

const CONTEXTS: ReadonlyArray<readonly [PassContextParts, changes: boolean]> = [
  [{ level: 4 }, true],
  [{ level: 3 }, false],
  [{ level: 4, disabledPasses: ['FastMath'] }, false],
];

test.each(CONTEXTS)('C325 in the context %j: %j', (context, changes) => {
  expect(orThrow(runPass(sequential([passes.fastMath]), context)(m)).module !== m).toBe(changes);
});

test('an EtaExpand that expands nothing is a mistake', () => {
  const pass = passes.etaExpand({ expandConstructor: false, expandGlobalVar: false });
  expect(runPass(pass)(m)).toMatchObject({ left: [{ code: 'ETA_NOTHING' }] });
});
