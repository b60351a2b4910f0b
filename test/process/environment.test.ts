// Other processes of the same user read /proc/<pid>/environ: there is no secret in it, neither in that of the service nor
// in that of anything that it starts.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../support/client.ts';
import { startNetlify } from '../support/hosts/netlify.ts';
import { ADMIN, CONFIG, eventually, makePlace } from '../support/process.ts';
import { ROOT } from '../support/source.ts';

/** In each of the secrets, and nowhere else. */
const MARK = 'MARKED';
const SECRETS = {
  CMS_JWT_SECRET: `${MARK}-jwt-0123456789-0123456789-0123456789`,
  CMS_SERVICE_SECRET: `${MARK}-service-0123456789-0123456789-012345`,
  CMS_SETUP_TOKEN: `${MARK}-setup`,
  CMS_OIDC_CLIENT_SECRET: `${MARK}-oidc`,
  DEPLOY_NOTIFY_SECRET: `${MARK}-notify-0123456789`,
  RESEND_API_KEY: `${MARK}-resend`,
  SMTP_URL: `smtp://user:${MARK}-smtp@127.0.0.1:1`,
  ANTHROPIC_API_KEY: `${MARK}-anthropic`,
  OPENAI_API_KEY: `${MARK}-openai`,
  GITHUB_TOKEN: `${MARK}-github`,
  // Named by a configuration, by a provider, and by nothing.
  SITE_REMOTE: `${MARK}-remote`,
  TURNSTILE_SECRET_KEY: `${MARK}-turnstile`,
  'odd.name': `${MARK}-odd`,
  HTTPS_PROXY: `http://user:${MARK}-proxy@127.0.0.1:1`,
  OPENAI_BASE_URL: `http://user:${MARK}-base@127.0.0.1:1/v1`,
};
const LAUNCHER = path.join(ROOT, 'src/cli/colophon.js');
const MAIN = path.join(ROOT, 'src/main.ts');
const START_MS = 60_000;

interface Seen {
  pid: number;
  command: string;
  environ: string;
}

function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Looks at these processes alone: a look at all of the machine's takes longer than some of them live. */
function childrenOf(pid: number): number[] {
  const threads = listOf(`/proc/${pid}/task`);
  return threads.flatMap((thread) => (readOf(pid, `task/${thread}/children`).match(/\d+/g) ?? []).map(Number));
}

/** The process and everything that it has started. */
function familyOf(root: number): Seen[] {
  const pids = [root];
  for (let at = 0; at < pids.length; at++) pids.push(...childrenOf(pids[at]!));
  return pids.map((pid) => ({
    pid,
    command: readOf(pid, 'cmdline').replaceAll('\0', ' '),
    environ: readOf(pid, 'environ'),
  }));
}

function checkHidden(seen: readonly Seen[]): void {
  for (const { command, environ } of seen) {
    const shown = environ.split('\0').filter((one) => one.includes(MARK));
    assert.equal(shown, [], command);
    assert.not.match(command, MARK);
  }
}

test('no process of a service at work has a secret in its environment', async () => {
  await using host = await startNetlify();
  const remote = { url: 'http://127.0.0.1:9/site.git', tokenEnv: 'SITE_REMOTE' };
  await using place = makePlace({ config: { ...CONFIG, remote } });
  const service = await place.start(SECRETS);
  checkHidden(familyOf(service.pid));
  const reply = await service.client().post('/api/auth/setup', { ...ADMIN, setupToken: SECRETS.CMS_SETUP_TOKEN });
  assert.is(reply.status, 200, reply.text);
  const client = service.client(reply.cookie);
  const settings = { deployProvider: 'netlify', ...host.settings, allowPrivateTargets: true };
  const set = await client.post('/api/admin/site-config', settings);
  assert.is(set.status, 200, set.text);
  const body = new FormData();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="9" height="9"/></svg>';
  body.set('file', new File([svg], 'drawing.svg', { type: 'image/svg+xml' }));
  const headers = { cookie: reply.cookie!, 'sec-fetch-site': 'same-origin' };
  const upload = await fetch(`${service.url}/api/upload`, { method: 'POST', headers, body });
  const { url } = (await upload.json()) as { url: string };
  const made = await client.post('/api/admin/access-tokens', { name: 'ci', permissions: ['content:read'] });
  const git = `${service.url.replace('//', `//x:${made.json.token}@`)}/git/default.git`;

  const seen = new Map<string, Seen>();
  const look = (): void => familyOf(service.pid).forEach((one) => seen.set(`${one.pid} ${one.command}`, one));
  const watch = setInterval(look, 10);
  try {
    const work = await Promise.all([
      client.post('/api/admin/deploy').then(({ json }) => endOf(client, json.deploy.id)),
      fetch(new URL(`${url}?w=320&format=png`, service.url)).then(({ status }) => status),
      listRefs(git),
    ]);
    assert.equal(work, ['success', 200, 0]);
  } finally {
    clearInterval(watch);
  }
  const commands = [...seen.values()].map(({ command }) => command).join('\n');
  for (const program of ['main.ts', 'program/launcher', 'draw-worker', 'builder-child', 'upload-pack'])
    assert.match(commands, program);
  checkHidden([...seen.values()]);
  assert.is((await service.stop()).code, 0);
});

