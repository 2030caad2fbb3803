/** `baton fmt`: formats Relay text. */
import { fail, isLeft, type Result, right } from '@baton/base';
import { formatText, modelForm, parseModule } from 'batonjs';
import type { Command, Session } from '../command.ts';
import { unfit } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { nameOf } from '../model-file.ts';

export const fmt: Command = {
  name: 'fmt',
  doc: 'lays out Relay text: lines, indentation and spaces; comments and names stay',
  operands: ['FILE...'],
  options: {
    check: { type: 'boolean', doc: 'write nothing, and list the files that would change' },
  },
  isConfigured: false,
  run: formatted,
};

async function formatted(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const isCheck = session.has('check');
  let changed = 0;
  for (const path of operands) {
    const bytes = await host.read(path);
    if (isLeft(bytes)) return bytes;
    if (modelForm(bytes.right) !== 'relay') {
      return fail(unfit(nameOf(path), 'it is no Relay text', 'fmt formats only Relay text'));
    }
    const before = new TextDecoder().decode(bytes.right);
    const after = layoutOf(before, nameOf(path));
    if (isLeft(after)) return after;
    const isSame = after.right === before;
    if (!isSame) changed++;
    if (isCheck) {
      if (!isSame) host.print(nameOf(path));
    } else if (!isSame || path === '-') {
      const written = await host.write([{ path, pieces: [after.right] }]);
      if (isLeft(written)) return written;
    }
  }
  return right(isCheck && changed > 0 ? EXIT.findings : EXIT.ok);
}

/** The formatted text, if it is a program. */
function layoutOf(text: string, source: string): Result<string> {
  const parsed = parseModule(text, { source });
  return isLeft(parsed) ? parsed : formatText(text, source);
}
