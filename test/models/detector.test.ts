/** What a detector tells of an image: boxes in the order of their scores, none over a better one. */
import { readNumber, type Tensor } from '@baton/tensor';
import { evaluate, models, orThrow } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { seededInputs } from '../../bench/src/subjects/inputs.ts';

interface Box {
  readonly label: number;
  readonly score: number;
  readonly corners: readonly [left: number, top: number, right: number, bottom: number];
}

const CLASSES = 3;

/** The rows of a batch. */
function rowsOf(found: Tensor, batch: number): ReadonlyArray<Box> {
  const [, count = 0, width = 0] = found.shape;
  return Array.from({ length: count }, (_, row) => {
    const at = (column: number): number =>
      readNumber(found, (batch * count + row) * width + column);
    return { label: at(0), score: at(1), corners: [at(2), at(3), at(4), at(5)] };
  });
}

/** The area that two boxes share, over the area of both. */
function overlap(a: Box, b: Box): number {
  const area = ([left, top, right, bottom]: Box['corners']): number =>
    Math.max(0, right - left) * Math.max(0, bottom - top);
  const [inner, first, second] = [
    area([
      Math.max(a.corners[0], b.corners[0]),
      Math.max(a.corners[1], b.corners[1]),
      Math.min(a.corners[2], b.corners[2]),
      Math.min(a.corners[3], b.corners[3]),
    ]),
    area(a.corners),
    area(b.corners),
  ];
  return inner / (first + second - inner);
}

describe.each(['first', 'second'])('a detector of the seed %s', (seed) => {
  const m = models.detector({ seed, batch: 2, imageSize: 64, width: 8, classes: CLASSES });
  const found = orThrow(evaluate(m, orThrow(seededInputs(m, seed))));
  if (found._tag !== 'Tensor') throw new Error(`the network computes a ${found._tag}`);

  it.each([0, 1])('tells of several boxes of the image %i, with classes and scores', (batch) => {
    const rows = rowsOf(found, batch);
    const boxes = rows.filter(({ label }) => label >= 0);
    expect(boxes.length).toBeGreaterThan(10);
    expect(rows.slice(0, boxes.length)).toEqual(boxes);
    for (const { score, label, corners } of rows.slice(boxes.length)) {
      expect([label, score, ...corners]).toEqual([-1, -1, -1, -1, -1, -1]);
    }
    expect(new Set(boxes.map(({ label }) => label)).size).toBe(CLASSES);
    for (const { score } of boxes) {
      expect(score).toBeGreaterThan(0.25);
      expect(score).toBeLessThan(0.999);
    }
  });

  it.each([0, 1])(
    'drops boxes of the image %i that overlap a better one of their class',
    (batch) => {
      const boxes = rowsOf(found, batch).filter(({ label }) => label >= 0);
      const scores = boxes.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      boxes.forEach((box, i) => {
        for (const better of boxes.slice(0, i)) {
          if (better.label === box.label) expect(overlap(better, box)).toBeLessThan(0.45 + 1e-6);
        }
      });
    },
  );
});
