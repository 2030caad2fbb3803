/** Corrupted ONNX files through the reader: each is a program or a refusal with a span, in time. */
import { type Diagnostic, isLeft, mulberry32 } from '@baton/base';
import { corrupted, GENERATORS } from '@baton/testing';
import { exportOnnx, importOnnx } from 'batonjs';

export interface FileCount {
  refused: number;
  imported: number;
}

/** The most processor time for a file of a few thousand bytes. */
const MAX_FILE_MS = 1_000;

/** The number of programs of each generator whose files are corrupted. */
const PROGRAMS = 40;

/** Files of generated programs, which are at most this long. */
const MAX_BYTES = 8_192;

export function seedFiles(): ReadonlyArray<Uint8Array> {
  const files: Uint8Array[] = [];
  for (const { program } of GENERATORS) {
    for (let seed = 0; seed < PROGRAMS; seed++) {
      const file = exportOnnx(program(seed).module);
      if (!isLeft(file) && file.right.length <= MAX_BYTES) files.push(file.right);
    }
  }
  return files;
}

/** The fault in the reader's answer to the corrupted file of a seed, if there is one; counted. */
export function checkCorruptedFile(
  files: ReadonlyArray<Uint8Array>,
  seed: number,
  count: FileCount,
): string | undefined {
  const random = mulberry32(seed);
  const file = files[Math.floor(random() * files.length)] ?? new Uint8Array();
  const copy = corrupted(file, random);
  const start = process.cpuUsage();
  try {
    const read = importOnnx(copy);
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    if (ms > MAX_FILE_MS) return `took ${ms.toFixed(0)} ms for ${copy.length} bytes`;
    if (!isLeft(read)) {
      count.imported++;
      return undefined;
    }
    count.refused++;
    const lost = read.left.find((problem) => !isLocated(problem));
    return lost && `${lost.code} has no place`;
  } catch (error) {
    return `threw ${error instanceof Error ? error.message : error}`;
  }
}

/** The diagnostic that counts the rest of a long list has no span. */
const isLocated = ({ span, code }: Diagnostic): boolean =>
  span !== undefined || code === 'ONNX_MORE';
