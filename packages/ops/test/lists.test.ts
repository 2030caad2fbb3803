/** `pnpm lint` refuses lists of operator names outside this package. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/operator-lists.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lists-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The message of the check about a function body; empty if it finds no list. */
function said(source: string): string {
  const path = join(folder, 'source.ts');
  writeFileSync(path, `function f(name) { ${source} }`);
  const { status, stderr } = spawnSync(process.execPath, [script, path], { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

describe('a list of operators', () => {
  test.each([
    ['an array', "const exact = new Set(['add', 'multiply', 'nn.relu']);"],
    ['a table', "const rules = new Map([['add', 1], ['multiply', 2], ['nn.relu', 3]]);"],
    ['a record', "const rules = { add: 1, multiply: 2, 'nn.relu': 3 };"],
    ['the entries of a record', "const signs = { '+': 'add', '-': 'subtract', '*': 'multiply' };"],
    ['the needs of another', "const operator = { needs: ['add', 'exp', 'log'] };"],
    ['a union', "type Sum = 'add' | 'subtract' | 'nn.bias_add';"],
    ['a text', 'const smooth = `\n  exp log\n  tanh sigmoid\n`;'],
    ['a switch', "switch (name) { case 'add': case 'subtract': case 'nn.bias_add': return true; }"],
  ])('is found as %s', (_form, source) => {
    expect(said(source)).toContain('a list of operators');
  });

  test('is neither the calls of a program, nor a list with other words in it', () => {
    expect(said("const x = call('add', [call('exp', [a]), call('tanh', [b])]);")).toBe('');
    expect(said("const modes = ['update', 'add', 'min', 'max'];")).toBe('');
    expect(said("if (isCallOf(x, 'zeros') || isCallOf(x, 'ones')) return x;")).toBe('');
  });
});
