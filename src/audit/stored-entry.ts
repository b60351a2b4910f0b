// An entry as the audit stores it: at most 4 KiB, with hashes in the place of large values, so that nobody fills a trail
// with few changes. A hash identifies a known value, and lists stay readable. Pure.
import { hash } from 'node:crypto';
import type { AuditChange, AuditEntry } from './entry.ts';

/** Limit for a line, with its hash of the line before and its newline. */
export const MAX_ENTRY_BYTES = 4096;
const MAX_VALUE_BYTES = 1024;
/** Space for the hash of the line before: `,"prev":"<64>"` and the newline. */
const LINK_BYTES = 80;
/** A name of 200 characters may be longer, with every character escaped. */
const MAX_TEXT_BYTES = 400;

/** Keys in the order that lines.ts expects. */
export function toStored({ id, at, site, actor, action, target, changes }: AuditEntry): AuditEntry {
  const stored = {
    id,
    at,
    site,
    actor,
    action,
    target,
    changes: changes.map((change) => shorten(change, MAX_VALUE_BYTES)),
  };
  if (isShort(stored)) return stored;
  // Short values stay readable as long as they fit.
  for (const limit of [256, 80]) {
    const shorter = { ...stored, changes: stored.changes.map((change) => shorten(change, limit)) };
    if (isShort(shorter)) return shorter;
  }
  const text = (value: string): string => (sizeOf(value) > MAX_TEXT_BYTES ? toHash(value) : value);
  const { tokenId } = actor;
  return {
    ...{ id, at, site },
    actor: {
      ...actor,
      ...{ name: text(actor.name), email: text(actor.email) },
      ...(tokenId === undefined ? {} : { tokenId: text(tokenId) }),
    },
    action: text(action),
    target: target === null ? null : text(target),
    changes: [{ key: `${changes.length} changes`, before: null, after: toHash(JSON.stringify(changes)) }],
  };
}

function isShort(entry: AuditEntry): boolean {
  return Buffer.byteLength(JSON.stringify(entry)) + LINK_BYTES <= MAX_ENTRY_BYTES;
}

function shorten({ key, before, after }: AuditChange, limit: number): AuditChange {
  return { key, before: toShort(before, limit), after: toShort(after, limit) };
}

function toShort(value: unknown, limit: number): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Buffer.byteLength(text) > limit ? toHash(text) : value;
}

function toHash(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
