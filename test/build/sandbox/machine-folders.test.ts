// What of the machine a build may read: never the service's own folders, wherever they are.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listMachineFolders } from '../../../src/build/sandbox/machine-folders.ts';

interface Places extends Disposable {
  root: string;
}

function makePlaces(): Places {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'colophon-places-')));
  for (const folder of ['tools/bin', 'tools/data', 'home/bin']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('tools', join(root, 'linked'));
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

test('the system is there, and of /etc neither accounts nor keys', () => {
  const { system, links } = listMachineFolders({ searchPath: '/usr/bin', listed: [], hidden: [] });
  const targets = [...system, ...links].map(({ target }) => target);
  for (const target of ['/usr', '/bin', '/colophon/bin/node']) assert.ok(targets.includes(target), target);
  for (const { source } of system) assert.not.match(source, /^\/etc$|shadow|passwd|private|\/root|\/home|\/run|\/var/);
});

test('a folder of the service below a system folder is empty in a build', () => {
  const hidden = ['/usr/bin', '/usr/nowhere', '/srv'];
  const { hiddenInSystem } = listMachineFolders({ searchPath: undefined, listed: [], hidden });
  assert.equal(hiddenInSystem, ['/usr/bin']);
});

test('a folder that the operator lists is there at its path, without the service’s folders in it', () => {
  using places = makePlaces();
  const linked = join(places.root, 'linked');
  const found = listMachineFolders({
    searchPath: [join(linked, 'bin'), join(places.root, 'home/bin'), 'relative', '/usr/bin'].join(':'),
    listed: [linked, join(places.root, 'nowhere')],
    hidden: [join(places.root, 'tools/data'), join(places.root, 'home')],
  });
  assert.equal(found.listed, [{ source: join(places.root, 'tools'), target: linked }]);
  assert.equal(found.hiddenInListed, [join(linked, 'data')]);
  assert.is(found.searchPath, ['/colophon/bin', join(linked, 'bin'), '/usr/bin', '/usr/local/bin', '/bin'].join(':'));
});

test.run();
