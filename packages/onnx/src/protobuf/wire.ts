/**
 * A cursor over protobuf bytes.
 *
 * It replaces `@bufbuild/protobuf/wire`: that reader throws, checks bounds only after it has read,
 * limits nesting only when it skips, makes a bigint of each 64-bit item, and needs the global
 * `TextDecoder`; this one turns faults into values and counts before it allocates.
 */
import { type Budget, type Counted, type LimitName, MAX_TEXT_BYTES } from './budget.ts';
import { decodeUtf8 } from './utf8.ts';

/** The layout of a field's payload. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** A 64-bit integer: a number if that is exact. */
export type Int64 = number | bigint;

/** The kinds of faults. */
export type FaultKind =
  | { readonly _tag: 'Truncated' }
  | { readonly _tag: 'BadVarint' }
  | { readonly _tag: 'BadTag' }
  | { readonly _tag: 'WrongWireType'; readonly field: number; readonly wireType: number }
  | { readonly _tag: 'TooDeep'; readonly limit: number }
  | { readonly _tag: 'Limit'; readonly limit: LimitName }
  | { readonly _tag: 'Contradiction'; readonly reason: string };

/** A fault and its place: the current message, and the byte where it was noticed. */
export interface WireFault {
  readonly kind: FaultKind;
  readonly message: string;
  readonly offset: number;
}

