// How the admin is built: by npm, by the first request if npm built nothing, and what becomes of a build that fails.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAdmin } from '../../src/admin-files/build.ts';
import { openAdminFiles } from '../../src/admin-files/open-admin-files.ts';
import { adminRoutes } from '../../src/admin-files/routes.ts';
import { ROOT } from '../support/source.ts';

const SOURCES = path.join(ROOT, 'src', 'admin');

function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'admin-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const quiet = { info: () => undefined, error: () => undefined };

async function until(isDone: () => boolean): Promise<void> {
  for (let n = 0; n < 600 && !isDone(); n++) await new Promise((resume) => setTimeout(resume, 100));
  assert.ok(isDone());
}

test('a build leaves every file in three forms, is not repeated for the same sources, and leaves nothing if it fails', async () => {
  using place = makeFolder();
  const out = path.join(place.folder, 'out');
  const manifest = await buildAdmin(SOURCES, out);
  for (const name of Object.keys(manifest.files)) {
    const bytes = readFileSync(path.join(out, name));
    assert.ok(gunzipSync(readFileSync(path.join(out, `${name}.gz`))).equals(bytes), name);
    assert.ok(brotliDecompressSync(readFileSync(path.join(out, `${name}.br`))).equals(bytes), name);
  }
  const { ino } = statSync(out);
  const prepare = (...args: string[]) =>
    execFileSync(process.execPath, [path.join(ROOT, 'scripts/build-admin.ts'), '--out', out, ...args]).toString();
  assert.is(prepare(), '', 'npm ci prints no table');
  assert.match(prepare('--sizes'), /^ +\d+\.\d KB {2}shell, sign-in, dashboard\n/);
  assert.is(statSync(out).ino, ino, 'nor does the first npx of a checkout build again');
  const broken = path.join(ROOT, 'src', `admin-broken-${process.pid}`);
  try {
    cpSync(SOURCES, broken, { recursive: true });
    const before = readdirSync(out).sort();
    writeFileSync(path.join(broken, 'main.tsx'), 'import "./nowhere.ts";');
    await assertFails(() => buildAdmin(broken, out), /nowhere/);
    cpSync(path.join(SOURCES, 'main.tsx'), path.join(broken, 'main.tsx'));
    const heavy = Array.from({ length: 40_000 }, (_, n) => (n * 2654435761) % 4294967296).join();
    writeFileSync(path.join(broken, 'screens/login/login.tsx'), `export default () => [${heavy}];`);
    await assertFails(() => buildAdmin(broken, out), /"shell, sign-in, dashboard" takes \d+ bytes/);
    assert.equal(readdirSync(out).sort(), before);
    assert.equal(readdirSync(place.folder), ['out']);
  } finally {
    rmSync(broken, { recursive: true, force: true });
  }
});

async function assertFails(work: () => Promise<unknown>, message: RegExp): Promise<void> {
  let failure: unknown;
  await work().catch((error) => (failure = error));
  assert.match(String(failure), message);
}

test('where npm built nothing, the first request builds, in a process of its own, and says so meanwhile', async () => {
  using place = makeFolder();
  const files = openAdminFiles({
    builtFolder: path.join(place.folder, 'none'),
    sourceFolder: SOURCES,
    cacheFolder: path.join(place.folder, 'cache'),
    searchPath: process.env.PATH,
    logger: quiet,
  });
  const [page] = adminRoutes({ files, previewOrigin: () => undefined, hasUsers: () => true });
  const ask = () =>
    page!.handle({ params: {}, principal: { kind: 'anonymous' }, header: () => '', ctx: { query: {} } } as never);
  assert.not(existsSync(path.join(place.folder, 'cache')), 'opening builds nothing');
  const { status, headers, body } = await ask();
  assert.equal([status, headers?.['Retry-After']], [503, '1']);
  assert.match(String(body), /http-equiv="refresh" content="1"/);
  await until(() => files.manifest() !== undefined);
  assert.match(String((await ask()).body), /main-\w+\.js/);
  const again = openAdminFiles({
    builtFolder: path.join(place.folder, 'none'),
    sourceFolder: SOURCES,
    cacheFolder: path.join(place.folder, 'cache'),
    searchPath: process.env.PATH,
    logger: quiet,
  });
  assert.ok(again.manifest(), 'the next start finds them');
});

test('sources that do not build are reported, and tried again', async () => {
  using place = makeFolder();
  const sourceFolder = path.join(place.folder, 'sources');
  mkdirSync(sourceFolder);
  writeFileSync(path.join(sourceFolder, 'main.tsx'), 'import "./nowhere.ts";');
  const files = openAdminFiles({
    builtFolder: path.join(place.folder, 'none'),
    cacheFolder: path.join(place.folder, 'cache'),
    ...{ sourceFolder, searchPath: process.env.PATH, logger: quiet },
  });
  assert.is(files.manifest(), undefined);
  let failure: unknown;
  await until(() => {
    if (failure) return true;
    try {
      files.manifest();
    } catch (error) {
      failure = error;
    }
    return failure !== undefined;
  });
  assert.match(String(failure), /nowhere/);
  const gone = openAdminFiles({
    builtFolder: path.join(place.folder, 'none'),
    sourceFolder: path.join(place.folder, 'no-sources'),
    cacheFolder: path.join(place.folder, 'cache'),
    ...{ searchPath: undefined, logger: quiet },
  });
  assert.throws(() => gone.manifest(), /has no admin/);
});

test.run();
