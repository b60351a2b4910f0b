// The result of `npm pack`: JavaScript that runs without type stripping. Its dependencies are those of the checkout.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from './support/process.ts';
import { ROOT, readSources } from './support/source.ts';

const ENV = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: tmpdir() };

/** 8.7 MB today: a third of it the admin with its source maps, which are packed in one form of three. */
const MAX_PACKED_BYTES = 9_400_000;
const PROGRAM = `import { createCms, ServiceError } from 'colophon';
import { defineConfig } from 'colophon/config';
const config = defineConfig({ collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text', required: true }] }] });
const cms = await createCms(config, { dataDir: '.data' });
try {
  const { documents, total } = await cms.content.findMany('posts', { limit: 10 });
  const title: unknown = documents[0]?.data.title;
  console.log(total, title);
} catch (error) {
  if (error instanceof ServiceError) console.log(error.code);
} finally {
  await cms.close();
}
`;

/** What `npm pack` reads, and the scripts that it runs. */
const PACKED = [
  '.github',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'content',
  'package.json',
  'scripts',
  'src',
  'systemd',
];

/** Packing builds into `dist`, which a service may be serving: a copy has one of its own. */
function copyCheckout(folder: string): string {
  const copy = path.join(folder, 'checkout');
  for (const name of [...PACKED, 'tsconfig.json', '.npmrc']) {
    const from = path.join(ROOT, name);
    if (existsSync(from)) cpSync(from, path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** A folder with the package in its `node_modules`, as `npm install <archive>` leaves it. */
function install(): { folder: string; archive: string; installed: string } & Disposable {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-package-'));
  const cwd = copyCheckout(folder);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd, env: ENV });
  rmSync(cwd, { recursive: true });
  const [archive = ''] = globSync('*.tgz', { cwd: folder });
  const modules = path.join(folder, 'node_modules');
  const installed = path.join(modules, 'colophon');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', path.join(folder, archive), '--strip-components=1', '-C', installed]);
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  const packages = { 'node_modules/colophon': { resolved: `file:${archive}` } };
  writeFileSync(path.join(modules, '.package-lock.json'), JSON.stringify({ packages }));
  return { folder, archive, installed, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

test('an installed package makes a site that starts, has every file that it runs, and can be imported by programs', async () => {
  using place = install();
  const { folder, archive, installed } = place;
  // A template's configuration is copied into the site that it starts, and runs there.
  const isTemplate = (file: string): boolean => /^dist\/templates\/[a-z-]+\/cms\.config\.ts$/.test(file);
  const sources = globSync('**/*.ts', { cwd: installed, exclude: (name) => name.endsWith('.d.ts') });
  assert.equal(
    sources.filter((file) => !isTemplate(file)),
    [],
  );
  for (const file of ['dist/cms.d.ts', 'dist/serve.js.map', 'dist/config/define.d.ts']) {
    assert.ok(existsSync(path.join(installed, file)), file);
  }
  // Files that are named at run time, without an import.
  const named = readSources(['src/**/*.ts']).flatMap(({ path: file, text }) =>
    [...text.matchAll(/siblingUrl\(import\.meta\.url, '([^']+)'\)/g)].map(([, name = '']) =>
      path.join(path.dirname(file).replace(/^src/, 'dist'), `${name}.js`),
    ),
  );
  assert.ok(named.length > 8);
  for (const file of named) assert.ok(existsSync(path.join(installed, file)), file);

  const bin = path.join(installed, 'src/cli/colophon.js');
  execFileSync(process.execPath, [bin, 'init', '--template', 'blog', 'from-template'], { cwd: folder, env: ENV });
  assert.ok(existsSync(path.join(folder, 'from-template/content/theme/layouts/base.liquid')));
  execFileSync(process.execPath, [bin, 'init', 'my-site'], { cwd: folder, env: ENV });
  const site = path.join(folder, 'my-site');
  const manifest = JSON.parse(readFileSync(path.join(site, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, { colophon: `file:../${archive}` });
  const service = spawn(process.execPath, [bin, 'start', '--port', '0'], { cwd: site, env: ENV });
  try {
    let output = '';
    for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (output += text));
    const url = await eventually(() => {
      const found = /listening on (http:[^"]+)"/.exec(output)?.[1];
      if (!found) throw new Error(output);
      return found;
    }, 20_000);
    assert.is((await fetch(`${url}/readyz`)).status, 200);
    assert.match(output, /planted 2 documents/);
    // A password hash, and a file that is read next to the code.
    const body = JSON.stringify({ email: 'ada@example.org', name: 'Ada', password: 'correct horse' });
    const headers = { 'content-type': 'application/json' };
    assert.is((await fetch(`${url}/api/auth/setup`, { method: 'POST', headers, body })).status, 200);
  } finally {
    const ended = new Promise((done) => service.once('exit', done));
    service.kill();
    await ended;
  }
  execFileSync(process.execPath, [bin, 'verify'], { cwd: site, env: ENV });

  // Programs and configurations import it too.
  const program =
    "import { createCms } from 'colophon'; import { defineConfig } from 'colophon/config'; console.log(typeof createCms, typeof defineConfig);";
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: place.folder,
    env: ENV,
    encoding: 'utf8',
  });
  assert.is(out, 'function function\n');

  checkDeclarations(folder);
  const bytes = statSync(path.join(folder, archive)).size;
  assert.ok(bytes < MAX_PACKED_BYTES, `the package has ${bytes} bytes`);
});

/** Programs that import the package compile with what their authors may have set. */
function checkDeclarations(folder: string): void {
  writeFileSync(path.join(folder, 'program.mts'), PROGRAM);
  const ways = [
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'node16', moduleResolution: 'node16' },
    { module: 'esnext', moduleResolution: 'bundler', noUncheckedIndexedAccess: true, isolatedModules: true },
  ];
  for (const way of ways) {
    const always = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2023', types: [] };
    const compilerOptions = { skipLibCheck: false, ...always, ...way };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    const { stdout } = spawnSync(tsc, ['-p', folder], { env: ENV, encoding: 'utf8' });
    assert.is(stdout, '', JSON.stringify(way));
  }
}

/** In an installed package the file has another extension; `siblingUrl` knows which. */
test('no source names a TypeScript file at run time', () => {
  const found = readSources(['src/**/*.ts']).filter(({ text }) =>
    /(?:new URL|path\.join|path\.resolve)\([^)]*\.ts'/.test(text),
  );
  assert.equal(
    found.map(({ path: file }) => file),
    [],
  );
});

test.run();
