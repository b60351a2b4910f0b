// One event becomes one commit: its files, its message, and what becomes of the pending state and the view when it is
// durable or fails. Decides nothing.

import type { Appended, Draft } from '../store/log.ts';
import { oidOf } from '../store/objects.ts';
import type { WriteOptions, Written } from './api.ts';
import type { DocumentEvent, StoredDocument } from './document.ts';
import { type IdempotencyKeys, toRequestKey, toTrailer } from './idempotency.ts';
import { toMessage } from './message.ts';
import type { PendingState } from './pending.ts';
import { toFile } from './stored.ts';
import { type ContentView, type Row, toRow } from './view.ts';

export interface CommitParts {
  view: ContentView;
  pending: PendingState;
  keys: IdempotencyKeys;
  append(draft: Draft): Appended;
  /** Where a document's file is or goes. */
  pathOf(doc: { collection: string; slug: string }): string;
  now(): Date;
}

interface Change {
  before: StoredDocument | undefined;
  after: StoredDocument | undefined;
}

/** Synchronous up to the append; resolves once the change is durable. */
export type Commit = (event: DocumentEvent, options?: WriteOptions) => Promise<Written & { commit: string }>;

export function createCommit({ view, pending, keys, append, pathOf, now }: CommitParts): Commit {
  function toFiles(changes: readonly Change[]): Draft['files'] {
    return changes.flatMap(({ before, after }) => {
      const from = before && pathOf(before);
      const to = after && pathOf(after);
      return [
        ...(from && from !== to ? [{ path: from, content: null }] : []),
        ...(to && after ? [{ path: to, content: toFile(after) }] : []),
      ];
    });
  }

  function show({ before }: Change, row: Row | undefined, commit: string): void {
    if (row) view.put(row, commit);
    else {
      const gone = before && view.byId(before.id);
      if (gone) view.remove(gone, commit);
    }
  }

  return async (event, options) => {
    const { before, after, also = [] } = event;
    const changes: Change[] = [{ before, after }, ...also];
    const files = toFiles(changes);
    const key = options?.idempotency && toRequestKey(options.idempotency);
    const created = key && files.find(({ content }) => content)?.content;
    const blob = created ? oidOf('blob', created) : '';
    const message = toMessage(event, { requestId: options?.requestId, idempotency: key && toTrailer(key, blob) });
    const undos: (() => void)[] = [];
    const applies: ((commit: string) => void)[] = [];
    const atMs = now().getTime();
    const appended = append({
      files,
      author: { name: event.actor.name, email: event.actor.email },
      at: atMs,
      ...message,
      apply: (id) => applies.forEach((apply) => apply(id)),
      undo: () => undos.reverse().forEach((undo) => undo()),
    });
    let written = 0;
    const rows = changes.map((change) => {
      const etag = change.after ? appended.blobs[written++]! : '';
      const entry = pending.push(change.before, change.after, etag);
      const row = change.after && toRow(change.after, etag, view.collection(change.after.collection)!.schema);
      undos.push(entry.undo);
      applies.push((id) => {
        show(change, row, id);
        entry.settle();
      });
      return row;
    });
    const body = rows[0]?.body ?? Buffer.alloc(0);
    if (key) applies.push((id) => keys.remember(key, { blob, commit: id, atMs, body }));
    const commit = await appended.durable;
    return { body, etag: `"${rows[0]?.etag ?? ''}"`, commit };
  };
}
