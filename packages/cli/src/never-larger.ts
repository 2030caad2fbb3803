/** Searches for a file that is not larger than the model's. */
import { isLeft } from '@baton/base';
import { type Attempt, attempted, written } from './attempt.ts';
import type { Session } from './command.ts';
import { isLarger, isSlower } from './file-figures.ts';
import type { Host } from './host.ts';
import { gentlerPipelines } from './pipeline.ts';
import { targetOf } from './target.ts';

/** The same result with short names, if its file is then no larger than the model's. */
async function inShort(
  session: Session,
  output: string,
  attempt: Attempt,
): Promise<Attempt | undefined> {
  const { sizes } = attempt;
  if (sizes === undefined || sizes.after.nodes > sizes.before.nodes) return undefined;
  if (isSlower(sizes.after, sizes.before)) return undefined;
  const short = await written(session, output, attempt, 'short');
  return isLeft(short) || isTooLarge(short.right) ? undefined : short.right;
}

const isTooLarge = ({ sizes }: Attempt): boolean =>
  sizes !== undefined && isLarger(sizes.after, sizes.before);

/**
 * A result whose file needs at most the nodes, bytes and time of the model's: the requested one, or
 * one of a lower level, or at last the original model. The requested one stays if none qualifies,
 * or if the user prefers it.
 */
export async function neverLarger(
  session: Session,
  output: string,
  asked: Attempt,
): Promise<Attempt> {
  const { host, operands } = session;
  const path = operands[0] ?? '-';
  if (!isTooLarge(asked) || session.has('allow-growth')) return asked;
  // An operator of another domain is worth several of ONNX's own.
  if (targetOf(session) === 'onnx' && asked.sizes?.before.isPlain === false) return asked;
  const short = await inShort(session, output, asked);
  if (short !== undefined) {
    tellGrowth(host, 'nodes and values have short names', asked);
    return short;
  }
  for (const { level, pipeline } of gentlerPipelines(session)) {
    const less = await attempted(session, output, pipeline);
    if (isLeft(less)) continue;
    const fitting = isTooLarge(less.right)
      ? await inShort(session, output, less.right)
      : less.right;
    if (fitting === undefined) continue;
    tellGrowth(host, `only level ${level} was applied, without rules`, asked);
    return fitting;
  }
  const copy = isLike(session, asked) ? await host.read(path) : undefined;
  if (copy === undefined || isLeft(copy)) {
    tellGrowth(host, 'the file has grown', asked);
    return asked;
  }
  tellGrowth(host, 'the model is unchanged', asked);
  const sizes = asked.sizes && { before: asked.sizes.before, after: asked.sizes.before };
  const files = [{ path: output, pieces: [copy.right] }];
  return { ...asked, files, sizes, isCopy: true };
}

/** Whether the model's own file has the requested form. */
const isLike = ({ texts, text, has, settings }: Session, { sizes }: Attempt): boolean =>
  sizes?.before.hasExternal === false &&
  texts('dim').length === 0 &&
  text('opset') === undefined &&
  !has('external-data') &&
  settings.passes.length === 0;

const HEADER_BYTES = 64;

function tellGrowth(host: Host, what: string, { sizes }: Attempt): void {
  if (sizes === undefined) return;
  const { before, after } = sizes;
  // Nothing was gained, and only the header is longer.
  const isAlike = after.nodes === before.nodes && after.bytes < before.bytes + HEADER_BYTES;
  if (isAlike && !isSlower(after, before)) return;
  const times = isSlower(after, before) ? ', and by an estimate takes longer' : '';
  const grown = `${after.nodes} nodes of ${before.nodes}, ${after.bytes} bytes of ${before.bytes}${times}`;
  host.tell(`${what}: all that was asked for makes ${grown}; --allow-growth writes it`);
}
