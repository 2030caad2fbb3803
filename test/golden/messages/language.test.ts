import { orThrow } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { testMessages } from './cases.ts';

const read = (text: string): unknown => {
  const whole = `#[version = "0.0.5"]\n${text}`;
  const m = orThrow(parseModule(whole, { ops: standardOps, source: 'net.relay' }));
  return orThrow(inferTypes(m));
};

describe('U.11, L.12 the messages of the language, as orThrow shows them', () => {
  testMessages(new URL('language.txt', import.meta.url), read);

  it('say nothing of a program that is right', () => {
    expect(() => read('def @main(%x: Tensor[(3), float32]) { nn.relu(%x) }')).not.toThrow();
  });
});
