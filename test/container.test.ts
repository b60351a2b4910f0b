// Dockerfile, compose.yaml and the systemd unit, as far as they can be checked without running them;
// `test/process/container-steps.test.ts` runs the steps of the Dockerfile at night.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { isSent, parseDockerfile } from './support/dockerfile.ts';
import { ROOT } from './support/source.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const dockerignore = read('.dockerignore');
const stages = parseDockerfile(read('Dockerfile'));
const last = stages.at(-1)!;
const valuesOf = (instruction: string): string[] =>
  last.steps.filter((step) => step.instruction === instruction).map((step) => step.value);

test('the image runs as a user who is not root, keeps its data in a volume and answers for its health', () => {
  assert.equal(valuesOf('USER'), ['node']);
  assert.equal(valuesOf('VOLUME'), ['/data']);
  const order = last.steps.map((step) => step.instruction);
  assert.ok(order.indexOf('USER') > order.lastIndexOf('RUN'), 'what needs root comes before USER');
  // A folder that is changed after VOLUME is not changed in the image.
  assert.ok(order.indexOf('VOLUME') > order.lastIndexOf('RUN'));
  assert.match(valuesOf('HEALTHCHECK')[0]!, /\/healthz/);
  for (const value of [...valuesOf('ENTRYPOINT'), ...valuesOf('CMD')])
    assert.ok(Array.isArray(JSON.parse(value)), value);
});

test('every base image has a version, and every copied file exists and is sent to the builder', () => {
  const names = stages.map((stage) => stage.name);
  for (const { base, steps } of stages) {
    assert.match(base, /^node:24-[a-z]+-slim$/);
    for (const { value } of steps.filter((step) => step.instruction === 'COPY')) {
      const [from, ...rest] = value.split(/\s+/);
      if (from?.startsWith('--from=')) assert.ok(names.includes(from.slice('--from='.length)), value);
      else
        for (const file of [from!, ...rest.slice(0, -1)])
          assert.ok(file === '.' || (existsSync(path.join(ROOT, file)) && isSent(file, dockerignore)), file);
    }
    for (const { value } of steps.filter((step) => step.instruction === 'RUN')) {
      assert.not.match(value, /curl|wget|git clone|https?:/);
      if (value.includes('apt-get install')) assert.match(value, /--no-install-recommends.*rm -rf \/var\/lib\/apt/);
    }
  }
});

test('the builder gets what a package is made of, and nothing that is secret or large', () => {
  for (const file of ['package.json', 'src/cms.ts', 'src/build/themes/built-in/assets/site.css', '.github/SECURITY.md'])
    assert.ok(isSent(file, dockerignore), file);
  for (const file of [
    '.git/config',
    '.env',
    'node_modules/koa/index.js',
    '.data/users.json',
    'content/.data/x',
    'a.tgz',
  ])
    assert.not(isSent(file, dockerignore), file);
});

test('the compose file mounts what the image reads and writes, and takes every right away that it can', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const { colophon } = services;
  assert.ok('data' in volumes);
  assert.equal(colophon.volumes, ['data:/data', './content:/site/content:ro']);
  assert.match(colophon.ports[0], /^127\.0\.0\.1:3010:3010$/);
  assert.equal([colophon.read_only, colophon.cap_drop], [true, ['ALL']]);
});

test('the variables of image, compose file and unit are variables that the service reads', () => {
  const env = read('src/config/env.ts');
  const named = ['Dockerfile', 'compose.yaml', 'systemd/colophon.service'].flatMap(
    (file) => read(file).match(/\bCMS_[A-Z_]+/g) ?? [],
  );
  assert.ok(named.length > 8);
  for (const name of named) assert.ok(env.includes(name), name);
});

test('the unit lets the service write its data, waits for its end, and is valid to systemd', () => {
  const unit = read('systemd/colophon.service');
  for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'StateDirectory=colophon', 'NoNewPrivileges=yes'])
    assert.ok(unit.includes(`\n${line}\n`), line);
  const seconds = Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1]);
  assert.ok(seconds > 20, 'writes in flight have 20 seconds');
  // Machines without systemd check the lines above only.
  if (spawnSync('systemd-analyze', ['--version']).error) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-unit-'));
  try {
    const file = path.join(folder, 'colophon.service');
    writeFileSync(file, unit);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    assert.equal([status, stderr.replaceAll(/^(?!.*colophon).*\n/gm, '')], [0, '']);
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' });
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
    assert.ok(exposure < 2, `exposure ${exposure} of 10`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('with what build commands need the unit is still valid, and keeps all that they do not need', () => {
  const more = read('systemd/colophon-builds.conf');
  assert.not.match(more, /ProtectSystem|ProtectHome|NoNewPrivileges|PrivateTmp|CapabilityBoundingSet|DynamicUser/);
  if (spawnSync('systemd-analyze', ['--version']).error) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-unit-'));
  try {
    const file = path.join(folder, 'colophon.service');
    // As a drop-in would be read: later lines win.
    writeFileSync(file, read('systemd/colophon.service').replace(/(?=^\[Install\])/m, more.replace('[Service]', '')));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    assert.equal([status, stderr.replaceAll(/^(?!.*colophon).*\n/gm, '')], [0, '']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
