// Footnotes in Markdown: `[^1]` in the text, `[^1]: what it says` anywhere. The notes are a list at the end of the text.
import type { MarkedExtension, Tokens } from 'marked';
import type { LinearLexer } from '../../lib/markdown/linear-lexer.ts';
import { escapeHtml } from '../theme/safe-html.ts';
import { current, type MarkdownRun } from './markdown-run.ts';

const DEFINITION =
  /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*([^\n]*(?:\n(?:[ \t]*\n)*(?: {2,}|\t)[^\n]+|\n(?! {0,3}\[\^|[ \t]*(?:\n|$))[^\n]+)*)(?:\n+|$)/;
/** A paragraph ends at a blank line anyway. */
const END = /\n(?:[ \t]*(?:\n|$)| {0,3}\[\^[^\]\s]+\]:)/;
const REFERENCE = /^\[\^([^\]\s]{1,80})\](?!:)/;

export const FOOTNOTES: MarkedExtension = {
  extensions: [
    {
      name: 'footnoteDefinition',
      level: 'block',
      // marked leaves out the first character, so that a text does not begin with what ends it.
      start(source) {
        const found = END.exec(source);
        // In a list's item, each line asks again.
        (this.lexer as LinearLexer).charge(found ? found.index : source.length);
        return found?.[0].endsWith(':') ? found.index + 1 : undefined;
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
      // Without a `start`: text ends at each bracket.
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
  let note = footnotes.get(name);
  const isFirst = !note;
  if (!note) footnotes.set(name, (note = { name, number: ids.nextFootnote() }));
  const id = isFirst ? ` id="fnref-${note.number}"` : '';
  return `<sup${id}><a href="#fn-${note.number}">${note.number}</a></sup>`;
}

/** Renders the notes that the text refers to, and those that they refer to. */
export function footnotesHtml({ footnotes, definitions }: MarkdownRun, render: (text: string) => string): string {
  for (const note of footnotes.values()) note.html = render(definitions.get(note.name) ?? '').trim();
  const notes = [...footnotes.values()];
  if (notes.length === 0) return '';
  const items = notes.map(({ number, html = '' }) => {
    const back = ` <a href="#fnref-${number}" aria-label="↩ ${number}">↩</a>`;
    const inner = html.endsWith('</p>') ? `${html.slice(0, -'</p>'.length)}${back}</p>` : html + back;
    return `<li id="fn-${number}">${inner}</li>\n`;
  });
  return `<div class="footnotes">\n<ol${notes[0]!.number === 1 ? '' : ` start="${notes[0]!.number}"`}>\n${items.join('')}</ol>\n</div>\n`;
}
