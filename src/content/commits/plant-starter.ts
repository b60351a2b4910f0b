// Plants a starter: the documents and media beside a new site's configuration become its first commit.
import path from 'node:path';
import type { Warn } from '../../lib/warn.ts';
import type { SiteSchema } from '../../schema/collection.ts';
import type { Log } from '../../store/log/log.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { readStarter } from './starter.ts';
import { starterDifferences, toDifferencesText } from './starter-differences.ts';

export interface PlantParts {
  /** Folder of the starter. */
  from: string;
  /** The site's folder, for the message. */
  folder: string;
  schema: SiteSchema;
  readMedia(folder: string): Promise<{ files: FileChange[]; problems: string[] }>;
  log: Pick<Log, 'append'>;
  show(files: readonly FileChange[], commit: string): void;
  now(): Date;
  newId(): string;
  info?: ((message: string) => void) | undefined;
  warn: Warn;
}

/** Does nothing if the folder has neither documents nor media. Warns about files that it leaves out. */
export async function plantStarter(parts: PlantParts): Promise<void> {
  const { from, folder, schema, now, newId, warn } = parts;
  const starter = readStarter(from, schema, { now: now(), newId });
  const pictures = await parts.readMedia(path.join(from, 'media'));
  for (const { path: left, messages } of starter.problems)
    warn(`starter content: ${left} is left out: ${messages.join('; ')}`);
  for (const { message } of starter.unknown) warn(`starter content: ${message}`);
  for (const problem of pictures.problems) warn(problem);
  const files = [...starter.files, ...pictures.files];
  if (files.length === 0) return;
  const { length } = starter.files;
  await parts.log.append({
    files,
    author: { name: 'Colophon', email: 'colophon@localhost' },
    at: now().getTime(),
    subject: `content: plant ${length} starter documents`,
    trailers: ['Event: content.imported', 'Actor: import'],
    apply: (commit) => parts.show(files, commit),
    undo: () => undefined,
  }).durable;
  parts.info?.(
    `planted ${length} ${length === 1 ? 'document' : 'documents'} from ${from}; if that is the wrong place, stop the ` +
      `service and remove ${folder}`,
  );
}

export interface DifferencesParts extends Pick<PlantParts, 'from' | 'schema' | 'now' | 'newId' | 'info'> {
  find: Parameters<typeof starterDifferences>[1];
}

/** Says which documents of a folder that was planted are others in the site. */
export function reportDifferences({ from, schema, now, newId, info, find }: DifferencesParts): void {
  if (!info) return;
  const { documents } = readStarter(from, schema, { now: now(), newId });
  const text = toDifferencesText(from, starterDifferences(documents, find));
  if (text !== undefined) info(text);
}