/**
 * The cursor. The first fault is kept and ends all reading: after it there are no fields left and
 * every value is 0, so loops over fields end by themselves and callers check `fault` once.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  /** The field that {@link next} has found. */
  field = 0;
  wireType = 0;
  fault: WireFault | undefined;
  position: number;
  /** The end of the current message. */
  end: number;
  private depth = 0;
  private messageName: string;
  private low = 0;
  private high = 0;
  private readonly view: DataView;
  private readonly budget: Budget;
  /** Made with the first text: a reader of one tensor's elements has none. */
  private interned: (string | undefined)[] | undefined;

  constructor(bytes: Uint8Array, budget: Budget, messageName: string, start = 0) {
    this.bytes = bytes;
    this.budget = budget;
    this.messageName = messageName;
    this.position = start;
    this.end = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Records a fault, unless there is one, and stops reading. */
  fail(kind: FaultKind): void {
    this.fault ??= { kind, message: this.messageName, offset: this.position };
    this.position = this.end;
  }

  /** Takes from the budget, before the caller allocates. `false` after a fault. */
  take(what: Counted, count: number, heapBytes: number): boolean {
    const limit = this.budget.take(what, count, heapBytes);
    if (limit !== undefined) this.fail({ _tag: 'Limit', limit });
    return limit === undefined;
  }

  /** Moves to the next field of the message; `false` at its end. */
  next(): boolean {
    if (this.fault !== undefined || this.position >= this.end) return false;
    this.varint();
    const tag = this.low >>> 0;
    this.field = tag >>> 3;
    this.wireType = tag & 7;
    if (this.fault === undefined && (this.high !== 0 || this.field === 0)) {
      this.fail({ _tag: 'BadTag' });
    }
    return this.fault === undefined;
  }

  /** Skips the payload of a field. */
  skip(): void {
    if (this.wireType === WIRE.varint) this.varint();
    else if (this.wireType === WIRE.fixed64) this.advance(8);
    else if (this.wireType === WIRE.bytes) this.advance(this.length());
    else if (this.wireType === WIRE.fixed32) this.advance(4);
    // Groups were deprecated before ONNX began.
    else this.fail({ _tag: 'BadTag' });
  }

  /** A message in a field: `decode` reads its fields. */
  message<A>(name: string, decode: (reader: WireReader) => A): A {
    const outerEnd = this.end;
    const outerName = this.messageName;
    if (this.expect(WIRE.bytes)) {
      const length = this.length();
      if (this.depth >= this.budget.limits.depth) {
        this.fail({ _tag: 'TooDeep', limit: this.budget.limits.depth });
      }
      this.end = this.fault === undefined ? this.position + length : this.position;
      this.messageName = name;
    }
    this.depth++;
    const value = decode(this);
    this.depth--;
    this.end = this.fault === undefined ? outerEnd : this.position;
    this.messageName = outerName;
    return value;
  }

  /** A text. Repeated short texts are the same object. */
  string(): string {
    if (!this.expect(WIRE.bytes)) return '';
    const length = this.length();
    const start = this.position;
    this.advance(length);
    if (this.fault !== undefined || length === 0) return '';
    return length <= INTERN_BYTES
      ? this.internedText(start, start + length)
      : this.text(start, start + length);
  }

  /** The start of a `bytes` field, whose end is the reader's position afterwards. */
  range(): number {
    if (!this.expect(WIRE.bytes)) return this.position;
    const length = this.length();
    const start = this.position;
    this.advance(length);
    return start;
  }

  /** A varint as a signed 32-bit integer: an enumeration, an `int32`. */
  int32(): number {
    if (this.expect(WIRE.varint)) this.varint();
    return this.fault === undefined ? this.low : 0;
  }

  /** A varint as a signed 64-bit integer. */
  int64(): Int64 {
    if (this.expect(WIRE.varint)) this.varint();
    return this.fault === undefined ? joinInt64(this.low, this.high) : 0;
  }

  float(): number {
    if (!this.expect(WIRE.fixed32)) return 0;
    const at = this.position;
    this.advance(4);
    return this.fault === undefined ? this.view.getFloat32(at, true) : 0;
  }

  /**
   * The number of numbers in this field, packed or not, which are skipped. `wireType` is the type
   * of one number.
   */
  countNumbers(wireType: number): number {
    if (this.wireType === wireType) {
      this.skip();
      return this.fault === undefined ? 1 : 0;
    }
    if (!this.expect(WIRE.bytes)) return 0;
    const length = this.length();
    const start = this.position;
    this.advance(length);
    if (this.fault !== undefined) return 0;
    if (wireType === WIRE.varint) return this.countVarints(start, start + length);
    const width = wireType === WIRE.fixed32 ? 4 : 8;
    if (length % width !== 0) this.fail({ _tag: 'Truncated' });
    return this.fault === undefined ? length / width : 0;
  }

  /** Calls `read` for each number of the field, packed or not; `read` moves past it. */
  eachNumber(wireType: number, read: () => void): void {
    if (this.wireType === wireType) {
      read();
      return;
    }
    if (!this.expect(WIRE.bytes)) return;
    const length = this.length();
    const outerEnd = this.end;
    if (this.fault !== undefined) return;
    this.end = this.position + length;
    this.wireType = wireType;
    while (this.position < this.end && this.fault === undefined) read();
    this.end = this.fault === undefined ? outerEnd : this.position;
  }

  /** Reads a varint and writes its two halves. */
  varintHalves(into: Int32Array, index: number): void {
    this.varint();
    if (this.fault !== undefined) return;
    into[index] = this.low;
    into[index + 1] = this.high;
  }

  /** Skips four or eight bytes and returns their place; 0 after a fault. */
  fixed(width: 4 | 8): number {
    const at = this.position;
    this.advance(width);
    return this.fault === undefined ? at : 0;
  }

  private expect(wireType: number): boolean {
    if (this.fault !== undefined) return false;
    if (this.wireType === wireType) return true;
    this.fail({ _tag: 'WrongWireType', field: this.field, wireType: this.wireType });
    return false;
  }

  private advance(count: number): void {
    if (count > this.end - this.position) this.fail({ _tag: 'Truncated' });
    else this.position += count;
  }

  /** The length before a payload, which must fit into the current message. */
  private length(): number {
    this.varint();
    if (this.fault !== undefined) return 0;
    const length = this.low >>> 0;
    if (this.high === 0 && length <= this.end - this.position) return length;
    this.fail({ _tag: 'Truncated' });
    return 0;
  }

  /** Reads up to ten bytes of seven bits into `low` and `high`. */
  private varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= this.end) {
        this.fail({ _tag: 'Truncated' });
        return;
      }
      const byte = this.bytes[this.position++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.low = low;
        this.high = high;
        return;
      }
    }
    this.fail({ _tag: 'BadVarint' });
  }

  private countVarints(start: number, end: number): number {
    let count = 0;
    for (let at = start; at < end; at++) if ((this.bytes[at] as number) < 0x80) count++;
    if (end > start && (this.bytes[end - 1] as number) >= 0x80) this.fail({ _tag: 'Truncated' });
    return count;
  }

  private text(start: number, end: number): string {
    if (end - start > MAX_TEXT_BYTES) this.fail({ _tag: 'Limit', limit: 'text' });
    // A string's header and its characters, two bytes each at worst.
    if (!this.take('values', 0, 32 + 2 * (end - start))) return '';
    if (this.fault !== undefined) return '';
    return decodeUtf8(this.bytes, start, end);
  }

  private internedText(start: number, end: number): string {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ (this.bytes[at] as number), 0x01000193);
    }
    const slot = (hash ^ (hash >>> 16)) & (INTERN_SLOTS - 1);
    this.interned ??= new Array<string | undefined>(INTERN_SLOTS).fill(undefined);
    const known = this.interned[slot];
    if (known !== undefined && this.spells(known, start, end)) return known;
    const text = this.text(start, end);
    this.interned[slot] = text;
    return text;
  }

  /** Whether the bytes are `text`; never true of text that is not ASCII. */
  private spells(text: string, start: number, end: number): boolean {
    if (text.length !== end - start) return false;
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at] as number;
      if (byte >= 0x80 || byte !== text.charCodeAt(at - start)) return false;
    }
    return true;
  }
}

const NOTHING: ReadonlyArray<never> = [];

/**
 * The list in minimal space: a list that grew item by item has room for sixteen more, and a file
 * may have many short lists. Empty lists are one object.
 */
export const exact = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
  list.length === 0 ? NOTHING : list.slice();

/** Texts up to this length are looked up among earlier ones. */
const INTERN_BYTES = 64;
const INTERN_SLOTS = 4096;

/** A signed 64-bit integer from its halves. */
function joinInt64(low: number, high: number): Int64 {
  const value = high * 4294967296 + (low >>> 0);
  return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low >>> 0);
}
