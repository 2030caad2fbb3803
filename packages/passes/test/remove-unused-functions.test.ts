import { orThrow } from '@baton/base';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const m = orThrow(
  parseModule(
    `#[version = "0.0.5"]
    def @f(%x: int32) -> int32 { %x + 1 }
    def @g(%x: int32) -> int32 { @h(%x) }
    def @h(%x: int32) -> int32 { if (%x == 0) { %x } else { @g(%x - 1) } }`,
    { ops: standardOps, source: 'library' },
  ),
);

const kept = (entries?: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pass =
    entries === undefined
      ? passes.removeUnusedFunctions
      : passes.removeUnusedFunctions({ entries });
  return [...orThrow(runPass(pass)(m)).module.functions.keys()];
};

test('several entries keep the functions that any of them reaches', () => {
  expect(kept(['f'])).toEqual(['f']);
  expect(kept(['g'])).toEqual(['g', 'h']);
  expect(kept(['h', 'f'])).toEqual(['f', 'g', 'h']);
});

test('a module without the entry is a library and stays', () => {
  expect(kept()).toEqual(['f', 'g', 'h']);
});
