// Text from the clipboard that is Markdown, as what it says.
import { Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { isHarmless } from '../addresses.ts';
import { readMarkdown, toDocument } from '../markdown/markdown-in.ts';

/** Pasted without its styles, text is what it looks like. */
export function pasteMarkdown(): Plugin {
  return new Plugin({
    props: {
      clipboardTextParser: (text, _context, isPlain) => (isPlain ? undefined : readPasted(text)) as Slice,
      handlePaste(view, { clipboardData }) {
        // A source editor brings the colours of the text along as HTML.
        if (!clipboardData?.types.includes('vscode-editor-data')) return false;
        const { tr, selection } = view.state;
        const text = clipboardData.getData('text/plain');
        const slice = selection.$from.parent.type.spec.code ? undefined : readPasted(text);
        if (!slice) return view.pasteText(text);
        view.dispatch(tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true));
        return true;
      },
    },
  });
}

/** Undefined for prose, whose lines are paragraphs, and for text with a link that would run something. */
function readPasted(pasted: string): Slice | undefined {
  const { blocks, isUnread } = readMarkdown(pasted.replace(/\r\n?/g, '\n').trim());
  const isProse = blocks.every(
    ({ node }) =>
      node.type.name === 'paragraph' &&
      node.children.every(({ isText, marks }) => isText && marks.every(({ type }) => type.name === 'softBreak')),
  );
  const document = toDocument(blocks);
  let isSafe = true;
  document.descendants(({ marks }) => {
    for (const { type, attrs } of marks) if (type.name === 'link' && !isHarmless(String(attrs.href))) isSafe = false;
  });
  return isUnread || isProse || !isSafe ? undefined : Slice.maxOpen(document.content);
}
