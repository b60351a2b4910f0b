// The audit: every answered entry is in it once, in order, in whole lines, and its chain is whole, whatever files are full
// and processes restart.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { hashOfLine } from '../../../../src/audit/chain.ts';
import type { AuditEntry } from '../../../../src/audit/entry.ts';
import { type AuditTrail, openAuditTrail } from '../../../../src/audit/open-audit-trail.ts';
import type { DataScenario } from './enumerate.ts';

export type AuditNote = { kind: 'asked' | 'added'; ids: string[] };

const AT = '2026-01-02T03:04:05.678Z';
const entryOf = (id: string): AuditEntry => ({
  ...{ id, at: AT, site: null },
  actor: { id: 'u1', name: 'Ada', email: 'ada@example.com' },
  ...{ action: 'user.added', target: id },
  changes: [{ key: 'email', before: null, after: id.repeat(8) }],
});

/** The head of a whole line; the audit's list leaves out others. */
const HEAD = /^\{"id":"([^"]*)",.*\}$/;

const open = (folder: string): AuditTrail =>
  openAuditTrail({
    folder: path.join(folder, 'audit'),
    name: 'audit',
    now: () => new Date(AT),
    maxBytes: 1 << 20,
    maxAgeMs: 1e12,
    // Three entries fill a file.
    fileBytes: 1030,
  });

async function readIds(trail: AuditTrail): Promise<string[]> {
  const ids: string[] = [];
  for (const { handle } of await trail.openFiles()) {
    const text = await handle.readFile('utf8');
    await handle.close();
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n')) {
      const id = HEAD.exec(line)?.[1];
      if (id !== undefined) ids.push(id);
    }
  }
  return ids;
}

export const audit: DataScenario<AuditNote> = {
  async run(folder, note) {
    let trail = open(folder);
    const add = async (ids: string[]): Promise<void> => {
      note({ kind: 'asked', ids });
      await trail.append(ids.map(entryOf));
      note({ kind: 'added', ids });
    };
    for (let n = 0; n < 9; n++) {
      // A new process repeats the last entries.
      if (n === 5) trail = open(folder);
      await add(n === 5 ? ['entry-4', 'entry-5'] : n === 7 ? ['entry-7', 'entry-7b'] : [`entry-${n}`]);
    }
    // A process killed between its write and its sync; the next one repeats the entry.
    note({ kind: 'asked', ids: ['killed'] });
    const newest = path.join(folder, 'audit', 'audit.jsonl');
    const prev = hashOfLine(readFileSync(newest, 'utf8').trimEnd().split('\n').at(-1)!);
    const file = openSync(newest, 'a');
    writeSync(file, Buffer.from(`${JSON.stringify({ ...entryOf('killed'), prev })}\n`));
    closeSync(file);
    trail = open(folder);
    await add(['killed']);
  },

  async check(folder, notes) {
    const trail = open(folder);
    assert.equal((await trail.verify()).problem, undefined);
    await trail.append([entryOf('after')]);
    assert.equal((await trail.verify()).problem, undefined);
    const ids = await readIds(trail);
    assert.equal(ids.at(-1), 'after');
    assert.equal(new Set(ids).size, ids.length, `entries occur twice: ${ids}`);
    const asked = new Set(notes.flatMap((one) => one.ids));
    assert.deepEqual(
      ids.filter((id) => id !== 'after' && !asked.has(id)),
      [],
    );
    const added = [...new Set(notes.flatMap((one) => (one.kind === 'added' ? one.ids : [])))];
    const found = ids.filter((id) => added.includes(id));
    assert.deepEqual(found, added, 'answered entries are in the audit, in order');
  },
};
