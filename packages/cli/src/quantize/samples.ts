/** Inputs for calibrating a model, and for evaluating it. */
import { isLeft, type Result, right } from '@baton/base';
import type { IRModule } from 'batonjs';
import { type Inputs, inputsIn, madeUpInputs } from '../arrays/inputs.ts';
import type { Session } from '../command.ts';
import { misuse } from '../diagnostics.ts';

export interface Samples {
  readonly calibrating: ReadonlyArray<Inputs>;
  /** Others, on which errors are measured. */
  readonly heldOut: ReadonlyArray<Inputs>;
}

const DEFAULT_COUNT = 8;

const HELD_OUT = 4;

export async function samplesOf(session: Session, m: IRModule): Promise<Result<Samples>> {
  const [folder, count] = [session.text('data'), session.text('random')];
  if (folder !== undefined && count !== undefined) {
    return misuse('--data and --random are both given', 'give one of them');
  }
  if (count !== undefined && !/^[1-9]\d{0,4}$/.test(count)) {
    return misuse(`--random expects a number of samples, found ${count}`);
  }
  return folder === undefined
    ? madeUp(m, Number(count ?? DEFAULT_COUNT))
    : await inFolder(session, folder, m);
}

function madeUp(m: IRModule, count: number): Result<Samples> {
  const all: Inputs[] = [];
  for (let sample = 0; sample < 2 * count; sample++) {
    const made = madeUpInputs(m, 1, sample);
    if (isLeft(made)) return made;
    all.push(Object.fromEntries(made.right));
  }
  return right({ calibrating: all.slice(0, count), heldOut: all.slice(count) });
}

/** The files of a folder: every fourth is held out; a single one serves both purposes. */
async function inFolder(session: Session, folder: string, m: IRModule): Promise<Result<Samples>> {
  const listed = await session.host.list(folder);
  if (isLeft(listed)) return listed;
  const names = listed.right.filter((name) => /\.np[yz]$/i.test(name)).sort();
  if (names.length === 0) {
    return misuse(`${folder} has no file .npy or .npz`, 'each file holds the inputs of one sample');
  }
  const all: Inputs[] = [];
  for (const name of names) {
    const read = await inputsIn(session, m, `${folder.replace(/\/$/, '')}/${name}`);
    if (isLeft(read)) return read;
    all.push(read.right);
  }
  const isHeldOut = (i: number): boolean => i % HELD_OUT === HELD_OUT - 1 || i === all.length - 1;
  const heldOut = all.filter((_, i) => isHeldOut(i));
  const others = all.filter((_, i) => !isHeldOut(i));
  return right({ calibrating: others.length === 0 ? all : others, heldOut });
}
