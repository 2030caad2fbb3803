/** The state of the page: the document with its history, and the engine's results for it. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Answer,
  type Catalogue,
  type Finding,
  type GivenFile,
  MODEL_NAMES,
  modelAmong,
  type Program,
  type Source,
  type Step,
  type Trail,
} from '../protocol.ts';
import { Cancelled, type Client, makeClient } from './client.ts';
import {
  base64Of,
  bytesOf,
  checked,
  type Document,
  EMPTY,
  fromFragment,
  MAX_HELD,
  modelFile,
  toFragment,
} from './document.ts';
import { EXAMPLES } from './examples.ts';

export interface Session {
  readonly client: Client;
  readonly document: Document;
  /** Changes the document; `isMinor` changes do not make a step of undo. */
  readonly change: (parts: Partial<Document>, isMinor?: boolean) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly openFiles: (files: ReadonlyArray<GivenFile>) => void;
  readonly openOther: (source: Source) => void;
  readonly program: Program | undefined;
  readonly other: Program | undefined;
  readonly findings: ReadonlyArray<Finding>;
  /** Whether the program is that of the current document, which is read after the last key. */
  readonly isCurrent: boolean;
  /** The passes to choose from; loaded with the first pipeline. */
  readonly catalogue: Catalogue | undefined;
  readonly trail: Trail | undefined;
  readonly busy: string | undefined;
  readonly trouble: string | undefined;
  /** Calls the engine, and shows why it refuses. */
  readonly ask: <A>(request: Promise<Answer<A>>) => Promise<A | undefined>;
}

/** The key under which state is kept between visits. */
const SAVED = 'baton-playground';

const SAVE_AFTER = 400;
const OPEN_AFTER = 250;

export function useSession(startWorker: () => Worker): Session {
  const [busy, setBusy] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const client = useMemo(() => makeClient(startWorker, setBusy), []);
  const ask = useCallback(asker(setTrouble), []);
  const { document, change, undo, redo } = useDocument();
  const files = useRef<ReadonlyArray<GivenFile> | undefined>(undefined);
  const opened = useProgram(document, files, client, setTrouble);
  const openFiles = async (given: ReadonlyArray<GivenFile>): Promise<void> => {
    files.current = given;
    const file = await heldFile(given);
    if (file !== undefined) change({ file });
  };
  useEffect(() => {
    if (location.hash === '#open') void servedFiles().then(openFiles);
  }, []);
  const [other, setOther] = useState<Program>();
  const lists = useCatalogue(document, client);
  const pipeline = usePipeline(document.steps, opened, client, ask);
  return {
    client,
    document,
    change,
    undo,
    redo,
    openFiles,
    openOther: async (source) => setOther(await ask(client.call('open', 'b', source))),
    ...opened,
    other,
    ...lists,
    ...pipeline,
    busy,
    trouble,
    ask,
  };
}

/** A request whose refusal is shown. */
const asker =
  (tell: (trouble: string | undefined) => void): Session['ask'] =>
  async (request) => {
    try {
      const answer = await request;
      if (answer.ok) {
        tell(undefined);
        return answer.value;
      }
      tell(answer.findings.map(inWords).join('\n'));
    } catch (error) {
      tell(troubleOf(error));
    }
    return undefined;
  };

const inWords = ({ message, hint }: Finding): string =>
  hint === undefined ? message : `${message} — ${hint}`;

const troubleOf = (error: unknown): string =>
  error instanceof Cancelled ? 'Ended.' : `This did not work: ${String(error)}`;

/** The document and its history: from the address, the last visit, or the first example. */
function useDocument(): Pick<Session, 'document' | 'change' | 'undo' | 'redo'> {
  const [document, setDocument] = useState<Document>(EMPTY);
  const past = useRef<Document[]>([]);
  const future = useRef<Document[]>([]);
  const change = useCallback((parts: Partial<Document>, isMinor = false) => {
    setDocument((now) => {
      if (!isMinor) {
        past.current = [...past.current.slice(1 - MOST_UNDONE), now];
        future.current = [];
      }
      return { ...now, ...parts };
    });
  }, []);
  const travel = (from: Document[], to: Document[]): void => {
    const next = from.pop();
    if (next === undefined) return;
    setDocument((now) => {
      to.push(now);
      return next;
    });
  };
  useEffect(() => {
    const begin = async (): Promise<void> => {
      const found = (await fromFragment(location.hash)) ?? saved();
      setDocument(found ?? { ...EMPTY, ...EXAMPLES[0]?.parts });
    };
    const onHash = async (): Promise<void> => {
      const found = await fromFragment(location.hash);
      if (found !== undefined) change(found);
    };
    void begin();
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => save(document), SAVE_AFTER);
    return () => clearTimeout(timer);
  }, [document]);
  return {
    document,
    change,
    undo: () => travel(past.current, future.current),
    redo: () => travel(future.current, past.current),
  };
}

