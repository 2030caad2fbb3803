/** Modules as JSON text, and back. */
import { fail, type Result } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { badJson } from '../diagnostics.ts';
import { decodeModule, type FromJsonOptions } from './decode.ts';
import { type EncodeOptions, encodeModule } from './encode.ts';

/** A module as JSON. For one that exceeds a string, write `encodeModule` piece by piece. */
export const toJson = (m: IRModule, options: EncodeOptions = {}): string =>
  JSON.stringify(encodeModule(m, options));

/**
 * The module that `toJson` wrote.
 *
 * **Errors** `JSON_CONTENT` for text that is not JSON; errors of {@link decodeModule}.
 */
export function fromJson(text: string, options: FromJsonOptions): Result<IRModule> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return fail(badJson('/', 'it is not JSON'));
  }
  return decodeModule(data, options);
}
