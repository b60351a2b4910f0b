// The command as people start it: through npm, through npx and through an older Node. However it ends, no process is
// left.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCode } from '../../src/lib/error-code.ts';
import { eventually } from '../support/process.ts';
import { ROOT } from '../support/source.ts';

const LAUNCHER = path.join(ROOT, 'src/cli/colophon.js');
/** Compiled once for all of them; what a first start compiles is tested in `test/process/cache.test.ts`. */
const COMPILED = path.join(ROOT, 'node_modules/.cache/process-tests');
const START_MS = 20_000;
const END_MS = 5000;
/** npx and `npm run`, as a process sees them: a shell in between, which passes no signal on, and a variable. */
const THROUGH_SHELL = ['sh', '-c', '"$@"; exit $?', 'sh'];
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;

interface Started extends Disposable {
  child: ChildProcess;
  /** The id of the process that serves, which it writes into its data folder. */
  servicePid: number;
  exited: Promise<number | NodeJS.Signals>;
}

async function start(command: string[], variables: Record<string, string> = {}): Promise<Started> {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-launched-'));
  writeFileSync(path.join(folder, 'cms.config.json'), JSON.stringify({ collections: [] }));
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: ROOT,
    // In a separate process group, so that leftovers of a test can be ended together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      PORT: '0',
      CMS_DATA_DIR: path.join(folder, 'data'),
      NODE_COMPILE_CACHE: COMPILED,
      CMS_CONFIG_PATH: path.join(folder, 'cms.config.json'),
      ...variables,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  const exited = new Promise<number | NodeJS.Signals>((done) =>
    child.once('exit', (code, signal) => done(code ?? signal ?? 0)),
  );
  const dispose = (): void => {
    if (isRunning(-child.pid!)) process.kill(-child.pid!, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await eventually(() => assert.match(output, /listening on/), START_MS);
  } catch (error) {
    dispose();
    throw error;
  }
  const servicePid = Number(readFileSync(path.join(folder, 'data', 'lock.pid'), 'utf8'));
  return { child, servicePid, exited, [Symbol.dispose]: dispose };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
    throw error;
  }
  const stat = `/proc/${pid}/stat`;
  return pid < 0 || !existsSync(stat) || !/^\d+ \(.*\) Z/s.test(readFileSync(stat, 'utf8'));
}

test('a signal to the command ends the service, and the command ends as the service did', async () => {
  for (const signal of SIGNALS) {
    using started = await start([process.execPath, LAUNCHER, 'start']);
    started.child.kill(signal);
    assert.is(await started.exited, signal === 'SIGKILL' ? signal : 0, signal);
    await eventually(() => assert.not.ok(isRunning(started.servicePid), signal), END_MS);
  }
});

test('a signal to an older Node, which starts a newer one or is replaced by it, does the same', async () => {
  // The launcher looks only at the version, and at whether the process can be replaced.
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.0.0' });";
  const load = `await import(${JSON.stringify(LAUNCHER)});`;
  for (const signal of SIGNALS) {
    for (const isChild of [true, false]) {
      const script = `${old} ${isChild ? 'process.execve = undefined;' : ''} ${load}`;
      using started = await start([process.execPath, '--input-type=module', '-e', script, 'colophon', 'start']);
      assert.is(started.servicePid !== started.child.pid, isChild);
      started.child.kill(signal);
      assert.is(await started.exited, signal === 'SIGKILL' ? signal : 0, signal);
      await eventually(() => assert.not.ok(isRunning(started.servicePid), signal), END_MS);
    }
  }
});

test('a service that npx started ends with npx, or with the shell between them', async () => {
  const npx = { npm_lifecycle_script: 'colophon' };
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    using started = await start([...THROUGH_SHELL, process.execPath, LAUNCHER, 'start'], npx);
    assert.is.not(started.servicePid, started.child.pid);
    started.child.kill(signal);
    await started.exited;
    await eventually(() => assert.not.ok(isRunning(started.servicePid), signal), END_MS);
  }
});

test('a service that npm started ends with npm, however npm ends', async () => {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    const scripts = signal === 'SIGHUP' ? [['start']] : [['start'], ['run', 'colophon', '--', 'start']];
    for (const script of scripts) {
      using started = await start(['npm', ...script]);
      started.child.kill(signal);
      await started.exited;
      await eventually(() => assert.not.ok(isRunning(started.servicePid), `npm ${script.join(' ')} ${signal}`), END_MS);
    }
  }
});

test('a service that a shell started in the background goes on without it', async () => {
  for (const npm_lifecycle_script of ['', 'node deploy.js', 'colophon start &']) {
    using started = await start([...THROUGH_SHELL, process.execPath, LAUNCHER, 'start'], { npm_lifecycle_script });
    started.child.kill('SIGKILL');
    await started.exited;
    // Longer than a service that watches its shell needs to notice, and to end.
    await new Promise((later) => setTimeout(later, 1500));
    assert.ok(isRunning(started.servicePid), npm_lifecycle_script);
  }
});

test.run();
