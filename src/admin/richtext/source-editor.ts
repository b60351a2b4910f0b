// An editor for source on CodeMirror, whose packages are named one by one: its bundles bring languages that nobody asked
// for. The text keeps its line ends.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  defineLanguageFacet,
  HighlightStyle,
  indentOnInput,
  Language,
  syntaxHighlighting,
} from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';
import { KEPT_FREE } from '../ui/bars.ts';
import { textDirection } from './text-direction.ts';

export interface SourceLook {
  id: string;
  label: string;
  isReadOnly: boolean;
  describedBy: string | undefined;
  isInvalid: boolean;
  /** The tag of the language that the text is in; undefined for text for machines, which runs from left to right. */
  locale: string | undefined;
}

export interface SourceEditor {
  /** Others' text: where it is the same, the cursor stays. */
  setText(text: string): void;
  setLook(look: SourceLook): void;
  setLanguage(name: 'markdown' | 'json' | 'html'): Promise<void>;
  destroy(): void;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.heading, tags.strong], fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url, tags.tagName, tags.propertyName], color: 'var(--red)' },
  { tag: [tags.processingInstruction, tags.meta, tags.comment, tags.punctuation, tags.bracket], color: 'var(--soft)' },
  { tag: [tags.monospace, tags.string, tags.attributeValue, tags.number, tags.bool, tags.null], color: 'var(--amber)' },
]);

const LOOKS = EditorView.theme({
  '&': { background: 'var(--sheet)', color: 'var(--ink)' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderInlineStartColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--red) 22%, transparent)',
  },
  '.cm-panels': { background: 'var(--wash)', color: 'var(--ink)' },
});

export function createSourceEditor(
  place: HTMLElement,
  { value, onChange }: { value: string; onChange(text: string): void },
): SourceEditor {
  const look = new Compartment();
  const language = new Compartment();
  let isOurs = false;
  const lineEnd = /\r\n?|\n/.exec(value)?.[0] ?? '\n';
  const textOf = (): string => view.state.doc.sliceString(0, undefined, lineEnd);
  let isGone = false;

  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: value,
      extensions: [
        ...nonce(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(COLOURS),
        LOOKS,
        EditorView.lineWrapping,
        EditorView.scrollMargins.of(() => ({ top: KEPT_FREE.top, bottom: KEPT_FREE.bottom })),
        // Without Ctrl+Enter, which is the document's; Tab leaves the text.
        keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
        look.of([]),
        language.of([]),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !isOurs) onChange(textOf());
        }),
      ],
    }),
  });

  return {
    setText(text) {
      const now = textOf();
      if (text === now) return;
      isOurs = true;
      view.dispatch({ changes: difference(view.state.doc.toString(), text.replace(/\r\n?/g, '\n')) });
      isOurs = false;
    },
    setLook: (next) => view.dispatch({ effects: look.reconfigure(toExtension(next)) }),
    async setLanguage(name) {
      if (!isColourable(view.state.doc.toString())) return;
      const extension = await loadLanguage(name);
      if (!isGone) view.dispatch({ effects: language.reconfigure(extension) });
    },
    destroy() {
      isGone = true;
      view.destroy();
    },
  };
}

/** The page's policy lets in styles with its nonce. */
function nonce(): Extension[] {
  const value = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce;
  return value ? [EditorView.cspNonce.of(value)] : [];
}

function toExtension({ id, label, isReadOnly, describedBy, isInvalid, locale }: SourceLook): Extension {
  return [
    textDirection(locale),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      id,
      'aria-label': label,
      spellcheck: 'false',
      ...(isReadOnly ? { 'aria-readonly': 'true' } : {}),
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    }),
  ];
}

/** Colours are found block by block, and a long one without an end to its marks would hold up the tab. */
const LONGEST_BLOCK = 10_000;

function isColourable(text: string): boolean {
  return text.split(/\n[ \t]*\n/).every((block) => block.length <= LONGEST_BLOCK);
}

async function loadLanguage(name: 'markdown' | 'json' | 'html'): Promise<Extension> {
  if (name === 'html') return (await import('./source-html.ts')).html({ autoCloseTags: false });
  if (name === 'json') return (await import('@codemirror/lang-json')).json();
  return new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown').extension;
}

/** The one range in which two texts differ. */
function difference(one: string, other: string): { from: number; to: number; insert: string } {
  let from = 0;
  const shorter = Math.min(one.length, other.length);
  while (from < shorter && one[from] === other[from]) from++;
  let end = 0;
  while (end < shorter - from && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { from, to: one.length - end, insert: other.slice(from, other.length - end) };
}
