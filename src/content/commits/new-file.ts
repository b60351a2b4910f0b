// The file of a document that a person starts in a clone: complete, so that it may be pushed as it is. Pure.
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Data, StoredDocument } from '../document.ts';
import { layoutFor, MARKDOWN, pathOf, pathsOf } from '../files/paths.ts';
import { numbered } from '../free-slugs.ts';
import { printFront, toMarkdownParts } from '../markdown/print.ts';
import { inOrder, toFile } from '../stored.ts';
import { toFieldNote } from './field-note.ts';

export interface NewDocumentFile {
  /** In the repository. */
  path: string;
  slug: string;
  content: Buffer;
  /** What each field takes, for people; empty if the file itself says so. */
  notes: string[];
}

/**
 * A draft with every field: its default value, else null. In Markdown a comment says what each field takes, and the
 * first richtext field is left out: its text is what one writes below the front matter. `has` looks for a path in the
 * clone.
 */
export function createNewFile(
  schema: CollectionSchema,
  { slug, id, now, has }: { slug: string; id: string; now: Date; has(path: string): boolean },
): NewDocumentFile {
  const collection = schema.name;
  const layout = layoutFor(schema.config);
  const isText = (layout & MARKDOWN) !== 0;
  const empty = Object.fromEntries([...schema.fields.keys()].map((name) => [name, null]));
  const at = now.toISOString();
  const data: Data = { ...empty, ...schema.withDefaults({}) };
  const [textField] = schema.textFields;
  if (isText && textField !== undefined && data[textField] === null) delete data[textField];
  const doc = { id, slug, collection, status: 'draft' as const, createdAt: at, updatedAt: at, data };
  const path = pathOf(doc, layout);
  const taken = pathsOf(doc).find(has);
  if (taken !== undefined) throw new Error(`"${taken}" exists already; choose another --slug`);
  const ordered = inOrder(doc, schema);
  if (isText) return { path, slug, content: Buffer.from(withNotes(ordered, schema), 'utf8'), notes: [] };
  const notes = [...schema.fields.values()].map((field) => `${field.name}: ${toFieldNote(field)}`);
  return { path, slug, content: toFile(ordered, layout, schema), notes };
}

/** The Markdown file with a comment behind each key. */
function withNotes(doc: StoredDocument, schema: CollectionSchema): string {
  const [textField] = schema.textFields;
  const { front, text } = toMarkdownParts(doc, textField);
  const lines = front.map(([key, value]) => {
    const printed = printFront([[key, value]]);
    const field = schema.fields.get(key);
    return field ? printed.replace('\n', ` # ${toFieldNote(field)}\n`) : printed;
  });
  const below =
    textField !== undefined && !Object.hasOwn(doc.data, textField) ? schema.fields.get(textField) : undefined;
  const hint = below ? `# ${below.name} is the text below the next line: ${toFieldNote(below)}\n` : '';
  return `---\n${lines.join('')}${hint}---\n${text === undefined ? '' : `${text}\n`}`;
}

/** The slug itself, or its first numbered variant without a file in the clone. */
export function findFreeSlug(collection: string, slug: string, has: (path: string) => boolean): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? slug : numbered(slug, n);
    if (!pathsOf({ collection, slug: free }).some(has)) return free;
  }
}
