// A folder shown on this machine: as the sync server shows a deploy, but read anew for each request.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { serveFolder } from '../../src/sync/serve-folder.ts';
import { makeVolume } from './sync-world.ts';

async function openFolder(files: Record<string, string>) {
  const folder = makeVolume();
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const served = await serveFolder({ folder, port: 0, log: () => undefined });
  return {
    folder,
    write,
    get: async (address: string, headers: Record<string, string> = {}) => {
      const response = await fetch(new URL(address, served.url), { redirect: 'manual', headers });
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('a folder is shown with its rules, and a change of a file or of the rules at once', async () => {
  await using site = await openFolder({ 'index.html': 'one', 'a/index.html': 'a', _redirects: '/old /a/\n' });
  const first = await site.get('/');
  assert.equal([first.status, first.text], [200, 'one']);
  const headers = { 'if-none-match': first.headers.get('etag')! };
  assert.is((await site.get('/', headers)).status, 304);
  site.write('index.html', 'second');
  assert.equal([(await site.get('/', headers)).status, (await site.get('/')).text], [200, 'second']);
  assert.is((await site.get('/old')).headers.get('location'), '/a/');
  site.write('_redirects', '/old /b/ 302\n');
  assert.is((await site.get('/old')).headers.get('location'), '/b/');
});

test('links and what begins with a dot are not shown, and no path leads out', async () => {
  await using site = await openFolder({ 'index.html': 'one', '.env': 'secret', 'a/b.txt': 'x' });
  fs.symlinkSync('/etc/hostname', path.join(site.folder, 'link.txt'));
  fs.symlinkSync('/etc', path.join(site.folder, 'etc'));
  for (const address of ['/link.txt', '/etc/hostname', '/.env', '/%2e%2e/x', '/a%2fb.txt']) {
    assert.is((await site.get(address)).status, 404, address);
  }
});

test.run();
