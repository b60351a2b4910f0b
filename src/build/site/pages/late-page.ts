// A page for a document that its theme could not show in time: title and words, as they are written.
import { isObject } from '../../../lib/json.ts';
import { html } from '../../../lib/text/markup.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteDocument } from '../read/site-document.ts';

const MOST_CHARS = 5_000_000;

export function makeLatePage({ locale }: Pick<PlannedPage, 'locale'>, { title }: SiteDocument, data: unknown): Buffer {
  const words: string[] = [];
  collect(data, words, { left: MOST_CHARS });
  const page = html`<!doctype html>
<html lang="${locale || 'en'}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body>
<main>
<h1>${title}</h1>
<p style="white-space: pre-wrap; overflow-wrap: anywhere">${words.join('\n\n')}</p>
</main>
</body>
</html>
`;
  return Buffer.from(page.markup);
}

/** The texts of a value, in their order. JSON of a document nests no deeper than a stack (lib/json.ts). */
function collect(value: unknown, words: string[], room: { left: number }): void {
  if (room.left <= 0) return;
  if (typeof value === 'string') {
    words.push(value.slice(0, room.left));
    room.left -= value.length;
  } else if (Array.isArray(value)) for (const item of value) collect(item, words, room);
  else if (isObject(value)) for (const item of Object.values(value)) collect(item, words, room);
}
