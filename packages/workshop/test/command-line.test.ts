/** Mistakes on command lines: each is told in words, with the usage. */

import { readCommandLine } from '@baton/cli';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../src/fuzz/arguments.ts';

const OPTIONS = { level: { type: 'string' }, stats: { type: 'boolean' } } as const;

describe('a command line', () => {
  it('gives options and operands', () => {
    const line = readCommandLine(['--', 'in', '--level', '3', '--stats'], OPTIONS, {
      takesOperands: true,
    });
    expect(line).toMatchObject({ values: { level: '3', stats: true }, positionals: ['in'] });
  });

  it.each([
    [['--lvel', '3'], 'unknown option --lvel; did you mean `--level`?'],
    [['--constructor'], 'unknown option --constructor'],
    [['--level'], '--level expects a value'],
    [['--level', '--stats'], '--level expects a value'],
    [['--stats=yes'], '--stats takes no value'],
    [['in'], 'expected an option, found in'],
  ])('%j is a mistake', (argv, mistake) => {
    expect(readCommandLine(argv, OPTIONS)).toBe(mistake);
  });
});

describe('pnpm fuzz', () => {
  it.each([
    [['--seed', '1', '--late', '5'], { _tag: 'Cases', target: 'late types', count: 5 }],
    [['--seed', '1'], { _tag: 'Run', seed: 1, minutes: 1 }],
  ])('%j is a command', (argv, command) => {
    expect(readCommand(argv)).toMatchObject(command);
  });

  it.each([
    [[], '--seed expects a whole number, found nothing'],
    [['--sed', '1'], 'unknown option --sed; did you mean `--seed`?'],
    [['--seed', '1', '--late', 'x'], 'late types: expected how many, found x'],
    [['--seed', '1', '--minutes', '0'], '--minutes expects how many, found 0'],
    [
      ['--seed', '1', '--executor', 'x'],
      '--executor expects interpreter or oracle or wasm, found x',
    ],
  ])('%j is a mistake', (argv, mistake) => {
    expect(readCommand(argv)).toBe(mistake);
  });
});
