// In which direction the lines of Markdown run: each as its own letters do, one without letters as the language of the
// document does, and code from left to right.
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { directionOf, type TextDirection } from './direction-of.ts';

const CODE = /^(?:FencedCode|CodeBlock|HTMLBlock)$/;

const LINES: Readonly<Record<TextDirection, Decoration>> = {
  ltr: Decoration.line({ attributes: { dir: 'ltr' } }),
  rtl: Decoration.line({ attributes: { dir: 'rtl' } }),
};

/** Undefined is for text for machines. */
export function textDirection(locale: string | undefined): Extension {
  if (locale === undefined) return EditorView.contentAttributes.of({ dir: 'ltr' });
  const base = directionOf('', locale);
  return [
    EditorView.contentAttributes.of({ dir: base, ...(locale === '' ? {} : { lang: locale }) }),
    EditorView.perLineTextDirection.of(true),
    ViewPlugin.define((view) => new Directions(view, locale), { decorations: ({ lines }) => lines }),
  ];
}

class Directions {
  lines: DecorationSet;
  readonly #locale: string;

  constructor(view: EditorView, locale: string) {
    this.#locale = locale;
    this.lines = readLines(view, locale);
  }

  update({ docChanged, viewportChanged, startState, state, view }: ViewUpdate): void {
    const isParsed = syntaxTree(startState) !== syntaxTree(state);
    if (docChanged || viewportChanged || isParsed) this.lines = readLines(view, this.#locale);
  }
}

function readLines({ state, visibleRanges }: EditorView, locale: string): DecorationSet {
  const lines: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const direction = isCode(state, line.from) ? 'ltr' : directionOf(line.text, locale);
      lines.push(LINES[direction].range(line.from));
      at = line.to + 1;
    }
  }
  return RangeSet.of(lines);
}

function isCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, 1); ; ) {
    if (CODE.test(node.name)) return true;
    if (!node.parent) return false;
    node = node.parent;
  }
}
