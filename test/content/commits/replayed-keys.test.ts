// A keyed creation is replayed on a push that took its slug: the document differs by then, and the repeated request
// still gets the first answer, byte for byte.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cms, createCms } from '../../../src/cms.ts';
import type { WrittenDocument } from '../../../src/content/api.ts';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { ACTOR } from '../../history/world.ts';
import { commitBeside, git, untilTakenIn } from '../../support/store-world.ts';
import { CONFIG } from '../../support/world.ts';

const KEY = { idempotency: { scope: 'user POST posts k', bodyDigest: 'd' } };

const create = ({ site }: Cms): Promise<WrittenDocument> =>
  site.content.create('posts', { slug: 'x', data: { title: 'Ours' } }, ACTOR, KEY);

function isAnswerOf(again: WrittenDocument, first: WrittenDocument): void {
  assert.is(again.replayed, true);
  assert.is(String(again.body), String(first.body));
  assert.equal([again.etag, again.commit], [first.etag, first.commit]);
}

for (const when of [
  'while the service runs',
  'while nobody is there',
  'while it runs and once more while nobody is there',
]) {
  test(`a keyed creation whose slug was taken by a push ${when} is answered the same`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'replayed-keys-'));
    const opened: Cms[] = [];
    const open = async (name: string): Promise<Cms> => {
      const cms = await createCms(CONFIG, { dataDir: join(root, name) });
      opened.push(cms);
      return cms;
    };
    const repositoryOf = (name: string): string => join(root, name, 'sites', 'default', 'content.git');
    const push = (name: string, id: string): string =>
      commitBeside(repositoryOf(name), {
        [`content/posts/x${id === 'Hand00000001' ? '' : '-2'}.json`]: JSON.stringify({
          ...{ id, collection: 'posts', slug: id === 'Hand00000001' ? 'x' : 'x-2', status: 'draft' },
          ...{
            createdAt: '2026-01-01T00:00:00.000Z',
            updatedAt: '2026-01-01T00:00:00.000Z',
            data: { title: 'Theirs' },
          },
        }),
      });
    try {
      let cms = await open('before');
      await cms.content.create('posts', { slug: 'a', data: { title: 'A' } });
      await cms.site.store.log.flush();
      const first = await create(cms);
      const kill = (): void => cpSync(join(root, 'before', 'sites'), join(root, 'after', 'sites'), { recursive: true });
      if (when === 'while nobody is there') {
        kill();
        push('after', 'Hand00000001');
        cms = await open('after');
      } else {
        push('before', 'Hand00000001');
        cms.site.store.log.poll();
        isAnswerOf(await create(cms), first);
      }
      if (when.includes('once more')) {
        await nextTurn();
        kill();
        push('after', 'Hand00000002');
        cms = await open('after');
      }
      isAnswerOf(await create(cms), first);
      await cms.site.store.log.flush();
      await untilTakenIn(cms.site.store);
      const name = opened.length > 1 ? 'after' : 'before';
      const [ours] = (await cms.content.findMany('posts', {})).documents.filter(({ data }) => data.title === 'Ours');
      assert.match(ours?.slug ?? '', /^x-(?:2|3|2-2)$/);
      isAnswerOf(await create(cms), first);
      await cms.content.delete('posts', ours!.slug);
      await cms.site.store.maintenance.look();
      isAnswerOf(await create(cms), first);
      await cms.close();
      git(repositoryOf(name), 'gc', '--quiet');
      cms = await open(name);
      isAnswerOf(await create(cms), first);
      assert.equal(git(repositoryOf(name), 'fsck', '--strict', '--no-dangling').trim(), '');
    } finally {
      for (const cms of opened) await cms.close();
      rmSync(root, { recursive: true, force: true });
    }
  });
}

test.run();
