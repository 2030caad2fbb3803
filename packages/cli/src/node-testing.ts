/** `@baton/testing` in Node, from the user's folder: it is no dependency of the command. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { diagnostic, fail, ok, type Result } from '@baton/base';
import type { Testing } from './host.ts';
import { type ImportModule, reasonOf } from './node-files.ts';

const PACKAGE = '@baton/testing';

export async function loadTesting(imports: ImportModule): Promise<Result<Testing>> {
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve(PACKAGE);
    return ok((await imports(pathToFileURL(path).href)) as Testing);
  } catch (error) {
    const hint = `npm install --save-dev ${PACKAGE}`;
    const reason = reasonOf(error).split('\n')[0];
    return fail(diagnostic('CLI_TESTING', `${PACKAGE} is not found: ${reason}`, { hint }));
  }
}
