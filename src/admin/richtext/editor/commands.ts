// What the toolbar, the menu of blocks and the keys do to the text, as ProseMirror commands. Pure: a command takes a
// state and gives a transaction.
import { lift, setBlockType, wrapIn } from 'prosemirror-commands';
import type { Attrs, Mark, MarkType, Node, NodeType, Schema } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state';

const LISTS = new Set(['bulletList', 'orderedList', 'taskList']);

/** The innermost node of these types around the selection, with the position before it. */
export function findAround(
  state: EditorState,
  isIt: (node: Node) => boolean,
): { node: Node; position: number } | undefined {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    if (isIt($from.node(depth))) return { node: $from.node(depth), position: $from.before(depth) };
  }
  return undefined;
}

export function isInside(state: EditorState, name: string): boolean {
  return findAround(state, ({ type }) => type.name === name) !== undefined;
}

export function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  if (selection.empty) return type.isInSet(storedMarks ?? selection.$from.marks()) !== undefined;
  return doc.rangeHasMark(selection.from, selection.to, type);
}

/** A block of this type, or a paragraph again if it is one. */
export function toggleBlock(type: NodeType, attrs: Attrs | null = null): Command {
  return (state, dispatch) => {
    const { parent } = state.selection.$from;
    const isIt =
      parent.type === type && Object.entries(attrs ?? {}).every(([name, value]) => parent.attrs[name] === value);
    return setBlockType(isIt ? state.schema.nodes.paragraph! : type, isIt ? null : attrs)(state, dispatch);
  };
}

export function toggleQuote(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  const { blockquote } = state.schema.nodes;
  return isInside(state, 'blockquote') ? lift(state, dispatch) : wrapIn(blockquote!)(state, dispatch);
}

/** A list of this kind: one of another kind becomes it, and one of this kind becomes paragraphs. */
export function toggleList(name: 'bulletList' | 'orderedList' | 'taskList'): Command {
  return (state, dispatch) => {
    const { nodes } = state.schema;
    const list = findAround(state, ({ type }) => LISTS.has(type.name));
    if (!list) return wrapInList(nodes[name]!)(state, dispatch);
    if (list.node.type.name === name) {
      return liftListItem(nodes.listItem!)(state, dispatch) || liftListItem(nodes.taskItem!)(state, dispatch);
    }
    const item = name === 'taskList' ? nodes.taskItem! : nodes.listItem!;
    const items = list.node.children.map((child) => item.create(null, child.content));
    const made = nodes[name]!.create({ tight: list.node.attrs.tight }, items);
    // The tokens of the old and the new list are at the same places, so that the selection stays where it is.
    const { tr, selection } = state;
    tr.replaceWith(list.position, list.position + list.node.nodeSize, made);
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, selection.anchor, selection.head)).scrollIntoView());
    return true;
  };
}

export function insertTable(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  const { nodes } = state.schema;
  if (isInside(state, 'table')) return false;
  const row = (type: NodeType): Node =>
    nodes.tableRow!.create(
      null,
      [0, 1, 2].map(() => type.createAndFill()!),
    );
  const table = nodes.table!.create(null, [row(nodes.tableHeader!), row(nodes.tableCell!), row(nodes.tableCell!)]);
  return insertBlock(table)(state, dispatch);
}

/** Puts a block in the place of an empty paragraph, or below the block with the cursor, and the cursor into it. */
export function insertBlock(block: Node): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const depth = $from.depth === 0 ? 0 : $from.sharedDepth($from.pos);
    const isEmpty = depth > 0 && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
    const at = depth === 0 ? $from.pos : isEmpty ? $from.before(depth) : $from.after(depth);
    const { tr } = state;
    if (isEmpty) tr.replaceWith(at, at + 2, block);
    else tr.insert(at, block);
    if (block.isAtom || block.type.name === 'horizontalRule') addLineBelow(tr, at + block.nodeSize, state.schema);
    else tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

function addLineBelow(tr: EditorState['tr'], at: number, { nodes }: Schema): void {
  const next = tr.doc.resolve(at).nodeAfter;
  if (!next?.isTextblock) tr.insert(at, nodes.paragraph!.create());
  tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
}

export interface LinkPlace {
  from: number;
  to: number;
  mark: Mark | undefined;
}

/** The selection, or the link that the cursor is in. */
export function findLink({ selection, schema, doc }: EditorState): LinkPlace {
  const type = schema.marks.link!;
  const { $from, from, to, empty } = selection;
  if (!empty) {
    let first: Mark | undefined;
    doc.nodesBetween(from, to, (node) => {
      first ??= type.isInSet(node.marks);
    });
    return { from, to, mark: first };
  }
  const beside = [$from.nodeAfter, $from.nodeBefore].map((node) => (node ? type.isInSet(node.marks) : undefined));
  const mark = type.isInSet($from.marks()) ?? beside[0] ?? beside[1];
  if (!mark) return { from, to, mark };
  const holds = (index: number): boolean => {
    const child = $from.parent.maybeChild(index);
    return child !== null && mark.isInSet(child.marks);
  };
  let [first, last] = [$from.index(), $from.index()];
  if (!holds(first)) first = last = first - 1;
  while (holds(first - 1)) first--;
  while (holds(last + 1)) last++;
  const sizes = $from.parent.children.map(({ nodeSize }) => nodeSize);
  const sum = (count: number): number => sizes.slice(0, count).reduce((all, size) => all + size, $from.start());
  return { from: sum(first), to: sum(last + 1), mark };
}

/** Links what is selected, or puts in the address itself; an empty address removes the link. */
export function setLink({ from, to, mark }: LinkPlace, href: string): Command {
  return (state, dispatch) => {
    const { tr, schema } = state;
    const type = schema.marks.link!;
    if (href === '') tr.removeMark(from, to, type);
    else {
      const attrs = {
        ...mark?.attrs,
        href,
        ...('label' in (type.spec.attrs ?? {}) ? { form: null, label: null } : {}),
      };
      if (from === to) tr.insertText(href, from);
      tr.addMark(from, from === to ? from + href.length : to, type.create(attrs));
    }
    dispatch?.(tr);
    return true;
  };
}

/** The image that is selected. */
export function findImage({ selection }: EditorState): Node | undefined {
  if (!(selection instanceof NodeSelection)) return undefined;
  return selection.node.type.name.startsWith('image') ? selection.node : undefined;
}
