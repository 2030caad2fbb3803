/** Archives of NumPy as a list of entries, whose headers may lie, and corruption of them. */
import { crc32 } from 'node:zlib';
import { joinedBytes } from '@baton/base';
import { type Draw, NAMES, replaced, shuffled } from './draw.ts';
import { corruptedTokens, tokensOf } from './tokens.ts';

export interface NpyFile {
  readonly version: number;
  /** The text of the header, without the blanks that align the data. */
  readonly header: string;
  /** The error added to the stated length of the header. */
  readonly lie: number;
  readonly data: Uint8Array;
}

export interface Entry {
  readonly name: string;
  readonly content: NpyFile | Uint8Array;
  /** 0 for as it is, 8 for deflated; other numbers keep it as it is and lie. */
  readonly method: number;
  readonly flags: number;
  /** Stated instead of the true sizes, if they are there. */
  readonly size: number | undefined;
  readonly packedSize: number | undefined;
  /** Zeros that follow the content, packed small: in units of a mebibyte. */
  readonly zeros: number;
}

export interface Archive {
  readonly entries: ReadonlyArray<Entry>;
  /** The error added to numbers of the record at the end, and to the offsets of the files. */
  readonly countLie: number;
  readonly offsetLie: number;
  readonly placeLie: number;
  readonly comment: string;
}

export const entryOf = (name: string, content: NpyFile): Entry => ({
  name,
  content,
  method: 0,
  flags: 0,
  size: undefined,
  packedSize: undefined,
  zeros: 0,
});

export const archiveOf = (entries: ReadonlyArray<Entry>): Archive => ({
  entries,
  countLie: 0,
  offsetLie: 0,
  placeLie: 0,
  comment: '',
});

export function npyOf(file: Uint8Array): NpyFile {
  const view = new DataView(file.buffer, file.byteOffset);
  const version = file[6] ?? 1;
  const start = version === 1 ? 10 : 12;
  const end = start + (version === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  const header = new TextDecoder('latin1').decode(file.subarray(start, end)).trimEnd();
  return { version, header, lie: 0, data: file.subarray(end) };
}

export function npyBytes({ version, header, lie, data }: NpyFile): Uint8Array {
  const text = new TextEncoder().encode(`${header}\n`);
  const head = new DataView(new ArrayBuffer(version === 1 ? 10 : 12));
  for (const [i, byte] of [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version].entries()) {
    head.setUint8(i, byte);
  }
  if (version === 1) head.setUint16(8, text.length + lie, true);
  else head.setUint32(8, text.length + lie, true);
  return joinedBytes([new Uint8Array(head.buffer), text, data]);
}

/** **Units** bytes. */
const MEBIBYTE = 2 ** 20;

/**
 * A mebibyte of zeros, deflated: blocks that end at a whole byte, the last of a file not among them.
 * These are bytes of zlib, whose versions differ in what they write.
 */
const ZEROS = joinedBytes([
  [0xec, 0xc1, 0x31, 1, 0, 0, 0, 0xc2, 0xa0, 0xf5, 0x4f, 0x6d, 8, 0x5f, 0xa0],
  new Uint8Array(1016),
  [0x3e, 3, 0, 0, 0xff, 0xff],
]);

const END = [3, 0];

/** The most bytes of a block that is not packed. */
const MAX_STORED = 65_535;

/** Blocks that hold bytes as they are. */
function stored(bytes: Uint8Array): Uint8Array {
  const blocks: ArrayLike<number>[] = [];
  for (let at = 0; at < bytes.length; at += MAX_STORED) {
    const block = bytes.subarray(at, at + MAX_STORED);
    const [low, high] = [block.length & 0xff, block.length >> 8];
    blocks.push([0, low, high, low ^ 0xff, high ^ 0xff], block);
  }
  return joinedBytes(blocks);
}

function packed({ content, method, zeros }: Entry): readonly [Uint8Array, number, number] {
  const plain = content instanceof Uint8Array ? content : npyBytes(content);
  const size = plain.length + zeros * MEBIBYTE;
  const crc = crc32(plain);
  if (method !== 8) return [plain, size, crc];
  return [
    joinedBytes([stored(plain), ...Array.from({ length: zeros }, () => ZEROS), END]),
    size,
    crc,
  ];
}

export function zipBytes(archive: Archive): Uint8Array {
  const files: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let offset = 0;
  for (const entry of archive.entries) {
    const [body, size, crc] = packed(entry);
    const name = new TextEncoder().encode(entry.name).subarray(0, 65_535);
    const common = (head: DataView, at: number): void => {
      head.setUint16(at, 20, true);
      head.setUint16(at + 2, entry.flags, true);
      head.setUint16(at + 4, entry.method, true);
      head.setUint32(at + 10, crc, true);
      head.setUint32(at + 14, entry.packedSize ?? body.length, true);
      head.setUint32(at + 18, entry.size ?? size, true);
      head.setUint16(at + 22, name.length, true);
    };
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    common(local, 4);
    const record = new DataView(new ArrayBuffer(46));
    record.setUint32(0, 0x02014b50, true);
    common(record, 6);
    record.setUint32(42, offset + archive.placeLie, true);
    files.push(new Uint8Array(local.buffer), name, body);
    records.push(new Uint8Array(record.buffer), name);
    offset += 30 + name.length + body.length;
  }
  return joinedBytes([...files, ...records, endRecord(archive, records, offset)]);
}

function endRecord(archive: Archive, records: ReadonlyArray<Uint8Array>, offset: number) {
  const { entries, countLie, offsetLie } = archive;
  const comment = new TextEncoder().encode(archive.comment);
  const end = new DataView(new ArrayBuffer(22));
  const count = (entries.length + countLie) & 0xffff;
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, count, true);
  end.setUint16(10, count, true);
  end.setUint32(
    12,
    records.reduce((sum, record) => sum + record.length, 0),
    true,
  );
  end.setUint32(16, offset + offsetLie, true);
  end.setUint16(20, comment.length, true);
  return joinedBytes([new Uint8Array(end.buffer), comment]);
}