async function endOf(client: Client, id: string): Promise<string> {
  await client.get(`/api/admin/deploys/${id}/log`, { accept: 'text/event-stream' });
  return (await client.get(`/api/admin/deploys/${id}`)).json.status;
}

async function listRefs(address: string): Promise<number | null> {
  const child = spawn('git', ['ls-remote', address], { stdio: 'ignore' });
  return new Promise((done) => child.once('close', done));
}

test('the service has its secrets nevertheless, and so has its configuration', async () => {
  const config = `
    if (process.env.SITE_REMOTE !== '${SECRETS.SITE_REMOTE}') throw new Error('the configuration cannot read it');
    export default ${JSON.stringify(CONFIG)};`;
  await using place = makePlace({ configName: 'cms.config.ts', config });
  // More than one pipe of a shell takes at once.
  const service = await place.start({ ...SECRETS, LARGE: 'x'.repeat(9000) });
  const headers = { 'x-cms-service-token': SECRETS.CMS_SERVICE_SECRET };
  assert.is((await service.client().get('/metrics', headers)).status, 200);
  assert.is((await service.stop()).code, 0);
});

test('a process of the same user cannot open the debugger of the service by a signal', async () => {
  // Settings of the operator for the memory are settings for nothing else.
  const settings: Record<string, string>[] = [{}, { NODE_OPTIONS: '--max-semi-space-size=16' }];
  for (const variables of settings) {
    await using place = makePlace();
    const service = await place.start(variables);
    process.kill(service.pid, 'SIGUSR1');
    assert.is((await service.client().get('/healthz')).status, 200);
    assert.is((await service.stop()).code, 0);
    assert.not.match(service.stderr, 'Debugger');
  }
});

interface Start {
  title: string;
  command: string[];
  isForked?: boolean;
}

const OLDER_NODE = ['/usr/bin/node'].filter((file) => existsSync(file) && file !== process.execPath);
const STARTS: Start[] = [
  { title: 'main.ts', command: [process.execPath, MAIN] },
  { title: 'colophon start', command: [process.execPath, LAUNCHER, 'start'] },
  { title: 'a shell that stays no longer than its command', command: ['sh', '-c', `exec ${process.execPath} ${MAIN}`] },
  { title: 'settings of the operator', command: [process.execPath, '--max-semi-space-size=16', MAIN] },
  { title: 'a process with a channel to it', command: [MAIN], isForked: true },
  ...OLDER_NODE.map((node) => ({ title: 'an older Node', command: [node, LAUNCHER, 'start'] })),
];

for (const { title, command, isForked = false } of STARTS) {
  test(`started by ${title}, no process shows a secret, and the first signal ends all of them`, async () => {
    await using place = makePlace();
    const env = { ...place.env, ...SECRETS };
    const [program = '', ...args] = command;
    const child: ChildProcess = isForked
      ? fork(program, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
      : spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    const exited = new Promise<number | null>((done) => child.once('close', done));
    try {
      await eventually(() => assert.match(output, /listening on/), START_MS);
      const family = familyOf(child.pid!);
      checkHidden(family);
      assert.not.match(output, MARK);
      assert.not.match(output, 'shows secrets');
      child.kill('SIGTERM');
      assert.is(await exited, 0, output);
      for (const { pid, command } of family) assert.is(readOf(pid, 'cmdline'), '', command);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

const hasContainer = existsSync('/usr/bin/tini') && process.getuid?.() === 0;

// Machines without tini, and plain users, who may not make such a namespace, leave it out.
(hasContainer ? test : test.skip)(
  'as the first process of a container it starts tini without its secrets',
  async () => {
    await using place = makePlace();
    const env = { ...place.env, ...SECRETS };
    const command = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, LAUNCHER, 'start'];
    const child = spawn('unshare', command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    const exited = new Promise<number | null>((done) => child.once('close', done));
    try {
      await eventually(() => assert.match(output, /listening on/), START_MS);
      const [, ...family] = familyOf(child.pid!);
      assert.match(family[0]!.command, /^\/usr\/bin\/tini -- .*node/);
      checkHidden(family);
      process.kill(family[0]!.pid, 'SIGTERM');
      assert.is(await exited, 0, output);
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('a process above the service that shows its secrets is named in the log, with their names alone', async () => {
  await using place = makePlace();
  const env = { ...place.env, ...SECRETS };
  const child = spawn('sh', ['-c', `${process.execPath} ${MAIN}; exit $?`], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  const exited = new Promise((done) => child.once('close', done));
  try {
    await eventually(() => assert.match(output, /listening on/), START_MS);
    const lines = output.split('\n').filter((line) => line.startsWith('{"level":40') && line.includes('shows secrets'));
    const [warned] = lines.map((line) => JSON.parse(line));
    assert.equal([lines.length, warned.shownPid, warned.program], [1, child.pid, 'sh']);
    assert.ok(warned.variables.includes('CMS_JWT_SECRET'));
    assert.not.match(output, MARK);
  } finally {
    const [, service] = familyOf(child.pid!);
    if (service) process.kill(service.pid, 'SIGTERM');
    await exited;
  }
});

test.run();
