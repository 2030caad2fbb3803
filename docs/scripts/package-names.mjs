// A plugin of typedoc: a package is called as it is imported, not by the folder of its sources.
import { readFileSync } from 'node:fs';
import { Converter } from 'typedoc';

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const folder = module.name.replace(/\/src$/, '');
      const path = new URL(`../../packages/${folder}/package.json`, import.meta.url);
      module.name = JSON.parse(readFileSync(path, 'utf8')).name;
    }
  });
}
