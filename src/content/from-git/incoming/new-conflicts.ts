// Merge conflicts that a commit brings into a document's file.
import { findConflicts, type MergeConflict } from '../../../lib/text/merge-conflicts.ts';
import type { Oid } from '../../../store/git/objects.ts';
import type { IncomingFile } from '../../../store/intake/intake.ts';
import { ObjectTooLargeError } from '../../../store/repository/odb.ts';
import { isMarkdown } from '../../files/paths.ts';
import { toConflictMessage } from '../warnings.ts';

/** A message for each conflict that the file did not have before. `read` returns a file of at most a document's size. */
export function newConflicts(
  read: (oid: Oid) => Buffer,
  { path, oid, before }: Pick<IncomingFile, 'path' | 'oid' | 'before'>,
): string[] {
  const found = conflictsAt(oid);
  const known = new Set(found.length > 0 && before ? conflictsAt(before).map(({ text }) => text) : []);
  return found.filter(({ text }) => !known.has(text)).map(toConflictMessage);

  function conflictsAt(blob: Oid): MergeConflict[] {
    try {
      return [...findConflicts(read(blob).toString('utf8'), !isMarkdown(path))];
    } catch (error) {
      // Too large for a document, which is reported anyway.
      if (error instanceof ObjectTooLargeError) return [];
      throw error;
    }
  }
}
