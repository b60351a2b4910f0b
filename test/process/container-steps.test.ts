// The steps of the Dockerfile without Docker: its RUN, COPY and CMD in clean folders, by a user who is not root. Left out
// is what needs root (Debian's packages, the owner of /data). At night, because it installs everything twice.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isSent, parseDockerfile, type Stage } from '../support/dockerfile.ts';
import { eventually } from '../support/process.ts';
import { ROOT } from '../support/source.ts';

const NOBODY = { uid: 65534, gid: 65534 };
const identity: { uid?: number; gid?: number } = process.getuid?.() === 0 ? NOBODY : {};
const image = mkdtempSync(path.join(tmpdir(), 'colophon-image-'));
chmodSync(image, 0o777);
process.once('exit', () => rmSync(image, { recursive: true, force: true, maxRetries: 3 }));
const stages = parseDockerfile(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'));

/** Paths of the image, below the folder of their stage. */
function inStage(text: string, stage: string): string {
  return text.replace(
    /(?<=^|[\s=:"])\/(package|modules|site|data|tmp)(?=$|[/\s"])/g,
    (found) => `${image}/${stage}${found}`,
  );
}

function folderOf(stage: string, folder: string): string {
  const made = path.join(image, stage, folder);
  mkdirSync(made, { recursive: true, mode: 0o777 });
  for (let at = made; at !== image; at = path.dirname(at))
    if (identity.uid !== undefined) chownSync(at, NOBODY.uid, NOBODY.gid);
  return made;
}

function copy(value: string, stage: string, cwd: string): void {
  const [first = '', ...others] = value.split(/\s+/);
  const from = first.startsWith('--from=') ? first.slice('--from='.length) : undefined;
  const names = from === undefined ? [first, ...others] : others;
  const target = names.pop()!;
  const to = target.startsWith('/') ? path.join(image, stage, target) : path.join(cwd, target);
  for (const name of names) {
    if (from !== undefined) {
      const isFile = path.extname(name) !== '';
      const base = isFile ? path.join(to, path.basename(name)) : to;
      run(stage, cwd, `mkdir -p ${path.dirname(base)} && cp -a ${path.join(image, from, name)} ${base}`);
      continue;
    }
    const dockerignore = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8');
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', name], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    for (const file of tracked.split('\n').filter((one) => one !== '' && isSent(one, dockerignore))) {
      const isFolder = !path.extname(name) || name === '.';
      const relative = isFolder ? path.relative(name, file) : path.basename(file);
      cpSync(path.join(ROOT, file), path.join(to, relative), { recursive: true });
    }
    if (identity.uid !== undefined) execFileSync('chown', ['-R', '65534:65534', to]);
  }
}

function environment(stage: string): NodeJS.ProcessEnv {
  const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`;
  const npm = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_registry|NODE_EXTRA_CA_CERTS)$/i.test(name)),
  );
  return { ...npm, PATH, HOME: folderOf(stage, 'home') };
}

function run(stage: string, cwd: string, command: string): void {
  const { status, stderr } = spawnSync('sh', ['-ec', command], {
    cwd,
    env: environment(stage),
    ...identity,
    encoding: 'utf8',
  });
  assert.is(status, 0, `${command}\n${stderr}`);
}

function build({ name, steps }: Stage, index: number) {
  const stage = name || `stage-${index}`;
  folderOf(stage, 'tmp');
  const env: Record<string, string> = {};
  let cwd = folderOf(stage, '');
  for (const { instruction, value } of steps) {
    if (instruction === 'WORKDIR') cwd = folderOf(stage, value);
    else if (instruction === 'COPY') copy(value, stage, cwd);
    else if (instruction === 'RUN' && !/apt-get/.test(value))
      run(stage, cwd, inStage(value, stage).replace(/ && chown \S+ \S+/, ''));
    else if (instruction === 'ENV')
      for (const pair of value.split(' ')) env[pair.split('=')[0]!] = inStage(pair.split('=')[1]!, stage);
  }
  return { stage, cwd, env };
}

test('the steps of the Dockerfile give a service that starts as nobody, is healthy and shows the starter site', async () => {
  const built = stages.map(build).at(-1)!;
  const { steps } = stages.at(-1)!;
  const jsonOf = (instruction: string): string[] => {
    const { value } = steps.findLast((step) => step.instruction === instruction)!;
    return JSON.parse(value.slice(value.indexOf('[')));
  };
  const command = [...jsonOf('ENTRYPOINT'), ...jsonOf('CMD')];
  const env = {
    ...environment(built.stage),
    ...built.env,
    HOST: '127.0.0.1',
    PORT: '0',
    TMPDIR: folderOf(built.stage, 'tmp'),
  };
  const child = spawn(command[0]!, command.slice(1), { cwd: built.cwd, env, ...identity });
  try {
    const { port, output } = await listening(child);
    assert.match(output, /planted \d+ documents/);
    const [probe = '', ...args] = jsonOf('HEALTHCHECK');
    const healthy = (at: string) => spawnSync(probe, args, { env: { ...env, PORT: at } }).status;
    assert.equal([healthy(port), healthy('1')], [0, 1]);
  } finally {
    const ended = new Promise((done) => child.once('close', done));
    child.kill('SIGTERM');
    await ended;
  }
  const megabytes = Number(
    execFileSync('du', ['-sm', path.join(built.cwd, 'node_modules')], { encoding: 'utf8' }).split('\t')[0],
  );
  assert.ok(megabytes < 330, `${megabytes} MB of modules`);
  assert.equal(globSync('node_modules/{typescript,@biomejs,playwright-core}', { cwd: built.cwd }), []);
});

function listening(child: ChildProcess): Promise<{ port: string; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  return eventually(() => {
    const port = /listening on http:\/\/[^:]+:(\d+)"/.exec(output)?.[1];
    if (!port) throw new Error(output);
    return { port, output };
  }, 60_000);
}

test.run();
