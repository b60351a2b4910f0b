// Form submissions: each is a file, can be marked as read, and is gone once it was removed.
import assert from 'node:assert/strict';
import path from 'node:path';
import { openDataFolder, sweepTemporaries } from '../../../../src/data/data-folder.ts';
import { toSubmissionId } from '../../../../src/forms/submission.ts';
import { createSubmissions, type Submissions } from '../../../../src/forms/submissions.ts';
import type { DataScenario } from './enumerate.ts';

export type SubmissionNote = { kind: 'asked' | 'done'; name: string; status: 'new' | 'read' | 'gone' };

const FORM = 'contact';

function open(folder: string): Submissions {
  let count = 0;
  return createSubmissions({
    folder: openDataFolder(path.join(folder, 'submissions')),
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    newId: (atMs) => toSubmissionId(atMs + ++count, Buffer.alloc(16, count)),
    logger: { warn: (details) => assert.fail(`damaged: ${JSON.stringify(details)}`) },
  });
}

export const submissions: DataScenario<SubmissionNote> = {
  async run(folder, note) {
    const box = open(folder);
    const ids = new Map<string, string>();
    async function set(name: string, status: SubmissionNote['status']): Promise<void> {
      note({ kind: 'asked', name, status });
      if (status === 'new') {
        const sent = { data: { name, text: name.repeat(200) }, ipHash: '0a1b2c3d', userAgent: 'test' };
        ids.set(name, (await box.add(FORM, sent)).id);
      } else if (status === 'read') await box.setStatus(FORM, ids.get(name)!, 'read');
      else await box.remove(FORM, ids.get(name)!);
      note({ kind: 'done', name, status });
    }
    await set('ada', 'new');
    await Promise.all([set('bob', 'new'), set('cy', 'new')]);
    await set('ada', 'read');
    await set('bob', 'gone');
    await set('dee', 'new');
  },

  async check(folder, notes) {
    await sweepTemporaries(path.join(folder, 'submissions'));
    const box = open(folder);
    const { submissions: found } = await box.list(FORM);
    const statuses = new Map(found.map(({ data, status }) => [String(data.name), status as string]));
    const allowed = new Map<string, Set<string>>();
    for (const { kind, name, status } of notes) {
      if (kind === 'done') allowed.set(name, new Set([status]));
      else allowed.set(name, (allowed.get(name) ?? new Set(['gone'])).add(status));
    }
    for (const [name, may] of allowed) {
      const status = statuses.get(name) ?? 'gone';
      assert.ok(may.has(status), `${name} is ${status} and may be ${[...may].join(' or ')}`);
    }
    for (const { data } of found) assert.equal(data.text, String(data.name).repeat(200));
    assert.deepEqual(
      [...statuses.keys()].filter((name) => !allowed.has(name)),
      [],
    );
  },
};
