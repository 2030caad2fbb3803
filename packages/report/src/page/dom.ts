/** Builds elements with text nodes, never from markup: names come from files. */

export type Content = Node | string;

export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | EventListener;
}

const SVG = 'http://www.w3.org/2000/svg';

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...content: ReadonlyArray<Content>
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, content);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...content: ReadonlyArray<Content>
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, content);
}

function filled<E extends Element>(
  element: E,
  attributes: Attributes,
  content: ReadonlyArray<Content>,
): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : `${value}`);
  }
  element.append(...content);
  return element;
}
