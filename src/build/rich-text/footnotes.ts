// Footnotes in Markdown: `[^1]` in the text, `[^1]: what it says` anywhere. The notes are a list at the end of the text.
import type { MarkedExtension, Tokens } from 'marked';
import { escapeHtml } from '../theme/safe-html.ts';
import { current, type MarkdownRun } from './markdown-run.ts';

const DEFINITION =
  /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*([^\n]*(?:\n(?:[ \t]*\n)*(?: {2,}|\t)[^\n]+|\n(?! {0,3}\[\^|[ \t]*(?:\n|$))[^\n]+)*)(?:\n+|$)/;
const REFERENCE = /^\[\^([^\]\s]{1,80})\](?!:)/;

export const FOOTNOTES: MarkedExtension = {
  extensions: [
    {
      name: 'footnoteDefinition',
      level: 'block',
      // marked leaves out the first character, so that a text does not begin with what ends it.
      start(source) {
        const at = source.search(/\n {0,3}\[\^[^\]\s]+\]:/);
        return at < 0 ? undefined : at + 1;
      },
      tokenizer(source) {
        const [raw, name = '', text = ''] = DEFINITION.exec(source) ?? [];
        if (raw === undefined) return undefined;
        const { definitions } = current.run!;
        if (!definitions.has(name)) definitions.set(name, text.replace(/^(?: {2,4}|\t)/gm, ''));
        return { type: 'footnoteDefinition', raw };
      },
      renderer: () => '',
    },
    {
      name: 'footnote',
      level: 'inline',
      start: (source) => source.indexOf('[^'),
      tokenizer(source) {
        const [raw, name] = REFERENCE.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'footnote', raw, name };
      },
      renderer: (token) => referenceHtml(token as Tokens.Generic, current.run!),
    },
  ],
};

function referenceHtml({ raw, name }: Tokens.Generic, { definitions, footnotes, ids }: MarkdownRun): string {
  if (!definitions.has(name)) return escapeHtml(raw);
  let note = footnotes.find((one) => one.name === name);
  const isFirst = !note;
  if (!note) footnotes.push((note = { name, number: ids.nextFootnote() }));
  const id = isFirst ? ` id="fnref-${note.number}"` : '';
  return `<sup${id}><a href="#fn-${note.number}">${note.number}</a></sup>`;
}

/** Renders the notes that the text refers to, and those that they refer to. */
export function footnotesHtml({ footnotes, definitions }: MarkdownRun, render: (text: string) => string): string {
  for (const note of footnotes) note.html = render(definitions.get(note.name) ?? '').trim();
  if (footnotes.length === 0) return '';
  const items = footnotes.map(({ number, html = '' }) => {
    const back = ` <a href="#fnref-${number}" aria-label="↩ ${number}">↩</a>`;
    const inner = html.endsWith('</p>') ? `${html.slice(0, -'</p>'.length)}${back}</p>` : html + back;
    return `<li id="fn-${number}">${inner}</li>\n`;
  });
  return `<div class="footnotes">\n<ol${footnotes[0]!.number === 1 ? '' : ` start="${footnotes[0]!.number}"`}>\n${items.join('')}</ol>\n</div>\n`;
}
