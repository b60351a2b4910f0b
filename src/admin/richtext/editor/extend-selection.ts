// Shift with an arrow up or down, if the browser's own way leads back: a selection that begins outside of a table takes
// the table as a whole, and one at the edge of the text stays as it is.
import type { Node, ResolvedPos } from 'prosemirror-model';
import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';
import { CellSelection, cellAround, findTable, nextCell } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';

/** Up or down. */
type Direction = -1 | 1;

/** Leaves to the browser what the browser does well. */
export function extendSelection(direction: Direction): Command {
  return (state, dispatch, view) => {
    const { selection, doc } = state;
    if (selection instanceof CellSelection) return nextCell(selection.$headCell, 'vert', direction) === null;
    if (!(selection instanceof TextSelection) || !view) return false;
    const { $anchor, $head } = selection;
    if (!isOnLastLine(view, $head, direction)) return false;
    const ends = findEnds(view, state, direction);
    if (!ends) return false;
    const made = ends.map((end) => TextSelection.create(doc, $anchor.pos, end)).filter(isKept);
    const next = made.find(({ head }) => head !== $head.pos);
    if (next) dispatch?.(state.tr.setSelection(next).scrollIntoView());
    return true;
  };
}

/** Positions that the selection may end at next, the best first; undefined if the browser finds it. */
function findEnds(view: EditorView, { selection, doc }: EditorState, direction: Direction): number[] | undefined {
  const { $anchor, $head } = selection;
  const $cell = cellAround($head);
  const around = tableAround($anchor);
  if ($cell && around === tableAround($head)) {
    // From row to row the tables' own keys select cells.
    return nextCell($cell, 'vert', direction) === null ? [edgeOf($head, direction)] : undefined;
  }
  const beyond = ($at: ResolvedPos): number | undefined => {
    const table = findTable($at);
    if (!table || table.node === around) return undefined;
    return direction > 0 ? table.pos + table.node.nodeSize : table.pos;
  };
  let passed = beyond($head);
  let from = passed ?? (direction > 0 ? $head.after() : $head.before());
  for (;;) {
    const found = Selection.findFrom(doc.resolve(from), direction, true);
    if (!found) return [edgeOf($head, direction), edgeOfText(doc, direction)];
    const next = beyond(found.$head);
    if (next === undefined) return passed === undefined ? undefined : [placeBelow(view, $head, found.$head, direction)];
    passed = next;
    from = next;
  }
}

function tableAround($at: ResolvedPos): Node | undefined {
  return findTable($at)?.node;
}

/** The end of the text that a position is in, or its beginning. */
function edgeOf($at: ResolvedPos, direction: Direction): number {
  return direction > 0 ? $at.end() : $at.start();
}

function edgeOfText(doc: Node, direction: Direction): number {
  return (direction > 0 ? Selection.atEnd(doc) : Selection.atStart(doc)).head;
}

/** False for what prosemirror-tables makes another selection of. */
function isKept({ $from, $to }: TextSelection): boolean {
  return $to.parentOffset > 0 || cellAround($from)?.pos === cellAround($to)?.pos;
}

function isOnLastLine(view: EditorView, $at: ResolvedPos, direction: Direction): boolean {
  const line = view.coordsAtPos($at.pos);
  const edge = view.coordsAtPos(edgeOf($at, direction));
  return direction > 0 ? edge.top < line.bottom : edge.bottom > line.top;
}

/** As far to the right as the cursor, in the line of another block that is nearest to it. */
function placeBelow(view: EditorView, $head: ResolvedPos, $next: ResolvedPos, direction: Direction): number {
  const edge = edgeOf($next, -direction as Direction);
  const { top, bottom } = view.coordsAtPos(edge);
  const place = view.posAtCoords({ left: view.coordsAtPos($head.pos).left, top: (top + bottom) / 2 });
  return place && place.pos >= $next.start() && place.pos <= $next.end() ? place.pos : edge;
}
