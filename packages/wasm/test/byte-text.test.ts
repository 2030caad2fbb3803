import { expect, it } from 'vitest';
import { BYTES_OF_TEXT, byteText } from '../src/byte-text.ts';

it('bytes as text are bytes again, from a literal in a module', async () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, i) => (i * 7) % 256);
  const source = `export default (${BYTES_OF_TEXT})('${byteText(bytes)}');`;
  const { default: found } = await import(
    `data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`
  );
  expect(found).toEqual(bytes);
  expect(byteText(bytes)).not.toMatch(/['\\\n\r]/);
});
