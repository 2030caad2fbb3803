/** `baton playground`: opens the playground page with a model. */
import { isLeft, type Result, right } from '@baton/base';
import { importOnnx, modelForm } from 'batonjs';
import type { Command, Session } from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { NamedBytes } from '../host.ts';

export const playground: Command = {
  name: 'playground',
  doc: 'serves the playground on this machine, with a model open',
  operands: ['[MODEL]'],
  options: {
    port: { type: 'string', value: 'N', doc: 'the port of the server. Default: any free one' },
  },
  isConfigured: false,
  run: serve,
};

const MOST_PORT = 65_535;

async function serve(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, text } = session;
  const [path] = operands;
  const given = text('port') ?? '0';
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > MOST_PORT) {
    return misuse(`--port expects a number up to ${MOST_PORT}, found ${given}`);
  }
  const files = path === undefined ? right([]) : await filesOf(session, path);
  if (isLeft(files)) return files;
  const served = await host.playground(files.right, port);
  if (isLeft(served)) return served;
  host.progress.done();
  host.print(served.right.url);
  host.tell('open this address in a browser; Ctrl+C ends the server');
  await served.right.ended;
  return right(EXIT.ok);
}

async function filesOf(
  { host }: Session,
  path: string,
): Promise<Result<ReadonlyArray<NamedBytes>>> {
  const bytes = await host.read(path);
  if (isLeft(bytes)) return bytes;
  const model = { name: baseName(path), bytes: bytes.right };
  if (modelForm(model.bytes) !== 'onnx') return right([model]);
  const beside = host.beside(path);
  const weights = new Map<string, Uint8Array>();
  // Finds the files of weights by importing; the page reports errors of the model itself.
  importOnnx(model.bytes, {
    source: model.name,
    externalData: (place) => {
      const { location } = place;
      const whole = weights.get(location) ?? beside({ location, offset: 0, length: undefined });
      if (!(whole instanceof Uint8Array)) return whole;
      weights.set(location, whole);
      const { offset, length } = place;
      return whole.subarray(offset, length === undefined ? undefined : offset + length);
    },
  });
  const besides = [...weights].map(([location, whole]) => ({
    name: baseName(location),
    bytes: whole,
  }));
  return right([model, ...besides]);
}

const baseName = (path: string): string => path.replace(/^.*[/\\]/, '');
