/** The report as one HTML file without network or server; its policy allows only its own script. */
import { scriptText } from '@baton/base';
import type { PageData, PageSchema } from './page/data.ts';

export const PAGE_SCHEMA: PageSchema = 'baton.page/4';

/** A text of the page, and its hash for a policy: `sha256-…`. */
export interface PageAsset {
  readonly text: string;
  readonly hash: string;
}

/** The page's script and style, `page/main.ts` and `page/style.css`, each bundled in one file. */
export interface PageAssets {
  readonly script: PageAsset;
  readonly style: PageAsset;
}

export function pageHtml(data: PageData, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${script.hash}'`,
    `style-src '${style.hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Baton: optimization report</title>
<style>${style.text}</style>
</head>
<body>
<div id="page"></div>
<noscript>This report is drawn by a script that it carries.</noscript>
<script type="application/json" id="data">${scriptText(data)}</script>
<script>${script.text}</script>
</body>
</html>
`;
}
