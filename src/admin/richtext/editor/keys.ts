// The keys of the editor. Ctrl+Enter and Ctrl+S are the document's; Tab leaves the text outside of lists and tables.
import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import type { ResolvedPos, Schema } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, NodeSelection, TextSelection } from 'prosemirror-state';
import { addRowAfter, goToNextCell } from 'prosemirror-tables';
import { isInside, toggleBlock, toggleList, toggleQuote } from './commands.ts';
import { extendSelection } from './extend-selection.ts';

export type Keys = Record<string, Command>;

export function toKeys(schema: Schema, { openLink }: { openLink: () => void }): Keys {
  const { nodes, marks } = schema;
  const { listItem, taskItem } = nodes;
  const { 'Mod-Enter': _exit, ...base } = baseKeymap;
  const headings = [1, 2, 3, 4, 5, 6].map((level): [string, Command] => [
    `Mod-Alt-${level}`,
    toggleBlock(nodes.heading!, { level }),
  ]);
  return {
    ...base,
    'Mod-b': toggleMark(marks.bold!),
    'Mod-i': toggleMark(marks.italic!),
    'Mod-e': toggleMark(marks.code!),
    'Mod-Shift-x': toggleMark(marks.strike!),
    ...(marks.underline ? { 'Mod-u': toggleMark(marks.underline) } : {}),
    'Mod-k': () => {
      openLink();
      return true;
    },
    'Mod-z': undo,
    'Mod-Shift-z': redo,
    'Mod-y': redo,
    ...Object.fromEntries(headings),
    'Mod-Alt-0': toggleBlock(nodes.paragraph!),
    'Mod-Shift-7': toggleList('orderedList'),
    'Mod-Shift-8': toggleList('bulletList'),
    'Mod-Shift-9': toggleList('taskList'),
    'Mod-Shift-b': toggleQuote,
    Backspace: chainCommands(undoInputRule, base.Backspace!),
    Enter: chainCommands(
      openFence,
      stayInCell,
      splitListItem(listItem!),
      splitListItem(taskItem!, { checked: false }),
      base.Enter!,
    ),
    'Shift-Enter': chainCommands(exitCode, lineBreak),
    ArrowUp: leaveAtEdge('before'),
    ArrowDown: leaveAtEdge('after'),
    'Shift-ArrowUp': extendSelection(-1),
    'Shift-ArrowDown': extendSelection(1),
    Tab: chainCommands(goToNextCell(1), addRowBelow, sinkListItem(listItem!), sinkListItem(taskItem!), keepFocus),
    'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(listItem!), liftListItem(taskItem!), keepFocus),
  };
}

/** In a list or a table Tab does not leave the text, even if there is no further to go. */
const keepFocus: Command = (state) =>
  isInside(state, 'table') || isInside(state, 'listItem') || isInside(state, 'taskItem');

const addRowBelow: Command = (state, dispatch, view) => {
  if (!isInside(state, 'table') || !view || !dispatch) return false;
  addRowAfter(state, dispatch);
  return goToNextCell(1)(view.state, view.dispatch);
};

/** Three backticks and Enter begin a code block, as three backticks and a space do. */
const openFence: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { codeBlock } = state.schema.nodes;
  const [, language] = /^```([\w+#.-]*)$/.exec($from.parent.textContent) ?? [];
  if (!empty || language === undefined || $from.parent.type.name !== 'paragraph') return false;
  const { tr } = state;
  tr.delete($from.start(), $from.end()).setBlockType($from.start(), $from.start(), codeBlock!, {
    language: language || null,
  });
  dispatch?.(tr);
  return true;
};

/** A cell of Markdown is one line. */
const stayInCell: Command = (state) => isInside(state, 'table') && state.schema.marks.source !== undefined;

const lineBreak: Command = (state, dispatch) => {
  const { nodes, marks } = state.schema;
  const isCell = isInside(state, 'table') && marks.source !== undefined;
  const made = isCell ? state.schema.text('<br>', [marks.source!.create()]) : nodes.hardBreak!.create();
  dispatch?.(state.tr.replaceSelectionWith(made, false).scrollIntoView());
  return true;
};

/** A paragraph before the first or after the last block, if that is one which the cursor could not leave otherwise. */
function leaveAtEdge(side: 'before' | 'after'): Command {
  return (state, dispatch, view) => {
    const { selection, doc, schema } = state;
    const { $from, $to } = selection;
    const edge = side === 'before' ? doc.firstChild : doc.lastChild;
    const index = side === 'before' ? 0 : doc.childCount - 1;
    const isThere = selection instanceof NodeSelection ? $from.index(0) === index : $to.index(0) === index;
    if (!edge || !isThere || edge.type.name === 'paragraph' || edge.type.name === 'heading') return false;
    const at = side === 'before' ? 0 : doc.content.size;
    if (selection.empty && !view?.endOfTextblock(side === 'before' ? 'up' : 'down')) return false;
    if (selection.empty && !isOutermost($from, side)) return false;
    const { tr } = state;
    tr.insert(at, schema.nodes.paragraph!.create());
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
    return true;
  };
}

/** Whether nothing but ends, or beginnings, of blocks is between a place and the edge of the document. */
function isOutermost($at: ResolvedPos, side: 'before' | 'after'): boolean {
  for (let depth = 0; depth < $at.depth; depth++) {
    // Cells beside each other are as far from the edge.
    if ($at.node(depth).type.name === 'tableRow') continue;
    const last = side === 'before' ? 0 : $at.node(depth).childCount - 1;
    if ($at.index(depth) !== last) return false;
  }
  return true;
}
