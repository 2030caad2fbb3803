// Puts the playground into the built site, as the folder `play`. `pnpm build` makes it.
import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const site = fileURLToPath(new URL('../../packages/playground/dist/site', import.meta.url));
if (!existsSync(site)) throw new Error('the playground is not built: run `pnpm build`');
cpSync(site, fileURLToPath(new URL('../.vitepress/dist/play', import.meta.url)), {
  recursive: true,
});
