// Builds in a container, with a program `docker` that writes down what it is asked.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toDockerArguments, toDockerImage, toDockerNetwork } from '../../../src/build/command/docker.ts';
import { toBuildFolder } from '../../../src/build/sandbox/build-folder.ts';
import { toMemoryBytes } from '../../../src/build/sandbox/limits.ts';
import { eventually } from '../../support/process.ts';
import { makeBuildWorld } from './world.ts';

/** A program that notes its arguments, one line a call, and then runs `script`. */
function makeDocker(script: string): Disposable & { path: string; calls(): string[][] } {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-docker-'));
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const note = `node -e 'require("fs").appendFileSync("${calls}", JSON.stringify(process.argv.slice(1)) + "\\n")' -- "$@"`;
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${note}\n${script}\n`);
  chmodSync(join(folder, 'docker'), 0o755);
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    calls: () =>
      readFileSync(calls, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs the command as the container would: in the folder that is mounted at the working directory. */
const RUN = `
[ "$1" = run ] || exit 0
while [ "$1" != --workdir ]; do
  case "$1" in type=bind,source=*/tree,target=*) tree=\${1#type=bind,source=}; tree=\${tree%%,*};; esac
  shift
done
while [ "$1" != -c ]; do shift; done
cd "$tree" && sh -c "$2"`;

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).name;
  }
  return undefined;
}

test('the command runs in the image, with the folder of the build and without a network', async () => {
  using docker = makeDocker(RUN);
  const variables = { PATH: docker.path, CMS_JWT_SECRET: 'secret' };
  const command = 'mkdir dist && cp -r content dist/';
  await using it = await makeBuildWorld({ command, docker: 'node', env: { MODE: 'live' } }, { parts: { variables } });
  await it.publish('hello');
  const site = await it.build();
  assert.equal(
    site.files.map(({ path }) => path),
    ['content/posts/hello.json'],
  );
  const run = docker.calls().find(([first]) => first === 'run')!;
  const after = (flag: string): string | undefined => run[run.indexOf(flag) + 1];
  assert.is(after('--network'), 'none');
  // Never root, and never with more than the bounds of a build.
  const [uid, gid] = process.getuid!() === 0 ? [65534, 65534] : [process.getuid!(), process.getgid!()];
  assert.is(after('--user'), `${uid}:${gid}`);
  for (const flag of ['--cap-drop=ALL', 'no-new-privileges']) assert.ok(run.includes(flag), flag);
  assert.is(after('--pids-limit'), '1024');
  assert.is(after('--memory'), String(toMemoryBytes()));
  assert.is(after('--memory-swap'), after('--memory'));
  assert.is(after('--entrypoint'), 'sh');
  assert.ok(run.includes('--rm'));
  assert.ok(run.includes('MODE=live'));
  assert.ok(run.includes(`CMS_COMMIT=${site.commit}`));
  assert.ok(run.includes('HOME=/colophon/home'));
  assert.not.ok(run.join(' ').includes('secret'));
  const mounted = run.filter((_, index) => run[index - 1] === '--mount');
  assert.is(mounted.length, 3);
  for (const mount of mounted) assert.ok(mount.startsWith(`type=bind,source=${it.folder}/default/`));
  assert.equal(run.slice(-3), [run.at(-3)!, '-c', command]);
});

test('a container is removed by its name at a cancel', async () => {
  using docker = makeDocker('[ "$1" = run ] && sleep 60; exit 0');
  await using it = await makeBuildWorld(
    { command: 'true', docker: 'node' },
    { parts: { variables: { PATH: docker.path } } },
  );
  await it.publish('hello');
  const cancel = new AbortController();
  const building = codeOf(it.build({ signal: cancel.signal }));
  await eventually(() => assert.ok(docker.calls().some(([first]) => first === 'run')), 60_000);
  cancel.abort();
  assert.is(await building, 'BuildError');
  const run = docker.calls().find(([first]) => first === 'run')!;
  assert.equal(docker.calls().at(-1), ['rm', '--force', run[run.indexOf('--name') + 1]]);
});

for (const [what, script] of [
  ['fails', 'echo "Cannot connect to the Docker daemon" >&2; exit 1'],
  ['hangs', 'sleep 60'],
] as const) {
  test(`a docker that ${what} is refused at the check`, async () => {
    using docker = makeDocker(script);
    await using it = await makeBuildWorld(
      { command: 'true', docker: 'go' },
      { parts: { variables: { PATH: docker.path } } },
    );
    const startMs = performance.now();
    assert.is(await codeOf(it.builds.check({ isPreview: false })), 'invalid_input');
    assert.ok(performance.now() - startMs < 6000);
  });
}

test('without the program docker the check says so, and a site without a command needs none', async () => {
  const variables = { PATH: '/nowhere' };
  await using it = await makeBuildWorld(
    { docker: 'go', profiles: [{ name: 'made', command: 'true' }, { name: 'theme' }] },
    { parts: { variables } },
  );
  assert.is(await codeOf(it.builds.check({ isPreview: false, profile: 'made' })), 'invalid_input');
  assert.is(await codeOf(it.builds.check({ isPreview: false, profile: 'theme' })), undefined);
});

test('images and folders that are options or lists are refused', () => {
  for (const docker of [{ image: '--privileged' }, { image: 'a b' }, { image: 'node:24', workdir: 'site' }]) {
    let code: string | undefined;
    try {
      toDockerImage(docker);
    } catch (error) {
      code = (error as { code?: string }).code;
    }
    assert.is(code, 'invalid_input', JSON.stringify(docker));
  }
});

test('a container is in a network of its own, or in none', () => {
  assert.is(toDockerNetwork(undefined, true), 'none');
  assert.is(toDockerNetwork('builds', true), 'builds');
  assert.is(toDockerNetwork('builds', false), 'none');
  for (const network of ['host', 'container:other', '--privileged', 'a b']) {
    assert.throws(
      () => toDockerNetwork(network, true),
      (error: { code?: string }) => error.code === 'invalid_input',
    );
  }
});

test('a folder with a comma stays one field of the mount', () => {
  const run = toDockerArguments({
    ...{ image: 'node:24', workdir: '/site', name: 'a', label: 'b', network: 'bridge', user: undefined },
    ...{ folder: toBuildFolder('/data,1/"x"'), env: {}, command: 'true', memoryBytes: 1 },
  });
  assert.ok(run.includes('type=bind,"source=/data,1/""x""/tree",target=/site'));
  assert.is(run[run.indexOf('--network') + 1], 'bridge');
});

test.run();
