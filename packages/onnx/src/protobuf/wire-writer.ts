/**
 * A writer of protobuf bytes, the mirror of the reader in `wire.ts`.
 *
 * The file is a list of pieces, so that the elements of tensors are never copied: they are pieces
 * of their own.
 */
import { encodeUtf8 } from './utf8.ts';
import { type Int64, WIRE } from './wire.ts';

/** The fields of one message, in the order of the calls. */
export interface WireWriter {
  /** A varint field: an integer, an enumeration. */
  readonly int: (field: number, value: Int64) => void;
  readonly float: (field: number, value: number) => void;
  readonly text: (field: number, value: string) => void;
  /** A field of bytes, which are not copied and must not change before the file is used. */
  readonly bytes: (field: number, value: Uint8Array) => void;
  /** A field with the message that `write` writes. Messages nest as deeply as `write` does. */
  readonly message: (field: number, write: (writer: WireWriter) => void) => void;
}

/** The bytes of a message as pieces, whose concatenation is the message. */
export function writeMessage(write: (writer: WireWriter) => void): ReadonlyArray<Uint8Array> {
  const sink = makeSink();
  write(writerInto(sink));
  return sink.pieces();
}

function writerInto(sink: Sink): WireWriter {
  const tag = (field: number, wireType: number): void => sink.varint(field * 8 + wireType);
  const bytes = (field: number, value: Uint8Array): void => {
    tag(field, WIRE.bytes);
    sink.varint(value.length);
    sink.piece(value);
  };
  return {
    int: (field, value) => {
      tag(field, WIRE.varint);
      sink.varint(value);
    },
    float: (field, value) => {
      tag(field, WIRE.fixed32);
      sink.float(value);
    },
    text: (field, value) => bytes(field, encodeUtf8(value)),
    bytes,
    message: (field, write) => {
      const inner = makeSink();
      write(writerInto(inner));
      tag(field, WIRE.bytes);
      sink.varint(inner.length());
      for (const piece of inner.pieces()) sink.piece(piece);
    },
  };
}

/** Bytes under way: a buffer that grows, and before it the pieces that are complete. */
interface Sink {
  readonly varint: (value: Int64) => void;
  readonly float: (value: number) => void;
  readonly piece: (bytes: Uint8Array) => void;
  readonly length: () => number;
  readonly pieces: () => ReadonlyArray<Uint8Array>;
}

/** Pieces up to this length are copied into the buffer: fewer, larger pieces are faster. */
const COPIED_BYTES = 4096;
const FIRST_BUFFER_BYTES = 128;
/** A varint of 64 bits takes at most ten bytes. */
const MAX_VARINT_BYTES = 10;

function makeSink(): Sink {
  const done: Uint8Array[] = [];
  let doneBytes = 0;
  let buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  let used = 0;
  const room = (count: number): void => {
    if (used + count <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, used + count));
    larger.set(buffer.subarray(0, used));
    buffer = larger;
  };
  const close = (): void => {
    if (used === 0) return;
    done.push(buffer.subarray(0, used));
    doneBytes += used;
    buffer = new Uint8Array(FIRST_BUFFER_BYTES);
    used = 0;
  };
  return {
    varint: (value) => {
      room(MAX_VARINT_BYTES);
      used = putVarint(buffer, used, value);
    },
    float: (value) => {
      room(4);
      new DataView(buffer.buffer).setFloat32(used, value, true);
      used += 4;
    },
    piece: (bytes) => {
      if (bytes.length > COPIED_BYTES) {
        close();
        done.push(bytes);
        doneBytes += bytes.length;
        return;
      }
      room(bytes.length);
      buffer.set(bytes, used);
      used += bytes.length;
    },
    length: () => doneBytes + used,
    pieces: () => {
      close();
      return done;
    },
  };
}

/** Writes a varint and returns the place after it. A negative number takes ten bytes. */
function putVarint(buffer: Uint8Array, start: number, value: Int64): number {
  let at = start;
  if (typeof value === 'number' && value >= 0) {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buffer[at++] = (rest % 0x80) | 0x80;
    buffer[at++] = rest;
    return at;
  }
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) buffer[at++] = Number(rest & 0x7fn) | 0x80;
  buffer[at++] = Number(rest);
  return at;
}
