/** Every valid Relay text of the repository: golden files, seeds, cases, blocks of the documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isRight } from '@baton/base';
import { standardOps as ops } from '@baton/ops';
import { parseExpr, parseModule } from '@baton/text';
import { pages } from '../docs/pages.ts';

const HEADER = '#[version = "0.0.5"]\n';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A text and the file that it is from. */
export interface RelayTextOf {
  readonly name: string;
  readonly text: string;
}

/** The files below a folder of `test` with this ending. */
const files = (folder: string, ending: string): ReadonlyArray<RelayTextOf> =>
  readdirSync(`${root}test/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => ({
      name: `${folder}/${path}`,
      text: readFileSync(`${root}test/${folder}/${path}`, 'utf8'),
    }));

/** The parts of golden files: the input and the output. */
const goldens = files('golden', '.ir').flatMap(({ name, text }) =>
  text
    .split(/^\/\/ -----.*$/m)
    .map((part, i) => ({ name: `${name}, part ${i}`, text: part.trim() })),
);

const documents = pages.flatMap(({ path, blocks }) =>
  blocks
    .filter(({ kind }) => /^relay( module)?$/.test(kind))
    .map(({ body, line }) => ({ name: `${path}:${line}`, text: body })),
);

const isModule = (text: string): boolean => isRight(parseModule(text, { ops }));

/** The texts that today's language reads, with the header that some leave out. */
export const relayTexts: ReadonlyArray<RelayTextOf> = [
  ...goldens,
  ...files('seeds', '.relay'),
  ...files('cases', '.relay'),
  ...documents,
].flatMap(({ name, text }) => {
  if (isModule(text) || isRight(parseExpr(text, { ops }))) return [{ name, text }];
  const whole = `${HEADER}${text}`;
  return isModule(whole) ? [{ name, text: whole }] : [];
});
