// The value of a rich text field as a document, and back in its own kind. Pure.
import type { Node } from 'prosemirror-model';
import { isJsonDocument, openJson } from './json-document.ts';
import { openMarkdown } from './markdown/markdown-out.ts';
import type { ValueKind } from './schema.ts';

export interface RichTextValue {
  kind: ValueKind;
  document: Node;
  /** True if the text has too many marks to be read: it is edited as its source. */
  isUnread: boolean;
  write(document: Node): { value: unknown; isFaithful: boolean };
}

/** Undefined for a value that is not rich text. */
export function openValue(value: unknown): RichTextValue | undefined {
  if (isJsonDocument(value)) {
    const { document, write } = openJson(value);
    return {
      kind: 'json',
      document,
      isUnread: false,
      write: (changed) => ({ value: write(changed), isFaithful: true }),
    };
  }
  if (value !== undefined && value !== null && typeof value !== 'string') return undefined;
  const { document, isUnread, write } = openMarkdown(value ?? '');
  return {
    kind: 'markdown',
    document,
    isUnread,
    write(changed) {
      const { text, isFaithful } = write(changed);
      // A field that was empty is not filled by being opened.
      return { value: text === '' && typeof value !== 'string' ? value : text, isFaithful };
    },
  };
}
