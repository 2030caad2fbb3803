/** A builder, put together from its parts. */
import type { Builder } from './builder.ts';
import { calls } from './calls.ts';
import { constructs } from './constructs.ts';
import { emptyDraft } from './draft.ts';
import { operands } from './operands.ts';
import { bindings, scopes } from './scopes.ts';

/** The choices for a program. */
type Setting = Pick<Builder, 'ops' | 'random' | 'numerics' | 'float' | 'emptyAxes' | 'allows'>;

export function makeBuilder(setting: Setting): Builder {
  const draft = emptyDraft();
  // The parts call one another by way of the whole, which is complete before a caller sees it.
  const b = { ...setting } as Builder;
  const methods: Omit<Builder, keyof Setting> = {
    ...scopes(draft),
    ...bindings(draft, b),
    ...operands(draft, b),
    ...calls(draft, b),
    ...constructs(draft),
  };
  return Object.assign(b, methods);
}
