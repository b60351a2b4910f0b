// Files that are replaced as a whole: in a data folder (settings, manifests, reports), and private ones (users, tokens,
// ended sessions). Each is as it was last answered, or as it was requested since, and never in between.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { openDataFolder, sweepTemporaries } from '../../../../src/data/data-folder.ts';
import { openPrivateFile } from '../../../../src/data/private-file.ts';
import type { DataScenario } from './enumerate.ts';

export type FileNote = { kind: 'asked' | 'done'; name: string; value: string | undefined };

/** What each file may hold after these notes. */
function possible(notes: readonly FileNote[]): Map<string, Set<string | undefined>> {
  const values = new Map<string, Set<string | undefined>>();
  for (const { kind, name, value } of notes) {
    if (kind === 'done') values.set(name, new Set([value]));
    else values.set(name, (values.get(name) ?? new Set([undefined])).add(value));
  }
  return values;
}

const textOf = (n: number): string => `${n} `.repeat(400 + 100 * n);

export const dataFolder: DataScenario<FileNote> = {
  async run(folder, note) {
    const data = openDataFolder(path.join(folder, 'sites', '_data'));
    async function set(name: string, value: string | undefined): Promise<void> {
      note({ kind: 'asked', name, value });
      const [first = '', second] = name.split('/');
      const [where, file] = second ? [data.folder(first), second] : [data, first];
      if (value === undefined) await where.remove(file);
      else await where.write(file, value);
      note({ kind: 'done', name, value });
    }
    await set('site-config.json', textOf(1));
    await set('site-config.json', textOf(2));
    await Promise.all([set('curation/a.json', textOf(3)), set('curation/b.json', textOf(1))]);
    await set('curation/a.json', undefined);
    await set('submissions/one.json', textOf(1));
    await set('curation/a.json', textOf(2));
    await set('site-config.json', undefined);
  },

  async check(folder, notes) {
    const place = path.join(folder, 'sites', '_data');
    await sweepTemporaries(place);
    const data = openDataFolder(place);
    for (const [name, values] of possible(notes)) {
      const [first = '', second] = name.split('/');
      const found = (await (second ? data.folder(first).read(second) : data.read(first)))?.toString('utf8');
      assert.ok(values.has(found), `${name} is ${found?.slice(0, 20)}`);
    }
    await data.write('after.json', '{}');
    const left = fs
      .readdirSync(place, { recursive: true })
      .filter((name) => path.basename(String(name)).startsWith('.tmp'));
    assert.deepEqual(left, [], 'nothing half-made is left');
  },
};

const Ended = z.object({ ended: z.array(z.string()) });
type Ended = z.output<typeof Ended>;

const openEnded = (folder: string) =>
  openPrivateFile<Ended>({
    path: path.join(folder, 'sessions.json'),
    schema: Ended,
    empty: { ended: [] },
    logger: { info: () => undefined },
  });

export const privateFile: DataScenario<FileNote> = {
  async run(folder, note) {
    const place = path.join(folder, 'service');
    let file = openEnded(place);
    let value = '';
    for (let n = 0; n < 5; n++) {
      if (n === 3) file = openEnded(place);
      value += `session-${n} `.repeat(60);
      const ended = value;
      note({ kind: 'asked', name: 'ended', value: ended });
      await file.update(() => [{ ended: [ended] }, undefined]);
      note({ kind: 'done', name: 'ended', value: ended });
    }
  },

  async check(folder, notes) {
    const place = path.join(folder, 'service');
    const file = openEnded(place);
    const values = possible(notes).get('ended') ?? new Set([undefined]);
    assert.ok(values.has(file.read().ended[0]), 'it is what was answered last, or requested since');
    await file.update(({ ended }) => [{ ended: [...ended, 'after'] }, undefined]);
    assert.equal(openEnded(place).read().ended.at(-1), 'after');
    assert.deepEqual(
      fs.readdirSync(place).filter((name) => name !== 'sessions.json'),
      [],
      'nothing half-made is left',
    );
  },
};
