import { describe, expect, it } from 'vitest';
import { simdLevel } from '../src/level.ts';
import { hostWebAssembly, type WebAssemblyHost } from '../src/web-assembly.ts';

const host = hostWebAssembly() as WebAssemblyHost;

/** The prefix of vector instructions. */
const VECTOR = 0xfd;

/** The host, knowing only some of the code that it knows. */
const knowing = (isKnown: (bytes: Uint8Array) => boolean): WebAssemblyHost => ({
  ...host,
  Module: host.Module,
  validate: (bytes) => isKnown(bytes) && host.validate(bytes),
});

class Refused {
  constructor() {
    throw new Error('the policy of the page lets nothing be compiled');
  }
}

describe('the level of a host', () => {
  it('is the highest that it accepts', () => {
    expect(['simd', 'relaxed']).toContain(simdLevel(host));
    expect(simdLevel(knowing((bytes) => !bytes.includes(VECTOR)))).toBe('scalar');
    expect(simdLevel(knowing(() => false))).toBeUndefined();
  });

  it('is none where nothing can be compiled', () => {
    expect(simdLevel({ ...knowing(() => true), Module: Refused })).toBeUndefined();
  });
});
