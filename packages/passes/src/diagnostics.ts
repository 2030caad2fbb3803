/** Every diagnostic of the passes, one constructor each. */
import { type Diagnostic, diagnostic } from '@baton/base';

/** An optimization level that does not exist. */
export const unknownLevel = (found: unknown, highest: number): Diagnostic =>
  diagnostic(
    'OPTIMIZE_LEVEL',
    `expected an optimization level from 0 to ${highest}, found ${String(found)}`,
  );
