/** Programs: read from sources, measured, drawn and printed. */
import { type Diagnostic, diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import { drawingOf, graphOf, makeTextTable } from '@baton/drawing';
import { type Expr, type IRModule, inferTypes, typeOf } from '@baton/ir';
import { measureModule, standardOps } from '@baton/ops';
import { fromJson, modelForm, parseModule, printModule, printType } from '@baton/text';
import {
  type Figures,
  type GivenFile,
  type ModelName,
  modelAmong,
  type NamedFile,
  type Picture,
  type Port,
  type Program,
  type Source,
} from '../protocol.ts';
import { withHeader } from './findings.ts';

/** A program that was read, with the name and the form of its source. */
export interface Read {
  readonly name: string;
  readonly form: Program['form'];
  readonly module: IRModule;
}

export async function read(
  source: Source,
  onWarning: (warning: Diagnostic) => void,
): Promise<Result<Read>> {
  const found =
    source.kind === 'text'
      ? fromText(source.text)
      : source.kind === 'model'
        ? await fromGallery(source.name)
        : await fromFiles(source.files, onWarning);
  if (isLeft(found)) return found;
  const typed = inferTypes(found.right.module);
  return isLeft(typed) ? typed : right({ ...found.right, module: typed.right });
}

/** Relay text, which may omit its version. */
function fromText(text: string): Result<Read> {
  const module = parseModule(withHeader(text), { ops: standardOps, source: 'text' });
  return isLeft(module) ? module : right({ name: 'text', form: 'relay', module: module.right });
}

async function fromGallery(name: ModelName): Promise<Result<Read>> {
  const { modelOf } = await import('./models.ts');
  return right({ name, form: 'model', module: modelOf(name) });
}

async function fromFiles(
  given: ReadonlyArray<GivenFile>,
  onWarning: (warning: Diagnostic) => void,
): Promise<Result<Read>> {
  const files = await Promise.all(given.map(bytesOf));
  const model = modelAmong(files);
  if (model === undefined) {
    return fail(diagnostic('PLAYGROUND_NO_FILE', 'no file was given'));
  }
  const { name, bytes } = model;
  const form = modelForm(bytes);
  if (form === 'onnx') {
    const { importOnnx } = await import('./onnx.ts');
    const beside = new Map(files.map((file) => [file.name, file.bytes]));
    const module = importOnnx(bytes, {
      ops: standardOps,
      source: name,
      ownsBytes: true,
      onWarning,
      externalData: ({ location, offset = 0, length }) => {
        const whole = beside.get(location.replace(/^.*[/\\]/, ''));
        return whole?.subarray(offset, length === undefined ? undefined : offset + length);
      },
    });
    return isLeft(module) ? module : right({ name, form, module: module.right });
  }
  const text = new TextDecoder().decode(bytes);
  const module =
    form === 'json'
      ? fromJson(text, { ops: standardOps })
      : parseModule(text, { ops: standardOps, source: name });
  return isLeft(module) ? module : right({ name, form, module: module.right });
}

const bytesOf = async ({ name, content }: GivenFile): Promise<NamedFile> => ({
  name,
  bytes: new Uint8Array(await content.arrayBuffer()),
});

export const shown = ({ name, form, module }: Read): Program => ({
  name,
  form,
  ...portsOf(module),
  figures: figuresOf(module),
  picture: pictureOf(module),
  // Positions in the file become comments: its nodes have names, which the text lacks.
  text: textOf(module, form === 'onnx'),
});

function portsOf(m: IRModule): { readonly inputs: ReadonlyArray<Port>; readonly output: string } {
  const main = m.functions.get('main');
  if (main === undefined) return { inputs: [], output: '' };
  const type = typeOf(m, main.body);
  return {
    inputs: main.params.map((param) => {
      const own = typeOf(m, param) ?? param.typeAnnotation;
      return { name: param.nameHint, type: own === undefined ? '' : printType(own) };
    }),
    output: type === undefined ? '' : printType(type),
  };
}

export function figuresOf(m: IRModule): Figures {
  const { nodes, kernels, flops, bytesMoved, paramBytes } = measureModule(m);
  return { nodes, kernels, flops, bytesMoved, paramBytes };
}

/** The most cards of a drawing: beyond this, a page shows only the text. */
export const MAX_CARDS = 25_000;

export const pictureOf = (m: IRModule): Picture => drawn(m).picture;

export interface Drawn {
  readonly picture: Picture;
  readonly nodes: ReadonlyArray<ReadonlyArray<Expr>>;
}

export function drawn(m: IRModule): Drawn {
  const texts = makeTextTable();
  const graph = graphOf(m, texts);
  const drawing = drawingOf(graph, texts.all(), { most: MAX_CARDS });
  return { picture: { drawing, texts: texts.all() }, nodes: graph.nodes };
}

const MAX_TEXT = 2_000_000;

/** A program as Relay text, without the elements of its constants, optionally with origins. */
export function textOf(m: IRModule, showSpans = false): string {
  const text = printModule(m, { meta: 'omit', showTypes: false, showSpans });
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n// … cut here\n`;
}
