// Packs the extension in `dist/extension` as `dist/baton-relay.vsix`. The packer is fetched on
// demand: it has 300 dependencies, and only a release needs it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { EXTENSION } from './build.mjs';

const VSCE = '@vscode/vsce@3.9.2';

execFileSync(
  'npx',
  ['--yes', VSCE, 'package', '--no-dependencies', '--out', join(EXTENSION, '../baton-relay.vsix')],
  { cwd: EXTENSION, stdio: 'inherit' },
);
