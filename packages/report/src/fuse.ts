/** Fuses the programs of a report. */

import type { PassContextParts } from '@baton/pass-manager';
import { type IRModule, kernelFusion, type PassReport, type Result, runPass } from 'batonjs';

export const fuse = (
  module: IRModule,
  context: PassContextParts = {},
): Result<{ readonly module: IRModule; readonly report: PassReport }> =>
  runPass(kernelFusion, context)(module);
