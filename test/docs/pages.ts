/** The pages of the documents, and their blocks of code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block. */
export interface Block {
  /** The text after the fence, such as `ts` or `relay module`. */
  readonly kind: string;
  readonly body: string;
  /** The line of its fence, counted from 1. */
  readonly line: number;
}

/** A hand-written Markdown file. */
export interface Page {
  /** Its path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: ReadonlyArray<Block>;
}

/** Folders without pages, or with only generated ones. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'reference', 'cache', 'src', 'test']);

/** Markdown files below a folder, in order of their paths. */
function filesBelow(folder: string): ReadonlyArray<string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path);
      }
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .sort();
}

const FENCE = /^```(.*)\n([\s\S]*?)^```$/gm;

function read(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = [...text.matchAll(FENCE)].map(({ 1: kind = '', 2: body = '', index }) => ({
    kind: kind.trim(),
    body,
    line: text.slice(0, index).split('\n').length,
  }));
  return { path, text, blocks };
}

/** All pages: at the root, in `docs`, in the packages and in the examples. */
export const pages: ReadonlyArray<Page> = filesBelow('').map(read);
