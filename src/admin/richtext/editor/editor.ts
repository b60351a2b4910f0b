// The editor of one rich text field: ProseMirror with our parts, a value going in and coming out. It draws nothing
// besides the text; its toolbar and menus are components that follow `onState`.
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { EditorState, Plugin, type Transaction } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { Mapping } from 'prosemirror-transform';
import { EditorView } from 'prosemirror-view';
import { KEPT_FREE } from '../../ui/bars.ts';
import { sourcesOf } from '../markdown/definitions.ts';
import { followDefinitions } from '../markdown/references.ts';
import type { RichTextValue } from '../rich-text-value.ts';
import { openValue } from '../rich-text-value.ts';
import { schemaOf } from '../schema.ts';
import { cleanPaste } from './clean-paste.ts';
import { type ImageParts, imageUploads } from './images.ts';
import { toKeys } from './keys.ts';
import { pasteMarkdown } from './paste-markdown.ts';
import { shortcuts } from './shortcuts.ts';
import { slashMenu } from './slash-menu.ts';
import { taskItemView } from './task-item-view.ts';

export interface EditorOptions extends ImageParts {
  place: HTMLElement;
  opened: RichTextValue;
  /** Attributes of the text box, read again with each change of the screen. */
  attributes(): Record<string, string>;
  isEditable(): boolean;
  /** Called soon after a change with what the field is now. */
  onValue(value: unknown, isFaithful: boolean): void;
  onState(state: EditorState): void;
  /** Called with all of the text at first, and soon after each change. */
  onText(document: Node): void;
  openLink(): void;
  /** True if the key was taken by an open menu. */
  onMenuKey(event: KeyboardEvent): boolean;
}

export interface RichTextEditor {
  view: EditorView;
  /** Others' change: the words that are the same stay, and the cursor with them. False if its kind is another. */
  accept(value: unknown): boolean;
  /** Writes what is waiting. */
  flush(): void;
  destroy(): void;
}

/** Long enough for a burst of keys, short enough that nobody waits for it. */
const QUIET_MS = 150;
/** Keys without a pause do not keep the text from the device for longer. */
const LONGEST_MS = 1000;
const FROM_OUTSIDE = 'fromOutside';

export function createEditor(options: EditorOptions): RichTextEditor {
  let { opened } = options;
  /** What the text was when it was written last, and what happened to positions since. */
  let written = opened.document;
  let since = new Mapping();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = 0;

  function flush(): void {
    clearTimeout(timer);
    due = 0;
    const { doc } = view.state;
    if (doc === written) return;
    written = doc;
    since = new Mapping();
    const { value, isFaithful } = opened.write(doc);
    options.onValue(value, isFaithful);
    options.onText(doc);
  }

  function onTransaction(tr: Transaction): void {
    view.updateState(view.state.apply(tr));
    if (tr.docChanged && tr.getMeta(FROM_OUTSIDE) !== true) {
      since.appendMapping(tr.mapping);
      clearTimeout(timer);
      due ||= tr.time + LONGEST_MS;
      timer = setTimeout(flush, Math.min(QUIET_MS, due - tr.time));
    } else if (tr.docChanged) options.onText(view.state.doc);
    options.onState(view.state);
  }

  function accept(value: unknown): boolean {
    const next = openValue(value);
    if (next?.kind !== opened.kind) return false;
    const isPending = view.state.doc !== written;
    const theirs = difference(written, next.document);
    const mine = isPending ? difference(written, view.state.doc) : undefined;
    if (theirs && mine && theirs.from <= mine.to && mine.from <= theirs.to) {
      // Both changed the same place: what is on the screen goes out, and who holds the value decides.
      flush();
      return true;
    }
    opened = next;
    if (theirs) {
      const { tr } = view.state;
      tr.replace(since.map(theirs.from, -1), since.map(theirs.to, 1), next.document.slice(theirs.from, theirs.end));
      view.dispatch(tr.setMeta('addToHistory', false).setMeta(FROM_OUTSIDE, true));
    }
    if (isPending) flush();
    else written = view.state.doc;
    return true;
  }

  const view = new EditorView(options.place, {
    state: EditorState.create({ doc: opened.document, plugins: plugins(options) }),
    dispatchTransaction: onTransaction,
    ...{ scrollMargin: KEPT_FREE, scrollThreshold: KEPT_FREE },
    editable: options.isEditable,
    attributes: options.attributes,
    nodeViews: { taskItem: taskItemView },
    transformPastedHTML: cleanPaste,
    handleKeyDown: (_view, event) => options.onMenuKey(event),
    handleDOMEvents: {
      blur: () => flush(),
      keydown(_view, event) {
        // The shortcuts of the document, such as saving, want all of the text.
        if (event.ctrlKey || event.metaKey) flush();
      },
    },
  });
  options.onState(view.state);
  options.onText(view.state.doc);
  // Before the page is left, the keeper of the value has to know all of it, so this listener is the first.
  addEventListener('beforeunload', flush, true);

  return {
    ...{ view, accept, flush },
    destroy() {
      removeEventListener('beforeunload', flush, true);
      flush();
      view.destroy();
    },
  };
}

function plugins(options: EditorOptions): Plugin[] {
  const schema = schemaOf(options.opened.kind);
  return [
    slashMenu(),
    shortcuts(schema),
    imageUploads(options),
    keymap(toKeys(schema, options)),
    history(),
    tableEditing(),
    ...(options.opened.kind === 'markdown' ? [definitions(), pasteMarkdown()] : []),
  ];
}

/** Reference links follow their definitions, whether those are edited or the links come from another text. */
function definitions(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      if (!transactions.some(({ docChanged }) => docChanged)) return null;
      const isPasted = transactions.some((tr) => tr.getMeta('paste') || tr.getMeta('uiEvent') === 'drop');
      const [old, now] = [sourcesOf(before.doc.children), sourcesOf(state.doc.children)];
      const isSame = old.length === now.length && old.every((node, at) => node === now[at]);
      if (isSame && !isPasted) return null;
      const { tr } = state;
      followDefinitions(tr);
      return tr.docChanged ? tr : null;
    },
  });
}

/** The part of a document that another one has different: `from` to `to` in it, `from` to `end` in the other. */
function difference(
  one: EditorState['doc'],
  other: EditorState['doc'],
): { from: number; to: number; end: number } | undefined {
  const from = one.content.findDiffStart(other.content);
  const ends = one.content.findDiffEnd(other.content);
  if (from === null || ends === null) return undefined;
  const overlap = Math.max(0, from - Math.min(ends.a, ends.b));
  return { from, to: ends.a + overlap, end: ends.b + overlap };
}
