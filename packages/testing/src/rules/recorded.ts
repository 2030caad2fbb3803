/** The arguments of a call that a sampler makes, which it may wrap in others. */
import { type Attrs, noAttrs } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import type { Value } from '../generate/value.ts';

export interface RecordedCall {
  readonly args: ReadonlyArray<Value>;
  readonly attrs: Attrs;
}

export function recorded(b: Builder, name: string, make: () => unknown): RecordedCall | undefined {
  const { attempt } = b;
  let last: RecordedCall | undefined;
  // The parts of a builder call one another by way of the whole.
  const listen = (given: Builder['attempt']): void => void Object.assign(b, { attempt: given });
  listen((called, args, attrs = noAttrs) => {
    if (called === name) last = { args, attrs };
    return attempt(called, args, attrs);
  });
  make();
  listen(attempt);
  return last;
}
