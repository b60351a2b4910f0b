// What the toolbar and the menu of blocks draw of a state. They are drawn again only if it differs, which most keys do
// not make it: drawing them took longer than the key itself. Pure.
import { redo, undo } from 'prosemirror-history';
import type { EditorState } from 'prosemirror-state';
import { findImage, hasMark } from './commands.ts';
import { SLASH } from './slash-menu.ts';

/** Two states with the same text look the same around the words. */
export function toLooks(state: EditorState): string {
  const { $from } = state.selection;
  const around = Array.from({ length: $from.depth }, (_, above) => $from.node(above + 1).type.name);
  const marks = Object.values(state.schema.marks).map((type) => hasMark(state, type));
  const isImage = findImage(state) !== undefined;
  return JSON.stringify([
    around,
    $from.parent.attrs.level,
    marks,
    undo(state),
    redo(state),
    isImage,
    SLASH.getState(state),
  ]);
}
