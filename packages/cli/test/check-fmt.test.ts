/** `baton check` and `baton fmt` on files in memory. */
import { exportOnnx, models, orThrow } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const HEADER = '#[version = "0.0.5"]\n';
const GOOD = `${HEADER}def @main(%x: Tensor[(2, 3), float32]) {\n  nn.relu(%x) // all of it\n}\n`;
const onnx = orThrow(exportOnnx(models.mlp({ hidden: [8], inputs: 4, classes: 2 })));

describe('check', () => {
  it('reads Relay text, JSON and ONNX', async () => {
    const json = await baton(['optimize', 'a.relay', '-o', 'a.json'], { 'a.relay': GOOD });
    const given = { 'a.relay': GOOD, 'a.json': json.text('a.json'), 'a.onnx': onnx };
    const { code, out } = await baton(['check', ...Object.keys(given)], given);
    expect([code, out]).toEqual([EXIT.ok, 'a.relay: ok\na.json: ok\na.onnx: ok']);
  });

  it.each([
    ['a syntax error', `${HEADER}def @main(%x: float32) { %x + }\n`, 'bad.relay:2:'],
    ['an unknown name', `${HEADER}def @main(%x: float32) { %y }\n`, '`%y`'],
    [
      'types that do not fit',
      `${HEADER}def @main(%x: Tensor[(2, 3), float32]) {\n  nn.dense(%x, %x) + Constant(1, (5,), float32)\n}\n`,
      'bad.relay:3:',
    ],
    ['bad JSON', '{', 'error['],
    ['no model', 'what is this', 'error['],
  ])('tells %s, and goes on with the other files', async (_title, text, message) => {
    const given = { 'bad.relay': text, 'good.relay': GOOD };
    const { code, out, log } = await baton(['check', 'bad.relay', 'good.relay'], given);
    expect([code, out]).toEqual([EXIT.findings, 'good.relay: ok']);
    expect(log).toContain(message);
  });

  it('has an exit code for a file that is not there, and JSON', async () => {
    const { code, out } = await baton(['check', '--json', 'no.relay', 'a.relay'], {
      'a.relay': GOOD,
    });
    expect(code).toBe(EXIT.input);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'baton.check/1',
      files: [
        { file: 'no.relay', ok: false, problems: [{ code: 'CLI_READ' }] },
        { file: 'a.relay', ok: true, problems: [] },
      ],
    });
  });

  it('needs a file', async () => {
    const { code, log } = await baton(['check']);
    expect([code, log]).toEqual([
      EXIT.usage,
      expect.stringContaining('check expects FILE..., found nothing'),
    ]);
  });
});

describe('fmt', () => {
  const UGLY = GOOD.replace('%x: Tensor', '%x:Tensor').replace('\n  nn.relu', ' nn.relu');

  it('writes the layout, with all comments', async () => {
    const { code, out, text } = await baton(['fmt', 'a.relay', 'b.relay'], {
      'a.relay': UGLY,
      'b.relay': GOOD,
    });
    expect([code, out]).toEqual([EXIT.ok, '']);
    expect([text('a.relay'), text('b.relay')]).toEqual([GOOD, GOOD]);
  });

  it('with --check tells which files would change, and writes nothing', async () => {
    const given = { 'a.relay': UGLY, 'b.relay': GOOD };
    const { code, out, text } = await baton(['fmt', '--check', 'a.relay', 'b.relay'], given);
    expect([code, out, text('a.relay')]).toEqual([EXIT.findings, 'a.relay', UGLY]);
    expect((await baton(['fmt', '--check', 'b.relay'], given)).code).toBe(EXIT.ok);
  });

  it('prints standard input', async () => {
    expect((await baton(['fmt', '-'], { '-': UGLY })).text('-')).toBe(GOOD);
  });

  it.each([
    ['text that does not parse', `${HEADER}def @main( { }`, 'bad.relay:2:'],
    ['an ONNX file', onnx, 'it is no Relay text'],
    ['JSON', '{}', 'it is no Relay text'],
  ])('refuses %s, and leaves it', async (_title, content, message) => {
    const { code, log, files } = await baton(['fmt', 'bad.relay'], { 'bad.relay': content });
    expect([code, log]).toEqual([EXIT.input, expect.stringContaining(message)]);
    expect(files.get('bad.relay')).toEqual(
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    );
  });
});