/** Sizes that headers may state. */
const SIZES = [
  0,
  1,
  64,
  2 ** 16,
  2 ** 24,
  2 ** 28,
  2 ** 30,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
] as const;

const HEADERS = [
  "'descr': '<f4'",
  "'descr': '>f8'",
  "'descr': '|O'",
  "'descr': '|b1'",
  "'descr': '<i8'",
  "'descr': [('a', '<f4')]",
  "'shape': ()",
  "'shape': (0,)",
  "'shape': (-1,)",
  "'shape': (4294967296, 4294967296)",
  "'shape': (9007199254740991,)",
  "'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
  "'shape': (1e3,)",
  "'shape': (0x10,)",
  "'fortran_order': True",
  "'fortran_order': 1",
] as const;

/** Entries with zeros are not repeated many times: an archive stays of a few megabytes. */
const mostEntries = (entries: Archive['entries']): number =>
  entries.some(({ zeros }) => zeros > 0) ? 4 : 2_000;

export function corruptedArchive(archive: Archive, draw: Draw): Archive {
  const { entries } = archive;
  const at = draw.below(entries.length);
  const entry = entries[at];
  const changed = (parts: Partial<Entry>): Archive =>
    entry === undefined
      ? archive
      : { ...archive, entries: replaced(entries, at, [{ ...entry, ...parts }]) };
  switch (draw.below(12)) {
    case 0:
      return { ...archive, entries: shuffled(entries, draw).slice(0, mostEntries(entries)) };
    case 1:
      return changed({ name: draw.pick(NAMES) });
    case 2:
      return changed({ name: `${draw.pick(NAMES)}.npy` });
    case 3:
      return changed({ method: draw.pick([0, 8, 8, 8, 1, 9, 12, 14, 99, 65_535]) });
    case 4:
      return changed({ flags: draw.pick([0, 1, 8, 0x800, 0xffff]) });
    case 5:
      return changed({ size: draw.pick(SIZES), method: draw.pick([0, 8]) });
    case 6:
      return changed({ packedSize: draw.pick(SIZES), method: draw.pick([0, 8]) });
    case 7:
      return changed({
        zeros: draw.pick([1, 8, 1, 300, 1500]),
        method: 8,
        ...(draw.once(2) ? { size: draw.pick(SIZES) } : {}),
      });
    case 8: {
      const lie = draw.pick([1, -1, 2, -2, 100, 1000, -1000, 2 ** 16]);
      const which = draw.pick(['countLie', 'offsetLie', 'placeLie'] as const);
      return { ...archive, [which]: lie };
    }
    case 9:
      return { ...archive, comment: draw.pick(NAMES) };
    default:
      return changed(content(entry?.content, draw));
  }
}

function content(old: Entry['content'] | undefined, draw: Draw): Partial<Entry> {
  if (old === undefined || old instanceof Uint8Array)
    return { content: new Uint8Array(draw.below(99)) };
  switch (draw.below(6)) {
    case 0:
      return { content: { ...old, version: draw.below(256) } };
    case 1:
      return { content: { ...old, lie: draw.pick([1, -1, 10, -10, 1000, 60_000]) } };
    case 2: {
      const by = draw.pick(HEADERS);
      const [key] = /'\w+'/.exec(by) ?? [''];
      const pattern = new RegExp(`${key}: (\\([^)]*\\)|[^,]*)`);
      return { content: { ...old, header: old.header.replace(pattern, by) } };
    }
    case 3:
      return { content: { ...old, header: corruptedTokens(tokensOf(old.header), draw).join('') } };
    case 4:
      return { content: { ...old, data: old.data.subarray(0, draw.below(old.data.length + 1)) } };
    default:
      return {
        content: { ...old, data: joinedBytes([old.data, new Uint8Array(draw.below(100))]) },
      };
  }
}
