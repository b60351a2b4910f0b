// Edits of documents as people make them, without a screen.
import { Fragment, type Node, Slice } from 'prosemirror-model';
import { EditorState, TextSelection } from 'prosemirror-state';
import { Transform } from 'prosemirror-transform';
import { followDefinitions } from '../../../src/admin/richtext/markdown/references.ts';

export type Random = () => number;

/** Numbers from 0 to 1 that are the same for a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

export interface WordEdit {
  kind: string;
  /** The index of the block. */
  block: number;
  document: Node;
}

/** One word changed in one block of each kind; words of inline source are left alone. */
export function changeWords(document: Node, random: Random): WordEdit[] {
  const kinds = Map.groupBy(document.children.keys(), (index) => document.child(index).type.name);
  return [...kinds].flatMap(([kind, indexes]) => {
    const block = pick([...indexes], random);
    const word = findWord(document, block, random);
    return word ? [{ kind, block, document: replaceText(document, word.from, word.to, 'changedword') }] : [];
  });
}

function findWord(document: Node, block: number, random: Random): { from: number; to: number } | undefined {
  const words: { from: number; to: number }[] = [];
  const start = document.children.slice(0, block).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  document.nodesBetween(start, start + document.child(block).nodeSize, (node, position) => {
    if (node.marks.some(({ type }) => type.name === 'source')) return;
    for (const { 0: word, index } of (node.text ?? '').matchAll(/\p{L}{3,}/gu)) {
      words.push({ from: position + index, to: position + index + word.length });
    }
  });
  return words.length === 0 ? undefined : pick(words, random);
}

/** Text in the place of a range, with the marks of what was there. */
export function replaceText(document: Node, from: number, to: number, text: string): Node {
  const marks = document.resolve(from + 1).marks();
  const content = text === '' ? Fragment.empty : Fragment.from(document.type.schema.text(text, marks));
  const change = new Transform(document).replace(from, to, new Slice(content, 0, 0));
  followDefinitions(change);
  return change.doc;
}

/** What one could type into a text: harmless words and all signs of Markdown. */
const TYPED = [
  ...['word', ' ', 'two words', '*', '_', '**', '`', '~', '[', ']', '(x)', '<', '>', '<b>', '&amp;', '&', '\\', '#'],
  ...['# ', '- ', '1. ', '> ', '    ', '---', '```', '|', '| a |', '![', '[^1]', 'https://a.b', '{{', '{% x %}', ':::'],
  ...['snake_case', '2 * 3', '\u00a0', 'é', '日本', '<!--', '<div>', '=', '+ ', '[ref]', '[x]: y', ' \\', '  '],
];
const MARKS = ['bold', 'italic', 'strike', 'code'];

/** A random change at a random place; the same document if it is not possible there. */
export function editAnywhere(document: Node, random: Random): Node {
  const state = EditorState.create({ doc: document });
  const places = textPlaces(document);
  const from = pick(places, random);
  const to =
    random() < 0.7 ? Math.min(from + Math.floor(random() * 12), document.resolve(from).end()) : pick(places, random);
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  const { schema } = state;
  const kind = random();
  const { tr } = state;
  try {
    if (kind < 0.35) tr.insertText(pick(TYPED, random), start);
    else if (kind < 0.5) tr.insertText(pick(TYPED, random), start, end);
    else if (kind < 0.6) tr.deleteRange(start, end);
    else if (kind < 0.7) tr.split(start, 1);
    else if (kind < 0.85) toggle(tr, start, end, pick(MARKS, random));
    else if (kind < 0.9)
      tr.setBlockType(
        start,
        end,
        pick([schema.nodes.heading!, schema.nodes.paragraph!, schema.nodes.codeBlock!], random),
      );
    else if (kind < 0.95) {
      // Cut and paste to another place.
      const slice = document.slice(start, end);
      tr.setSelection(TextSelection.near(tr.doc.resolve(pick(places, random)))).replaceSelection(slice);
    } else if (document.childCount > 1) {
      const index = Math.floor(random() * document.childCount);
      const at = document.children.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
      tr.delete(at, at + document.child(index).nodeSize);
    }
    followDefinitions(tr);
  } catch (error) {
    // ProseMirror refuses what the schema does not allow.
    if (error instanceof RangeError || (error instanceof Error && error.name === 'TransformError')) return document;
    throw error;
  }
  return tr.doc;
}

function toggle(tr: EditorState['tr'], start: number, end: number, name: string): void {
  const type = tr.doc.type.schema.marks[name]!;
  if (tr.doc.rangeHasMark(start, end, type)) tr.removeMark(start, end, type);
  else tr.addMark(start, end, type.create());
}

function textPlaces(document: Node): number[] {
  const places: number[] = [];
  document.descendants((node, position) => {
    if (!node.isTextblock) return;
    for (let at = 0; at <= node.content.size; at++) places.push(position + 1 + at);
  });
  return places.length > 0 ? places : [1];
}
