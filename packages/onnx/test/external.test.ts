/** Data outside the file: a small model cannot have a file read any number of times. */
import { diagnostic } from '@baton/base';
import { describe, expect, it } from 'vitest';
import { readOnce } from '../src/import/external.ts';
import type { ExternalLocation } from '../src/import/options.ts';

const MIB = 2 ** 20;

/** A reader of files of any size, and the ranges that it was asked for. No byte is held. */
function watched() {
  const asked: ExternalLocation[] = [];
  const empty = new Uint8Array(0);
  const read = readOnce((place) => {
    asked.push(place);
    return empty;
  });
  const at = (location: string, offset: number, length: number): string => {
    const found = read({ location, offset, length });
    return found === empty
      ? 'read'
      : found === undefined
        ? 'none'
        : String('code' in found && found.code);
  };
  return { asked, at };
}

describe('data outside the file', () => {
  it('is read once for tensors on the same range', () => {
    const { asked, at } = watched();
    for (let i = 0; i < 400; i++) expect(at('w', 0, 64 * MIB)).toBe('read');
    expect(asked).toHaveLength(1);
  });

  it.each([1, 4_096, 512 * MIB])(
    'has any size in ranges of %i bytes, one after the other',
    (size) => {
      const { at } = watched();
      for (let i = 0; i < 1_000; i++)
        expect(at(`w${i % 7}`, Math.floor(i / 7) * size, size)).toBe('read');
    },
  );

  it('is refused where ranges overlap beyond twice the file', () => {
    const { asked, at } = watched();
    const found = Array.from({ length: 400 }, (_, i) => at('w', i, 64 * MIB));
    expect(found.slice(0, 2)).toEqual(['read', 'read']);
    expect(found.slice(-390)).toEqual(Array(390).fill('ONNX_LIMIT'));
    expect(asked.length).toBeLessThan(5);
  });

  it('may overlap a little, in any files', () => {
    const { at } = watched();
    for (let i = 0; i < 1_000; i++) expect(at('w', i, 60_000)).toBe('read');
  });

  it('is told once why it cannot be read', () => {
    const problem = diagnostic('HOST', 'no');
    let count = 0;
    const read = readOnce(() => {
      count += 1;
      return problem;
    });
    const place = { location: 'w', offset: 0, length: 8 };
    expect([read(place), read(place), count]).toEqual([problem, problem, 1]);
  });
});
