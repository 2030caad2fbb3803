import type { Result } from '@baton/base';
import { type IRModule, inferTypes, irModule, structuralEqual } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { importStd, parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const right = (result: Result<IRModule>): IRModule => {
  if (result._tag === 'Left') throw new Error(result.left.map((d) => d.message).join('\n'));
  return result.right;
};

const empty = irModule({ ops: standardOps });

describe.each(['prelude.rly', 'nat.rly', 'gradient.rly', 'core.rly'] as const)('%s', (file) => {
  // Two modules: inference keeps the nodes of the untyped one, and would show types in it.
  const untyped = right(importStd(empty, file));
  const typed = right(inferTypes(right(importStd(empty, file))));

  it.each([
    ['untyped', untyped],
    ['typed', typed],
  ] as const)('C074 prints and parses back to itself, %s', (state, m) => {
    const text = printModule(m);
    const parsed = right(parseModule(text, { ops: standardOps }));
    const again = state === 'typed' ? right(inferTypes(parsed)) : parsed;
    expect(structuralEqual(again, m)).toBe(true);
    expect(printModule(again)).toBe(text);
  });
});
