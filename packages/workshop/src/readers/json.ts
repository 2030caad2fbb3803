/** Corrupted modules as JSON. */
import { fromJson, toJson } from 'batonjs';
import { afterwards } from './afterwards.ts';
import { drawnFrom, poolOf, programs } from './clean-models.ts';
import { corruptedJson, type Json, jsonText, smallerJson, treeOf } from './json-tree.ts';
import { encoded, makeReader, textOf } from './reader.ts';

const FILE = 'module.json';

const MAX_LENGTH = 40_000;

const trees = poolOf(programs.size, (i): Json | undefined => {
  const text = toJson(drawnFrom(programs, i));
  return text.length <= MAX_LENGTH ? treeOf(JSON.parse(text)) : undefined;
});

export const json = makeReader<Json, 'json'>({
  name: 'json',
  share: 15,
  clean: (draw) => drawnFrom(trees, draw.below(trees.size)),
  corrupted: corruptedJson,
  written: (tree) => new Map([[FILE, encoded(jsonText(tree))]]),
  smaller: (parts) => smallerJson(parts, FILE),
  read: ({ parts, depth }) => afterwards(fromJson(textOf(parts, FILE)), depth),
});
