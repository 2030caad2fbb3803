/** The clock of a run: only the facade reads one. */
import * as manager from '@baton/pass-manager';

/** Milliseconds by `performance.now` of browsers, Node and workers; 0 without it. */
export const clock = (): number => host.performance?.now() ?? 0;

const host = globalThis as { readonly performance?: { readonly now: () => number } };

/** As `runPass` of `@baton/pass-manager`, timed by `performance.now` unless the context has a clock. */
export const runPass: manager.RunPass = /* @__PURE__ */ manager.runPassWith({ now: clock });

/** As `passTiming` of `@baton/pass-manager`; the clock is `performance.now` if none is given. */
export const passTiming = (now: () => number = clock): manager.PassTiming =>
  manager.passTiming(now);
