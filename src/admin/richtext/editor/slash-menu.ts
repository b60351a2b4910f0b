// The menu of blocks that opens when one types `/` at the beginning of a word: what it holds and what fits the letters
// after it. Pure.
import { toggleMark } from 'prosemirror-commands';
import type { Schema } from 'prosemirror-model';
import { type Command, type EditorState, Plugin, PluginKey } from 'prosemirror-state';
import type { TextKey } from '../../text/translate.ts';
import { insertBlock, insertTable, isInside, toggleBlock, toggleList, toggleQuote } from './commands.ts';

export interface BlockChoice {
  label: TextKey;
  run: Command | 'image';
}

export function listChoices({ nodes, marks }: Schema): BlockChoice[] {
  return [
    { label: 'rt.heading2', run: toggleBlock(nodes.heading!, { level: 2 }) },
    { label: 'rt.heading3', run: toggleBlock(nodes.heading!, { level: 3 }) },
    { label: 'rt.heading4', run: toggleBlock(nodes.heading!, { level: 4 }) },
    { label: 'rt.bullets', run: toggleList('bulletList') },
    { label: 'rt.numbers', run: toggleList('orderedList') },
    { label: 'rt.tasks', run: toggleList('taskList') },
    { label: 'rt.quote', run: toggleQuote },
    { label: 'rt.codeBlock', run: toggleBlock(nodes.codeBlock!) },
    { label: 'rt.table', run: insertTable },
    { label: 'rt.image', run: 'image' },
    { label: 'rt.rule', run: insertBlock(nodes.horizontalRule!.create()) },
    ...(nodes.markdownSource ? [{ label: 'rt.sourceBlock' as const, run: toggleBlock(nodes.markdownSource) }] : []),
    ...(marks.underline ? [{ label: 'rt.underline' as const, run: toggleMark(marks.underline) }] : []),
  ];
}

export interface SlashState {
  /** The position of the slash. */
  from: number;
  to: number;
  query: string;
}

type SlashEvent = 'open' | 'close';

export const SLASH = new PluginKey<SlashState | undefined>('slash');

const QUERY = /(?:^|\s)\/([\p{L}\d]{0,20})$/u;

export function slashMenu(): Plugin {
  return new Plugin<SlashState | undefined>({
    key: SLASH,
    state: {
      init: () => undefined,
      apply(tr, before, _old, state) {
        const event = tr.getMeta(SLASH) as SlashEvent | undefined;
        if (event === 'close' || (before === undefined && event !== 'open')) return undefined;
        return findQuery(state);
      },
    },
    props: {
      handleTextInput(view, from, to, text) {
        if (text !== '/' || isInside(view.state, 'codeBlock') || isInside(view.state, 'markdownSource')) return false;
        view.dispatch(view.state.tr.insertText(text, from, to).setMeta(SLASH, 'open' satisfies SlashEvent));
        return true;
      },
    },
  });
}

function findQuery({ selection }: EditorState): SlashState | undefined {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock) return undefined;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 30),
    $from.parentOffset,
    undefined,
    '\ufffc',
  );
  const [, query] = QUERY.exec(before) ?? [];
  return query === undefined ? undefined : { from: $from.pos - query.length - 1, to: $from.pos, query };
}
