// A plugin of typedoc that names a package by its import name, not by its source folder.
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
