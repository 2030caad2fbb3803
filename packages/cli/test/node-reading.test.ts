/** Reads files in Node; the rest of the command expects their bytes in this form. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAhead, readWhole } from '../src/node-reading.ts';

test('O: a slice of what is read is a copy, which a reader may write to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-reading-'));
  const path = join(folder, 'model.onnx');
  writeFileSync(path, Uint8Array.of(1, 2, 3));
  const ahead = await readAhead(path)?.take();
  for (const bytes of [await readWhole(path), ahead ?? new Uint8Array()]) {
    const copy = bytes.slice();
    copy.fill(9);
    expect([...bytes]).toEqual([1, 2, 3]);
  }
  rmSync(folder, { recursive: true });
});