const MOST_UNDONE = 100;

/** The program of the document, opened shortly after the last key. */
function useProgram(
  document: Document,
  files: { readonly current: ReadonlyArray<GivenFile> | undefined },
  client: Client,
  tell: (trouble: string | undefined) => void,
): Pick<Session, 'program' | 'findings' | 'isCurrent'> {
  const [program, setProgram] = useState<Program>();
  const [origin, setOrigin] = useState<Pick<Document, 'text' | 'file'>>();
  const [findings, setFindings] = useState<ReadonlyArray<Finding>>([]);
  const open = async (): Promise<void> => {
    const source = sourceOf(document, files.current);
    if (source === undefined) {
      tell(`The link names ${document.file?.name}, and is too short to hold it: drop the file.`);
      return;
    }
    try {
      const answer = await client.call('open', 'a', source);
      setFindings(answer.ok ? answer.warnings : answer.findings);
      setProgram(answer.ok ? answer.value : undefined);
      setOrigin(document);
      if (answer.ok) tell(undefined);
    } catch (error) {
      tell(troubleOf(error));
    }
  };
  useEffect(() => {
    if (document.text === '' && document.file === undefined) return;
    const timer = setTimeout(open, OPEN_AFTER);
    return () => clearTimeout(timer);
  }, [document.text, document.file]);
  const isCurrent = origin?.text === document.text && origin.file === document.file;
  return { program, findings, isCurrent };
}

function useCatalogue({ view, steps }: Document, client: Client): Pick<Session, 'catalogue'> {
  const [catalogue, setCatalogue] = useState<Catalogue>();
  const isPipeline = view === 'pipeline' || steps.length > 0;
  useEffect(() => {
    if (isPipeline && catalogue === undefined) void client.call('catalogue').then(setCatalogue);
  }, [isPipeline]);
  return { catalogue };
}

/** The pipeline runs again after each change of the program or of its steps. */
function usePipeline(
  steps: ReadonlyArray<Step>,
  { program, isCurrent }: Pick<Session, 'program' | 'isCurrent'>,
  client: Client,
  ask: Session['ask'],
): Pick<Session, 'trail'> {
  const [trail, setTrail] = useState<Trail>();
  useEffect(() => {
    if (!isCurrent) return;
    if (program === undefined || steps.length === 0) {
      setTrail(undefined);
      return;
    }
    let isWanted = true;
    void ask(client.call('optimize', steps)).then((found) => {
      if (isWanted) setTrail(found);
    });
    return () => {
      isWanted = false;
    };
  }, [program, steps, isCurrent]);
  return { trail };
}

/** The files that `baton playground` serves with the page. */
async function servedFiles(): Promise<ReadonlyArray<GivenFile>> {
  const names = (await (await fetch('./files.json')).json()) as ReadonlyArray<string>;
  return Promise.all(
    names.map(async (name, at) => {
      const response = await fetch(`./file/${at}`);
      return { name, content: await response.blob() };
    }),
  );
}

/** The model in some files; the bytes of a small one are part of links. */
async function heldFile(files: ReadonlyArray<GivenFile>): Promise<Document['file']> {
  const model = modelAmong(files);
  if (model === undefined) return undefined;
  const { name, content } = model;
  const isSmall = files.length === 1 && content.size <= MAX_HELD;
  const bytes = isSmall ? new Uint8Array(await content.arrayBuffer()) : undefined;
  return { name, base64: bytes && base64Of(bytes) };
}

function save(document: Document): void {
  try {
    localStorage.setItem(SAVED, JSON.stringify(document));
  } catch {
    // A page from a file, or a full disk: nothing is kept.
  }
}

function saved(): Document | undefined {
  try {
    return checked(JSON.parse(localStorage.getItem(SAVED) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** The source of a document; `undefined` if it names a file that is not available. */
function sourceOf(
  { text, file }: Document,
  files: ReadonlyArray<GivenFile> | undefined,
): Source | undefined {
  if (file === undefined) return { kind: 'text', text };
  const model = MODEL_NAMES.find((name) => modelFile(name).name === file.name);
  if (model !== undefined) return { kind: 'model', name: model };
  if (files?.some(({ name }) => name === file.name) === true) return { kind: 'files', files };
  if (file.base64 === undefined) return undefined;
  return { kind: 'files', files: [{ name: file.name, content: new Blob([bytesOf(file.base64)]) }] };
}

/** The address of the page with the document in it. */
export const linkTo = async (document: Document): Promise<string> =>
  `${location.href.replace(/#.*$/, '')}${await toFragment(document)}`;
