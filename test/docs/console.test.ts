/**
 * The console examples of the documents: the commands of a page run one after another in a folder
 * with `model.onnx`, and print the lines below them. A command without lines below it may print
 * anything.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { modelFile } from './model-file.ts';
import { pages, root } from './pages.ts';

const OTHER = `#[version = "0.0.5"]
def @main(%data: Tensor[(2, 3), float32]) { tanh(nn.matmul(%data, ones(shape=[3, 2], dtype="float32"))) }
`;

const folder = mkdtempSync(join(tmpdir(), 'baton-console-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(root, 'packages/baton'), join(folder, 'node_modules/batonjs'));
symlinkSync(
  join(root, 'test/node_modules/onnxruntime-node'),
  join(folder, 'node_modules/onnxruntime-node'),
);
writeFileSync(join(folder, 'model.onnx'), modelFile());
writeFileSync(join(folder, 'other.relay'), OTHER);

/** The commands of a page, each with the lines that it should print. */
const commandsOf = (blocks: (typeof pages)[number]['blocks']) =>
  blocks
    .filter(({ kind }) => kind === 'console')
    .flatMap(({ body }) => body.split(/^\$ /m).slice(1))
    .map((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n');
      return [command, lines.join('\n')] as const;
    });

describe.each(
  pages
    .map((page) => [page.path, commandsOf(page.blocks)] as const)
    .filter(([, c]) => c.length > 0),
)('%s', (_, commands) => {
  it.each(commands)('%s', (command, expected) => {
    const line = command.replace(
      /^npx baton/,
      `"${process.execPath}" "${root}packages/cli/bin/baton.js"`,
    );
    const { stdout, stderr, status } = spawnSync('bash', ['-c', line], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([0, 1], stderr).toContain(status);
    expect(stderr).toBe('');
    if (expected !== '') expect(stdout.trimEnd()).toBe(expected);
  });
});
