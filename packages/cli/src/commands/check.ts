/** `baton check`: checks whether files are models whose types fit. */
import { type Diagnostics, failure, isLeft, type Result, right } from '@baton/base';
import { wellFormed } from '@baton/ir';
import { inferTypes, renderDiagnostics } from 'batonjs';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import { exitCodeOf, inOptions } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { nameOf, openModel } from '../model-file.ts';

export const check: Command = {
  name: 'check',
  doc: 'reads models, infers their types, and reports errors',
  operands: ['FILE...'],
  options: { ...MODEL_OPTIONS, ...JSON_OPTION },
  isConfigured: false,
  run: checked,
};

const SCHEMA = 'baton.check/1';

async function checked(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const isJson = session.has('json');
  const files: object[] = [];
  let worst: ExitCode = EXIT.ok;
  for (const path of operands) {
    const found = await problemsOf(session, path);
    host.progress.done();
    const problems = isLeft(found) ? found.left : [];
    files.push({ file: nameOf(path), ok: problems.length === 0, problems: problems.map(brief) });
    if (isLeft(found)) {
      host.tell(renderDiagnostics(found.left.map(inOptions)));
      const code = codeOf(found.left);
      if (code > worst) worst = code;
    } else if (!isJson) host.print(`${nameOf(path)}: ok`);
  }
  if (isJson) host.print(JSON.stringify({ schema: SCHEMA, files }));
  return right(worst);
}

async function problemsOf(session: Session, path: string): Promise<Result<unknown>> {
  const model = await openModel(session, path);
  if (isLeft(model)) return model;
  return failure(wellFormed(model.right)) ?? inferTypes(model.right);
}

/** Errors in a file are findings; a file that cannot be read is not. */
function codeOf(problems: Diagnostics): ExitCode {
  const isUnread = problems.some(({ code }) => code === 'CLI_READ');
  const code = exitCodeOf(problems);
  return code === EXIT.input && !isUnread ? EXIT.findings : code;
}

const brief = ({ code, severity, message, span, hint }: Diagnostics[number]) => {
  const at = span?._tag === 'TextSpan' ? { line: span.line, column: span.column } : {};
  return { code, severity, message, ...at, ...(hint === undefined ? {} : { hint }) };
};
