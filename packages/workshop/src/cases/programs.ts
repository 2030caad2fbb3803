/** The passes between reading a program and running or exporting it. */
import { rulesPass } from '@baton/cli';
import { optimize, type Pass, passes, rewrites, sequential } from 'batonjs';

const LEVELS = [0, 1, 2, 3] as const;

/** The passes by name; `as it is` has none. */
export const PROGRAMS: ReadonlyMap<string, Pass | undefined> = new Map<string, Pass | undefined>([
  ['as it is', undefined],
  ...LEVELS.map((level) => [`level ${level}`, optimize({ level })] as const),
  ['default', sequential([optimize({ level: 3 }), rulesPass(rewrites.commonSets, false)])],
  ['--search', sequential([optimize({ level: 3 }), rulesPass(rewrites.commonSets, true)])],
  // Passes of no level, which users call themselves.
  ['SimplifyInference', passes.simplifyInference],
  ['QnnCanonicalize', passes.qnnCanonicalize],
  ['FakeQuantizationToInteger', passes.fakeQuantizationToInteger],
]);
