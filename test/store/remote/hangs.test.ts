// A git host that hangs, breaks off or fails, at each request of a sync.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assertWellAgain, makeRemoteWorld, type RemoteWorld, refusalOf } from '../../support/remote-world.ts';
import { write } from '../../support/store-world.ts';

const WRITTEN = { 'content/posts/a.json': 'a' };

for (const what of ['refs git-upload-pack', 'post git-upload-pack', 'refs git-receive-pack', 'post git-receive-pack']) {
  test(`a host that hangs, breaks off or fails at ${what} delays nothing here`, async () => {
    await using world = await makeRemoteWorld({ end: { idleMs: 1000 } });
    await write(world.store, WRITTEN);
    await world.remote.sync();
    const theirs = world.pushes({ 'content/posts/t.json': 't' });
    const moods: RemoteWorld['host']['mood'][] = [
      () => 'handled',
      (_, req) => {
        req.socket.destroy();
        return 'handled';
      },
      (_, __, res) => {
        res.writeHead(503).end();
        return 'handled';
      },
      (_, __, res) => {
        // The right beginning, and then nothing.
        res.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).write('0008NAK\n2004');
        return 'handled';
      },
    ];
    for (const [n, mood] of moods.entries()) {
      world.host.mood = (seen, req, res) => (seen.what === what ? mood(seen, req, res) : 'pass');
      await write(world.store, { [`content/posts/${n}.json`]: 'ours' });
      await refusalOf(world);
    }
    assert.is(world.remote.status().failures, moods.length);
    await assertWellAgain(world);
    assert.is((await world.host.git('rev-list', '--count', `${theirs}..main`)).trim(), '5');
  });
}

test.run();
