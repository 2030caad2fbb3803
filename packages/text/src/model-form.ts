/** The form of a model in a file. */

/** ONNX, Relay text, or the JSON of `toJson`. */
export type ModelForm = 'onnx' | 'relay' | 'json';

/** The form of a model by its first bytes; what is neither text is left to ONNX's reader. */
export function modelForm(bytes: Uint8Array): ModelForm {
  const first = bytes.find((byte) => !BLANKS.includes(byte));
  if (first === BRACE) return 'json';
  const head = String.fromCharCode(...bytes.subarray(0, 256));
  return RELAY.test(head) ? 'relay' : 'onnx';
}

const BLANKS: ReadonlyArray<number> = [0x09, 0x0a, 0x0d, 0x20];
const BRACE = 0x7b;

/** Relay text begins with its version, a comment or a definition. */
const RELAY = /^\s*(#\[version|\/[/*]|def\b|type\b|extern\b|fn\b|let\b|[%@(])/;
