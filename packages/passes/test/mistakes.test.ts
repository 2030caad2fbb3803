import { isLeft, type Result } from '@baton/base';
import { standardOps } from '@baton/ops';
import { type Pass, runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const read = parseModule('#[version = "0.0.5"]\ndef @main(%x: float32) { %x }', {
  ops: standardOps,
});
const m = isLeft(read) ? undefined : read.right;

const said = (p: Pass): ReadonlyArray<string | undefined> => {
  const result: Result<unknown> | undefined = m && runPass(p)(m);
  if (result === undefined || !isLeft(result)) return ['accepted'];
  const [{ message, hint }] = result.left;
  return hint === undefined ? [message] : [message, hint];
};

/** The input of a JavaScript program. */
const untyped = <A>(value: unknown): A => value as A;

test.each<[string, () => Pass, ReadonlyArray<string>]>([
  [
    'an option that is misspelled',
    () => passes.deadCodeElimination(untyped({ inlineonce: true })),
    [
      'DeadCodeElimination has no option `inlineonce`',
      'did you mean `inlineOnce`? there is inlineOnce, ignoreImpurity',
    ],
  ],
  [
    'a text for a truth value',
    () => passes.foldScaleAxis(untyped({ tvmOnly: 'yes' })),
    ['expected true or false for option `tvmOnly` of FoldScaleAxis, found "yes"'],
  ],
  [
    'a depth of nothing',
    () => passes.fuseOps({ maxDepth: 0 }),
    ['expected a whole number of at least 1 for option `maxDepth` of FuseOps, found 0'],
  ],
  [
    'an entry that there is not',
    () => passes.removeUnusedFunctions({ entries: ['mian'] }),
    ['expected a function @mian as an entry, found none', 'did you mean `@main`? there is @main'],
  ],
  [
    'a level as a text',
    () => optimize(untyped({ level: '3' })),
    ['expected an optimization level from 0 to 3, found "3"'],
  ],
  [
    'an option of optimize that there is not',
    () => optimize(untyped({ lvl: 3 })),
    ['optimize has no option `lvl`', 'there is level, keepsSmaller, times'],
  ],
  [
    'optimize of null',
    () => optimize(untyped(null)),
    ['optimize expects a record of options, found null'],
  ],
  [
    'a composite without a pattern',
    () => passes.mergeComposite(untyped([{ name: 'mine.relu' }])),
    [
      'expected a list of patterns with names for option `table` of mergeComposite, found a record in it',
    ],
  ],
])('U.4 %s is refused', (_title, make, expected) => {
  expect(said(make())).toEqual(expected);
});
