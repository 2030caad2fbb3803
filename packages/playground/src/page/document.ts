/** The content of a link: a program, a pipeline, and the current view. */
import type { ModelName, Step } from '../protocol.ts';

export const VIEWS = ['program', 'pipeline', 'egraph', 'compare', 'run', 'export'] as const;

export type View = (typeof VIEWS)[number];

/** Everything that the user made; files are named, and small ones are included. */
export interface Document {
  readonly view: View;
  readonly text: string;
  /** A file instead of the text. */
  readonly file: HeldFile | undefined;
  readonly steps: ReadonlyArray<Step>;
  readonly at: number;
  readonly searched: 'term' | 'program';
  readonly term: string;
  readonly termRules: string;
  readonly rules: string;
  readonly moment: number;
  readonly other: string;
  readonly subject: 'a' | 'optimized';
  readonly executor: 'reference' | 'wasm';
}

/** A file in a document. The bytes of a large one are not part of links. */
export interface HeldFile {
  readonly name: string;
  readonly base64: string | undefined;
}

/** A network of the gallery instead of a file: links name it, and the page builds it. */
export const modelFile = (name: ModelName): HeldFile => ({
  name: `gallery: ${name}`,
  base64: undefined,
});

/** Files up to this size are part of links. **Units** bytes. */
export const MAX_HELD = 65_536;

export const EMPTY: Document = {
  view: 'program',
  text: '',
  file: undefined,
  steps: [],
  at: 0,
  searched: 'term',
  term: '(a * 2) / 2',
  termRules: `regroup: (?x * ?y) / ?z = ?x * (?y / ?z)
divide by itself: ?x / ?x = 1
times one: ?x * 1 = ?x
shift: ?x * 2 = ?x << 1
commute: ?x * ?y = ?y * ?x`,
  rules: '',
  moment: 0,
  other: '',
  subject: 'a',
  executor: 'wasm',
};

export async function toFragment(document: Document): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return `#d=${base64Of(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** The document in an address fragment; `undefined` if it has none. */
export async function fromFragment(fragment: string): Promise<Document | undefined> {
  const [, coded] = /^#d=([\w-]+)$/.exec(fragment) ?? [];
  if (coded === undefined) return undefined;
  try {
    const bytes = await through(bytesOf(coded), new DecompressionStream('deflate-raw'));
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** A document from unknown data: fields of a wrong type get their defaults. */
export function checked(data: unknown): Document | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const given = data as Readonly<Record<string, unknown>>;
  const kept = Object.entries(EMPTY).map(([name, normal]) => {
    const value = given[name];
    const isAlike =
      name === 'file'
        ? isFile(value)
        : name === 'steps'
          ? isSteps(value)
          : typeof value === typeof normal;
    return [name, isAlike ? value : normal];
  });
  const made = Object.fromEntries(kept) as Document;
  return VIEWS.includes(made.view) ? made : { ...made, view: 'program' };
}

const isFile = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string');

const isSteps = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (step) =>
      typeof step === 'object' &&
      step !== null &&
      typeof step.key === 'string' &&
      typeof step.isOn === 'boolean' &&
      typeof step.options === 'object' &&
      step.options !== null,
  );

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(parts.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
