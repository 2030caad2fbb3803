/** Bytes in pieces. */

export const byteCount = (pieces: ReadonlyArray<ArrayLike<number>>): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);

export function joinedBytes(pieces: ReadonlyArray<ArrayLike<number>>): Uint8Array {
  const all = new Uint8Array(byteCount(pieces));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
