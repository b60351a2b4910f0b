// Runs every test file in a separate process, two at a time, and ends with `N passed, N failed`. `npm test -- store
// wal` runs the files whose path contains one of the words. Files of `test/process/` mostly wait for a service that
// they have started, so one of them more runs beside the others. `npm test -- --nightly` runs what takes too long for
// every change.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';

/** Kills and faults at every place; a few of each are in other files too. */
const NIGHTLY = [
  'test/admin-files/builds.test.ts',
  'test/admin/accessibility-lists.test.ts',
  'test/admin/activity.test.ts',
  'test/admin/document/actions.test.ts',
  'test/admin/document/ai-fields.test.ts',
  'test/admin/document/before-saving.test.ts',
  'test/admin/document/preview.test.ts',
  'test/admin/document/proposals.test.ts',
  'test/admin/document/read-only.test.ts',
  'test/admin/document/source-fields.test.ts',
  'test/admin/forms-many.test.ts',
  'test/admin/health.test.ts',
  'test/admin/help.test.ts',
  'test/admin/keys.test.ts',
  'test/admin/long-work.test.ts',
  'test/admin/lost-answers.test.ts',
  'test/admin/low-window.test.ts',
  'test/admin/media-many.test.ts',
  'test/admin/media-move.test.ts',
  'test/admin/names-filled.test.ts',
  'test/admin/names.test.ts',
  'test/admin/one-stream.test.ts',
  'test/admin/operations-hostile.test.ts',
  'test/admin/right-to-left.test.ts',
  'test/admin/webhooks.test.ts',
  'test/admin/wizard.test.ts',
  'test/browser/form-page.test.ts',
  'test/browser/link-pages.test.ts',
  'test/browser/widget-challenge.test.ts',
  'test/browser/widget-page.test.ts',
  'test/browser/widget.test.ts',
  'test/cli/launched.test.ts',
  'test/content/from-git/both-sides.test.ts',
  'test/content/from-git/contested-below.test.ts',
  'test/content/from-git/contested-meanwhile.test.ts',
  'test/content/from-git/copies.test.ts',
  'test/content/from-git/hostile-below.test.ts',
  'test/content/from-git/in-the-way.test.ts',
  'test/content/from-git/preparation.test.ts',
  'test/content/rows/views-chance.test.ts',
  'test/deploy/automatic.test.ts',
  'test/generation/blog.test.ts',
  'test/generation/translate.test.ts',
  'test/git/http/concurrent.test.ts',
  'test/git/http/killed.test.ts',
  'test/git/http/limits.test.ts',
  'test/git/http/wire.test.ts',
  'test/git/verify/verify.test.ts',
  'test/history/copies.test.ts',
  'test/http/openapi/client.test.ts',
  'test/mcp/inspector.test.ts',
  'test/media/moves-chance.test.ts',
  'test/process/bulk-kill.test.ts',
  'test/process/cache.test.ts',
  'test/process/configuration.test.ts',
  'test/process/container-steps.test.ts',
  'test/process/descriptors.test.ts',
  'test/process/fail-points.test.ts',
  'test/process/foreign-owner.test.ts',
  'test/process/forms.test.ts',
  'test/process/full-disk.test.ts',
  'test/process/git.test.ts',
  'test/process/health.test.ts',
  'test/process/heartbeat.test.ts',
  'test/process/inbox.test.ts',
  'test/process/installed-older.test.ts',
  'test/process/installed.test.ts',
  'test/process/kill-starts.test.ts',
  'test/process/kill.test.ts',
  'test/process/lfs-many.test.ts',
  'test/process/media-moves.test.ts',
  'test/process/media.test.ts',
  'test/process/memory.test.ts',
  'test/process/one-process.test.ts',
  'test/process/push.test.ts',
  'test/process/remote.test.ts',
  'test/process/replayed.test.ts',
  'test/process/restore-drill.test.ts',
  'test/process/restore-kill.test.ts',
  'test/process/restore.test.ts',
  'test/process/settings.test.ts',
  'test/process/shutdown.test.ts',
  'test/process/snapshot.test.ts',
  'test/process/soak.test.ts',
  'test/process/two-processes.test.ts',
  'test/process/variants.test.ts',
  'test/process/webhooks.test.ts',
  'test/store/crash-mutants.test.ts',
  'test/store/maintenance/crash.test.ts',
  'test/templates/long-content.test.ts',
];
/** By day they look at half of what they look at by night. */
const BOTH = [
  'test/admin/accessibility.test.ts',
  'test/admin/account.test.ts',
  'test/admin/ai/agents.test.ts',
  'test/admin/ai/chat.test.ts',
  'test/admin/ai/curation.test.ts',
  'test/admin/ai/voice.test.ts',
  'test/admin/richtext/rich-text.test.ts',
];
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isNight = process.argv.includes('--nightly');
const files = globSync('test/**/*.test.ts')
  .filter((file) =>
    words.length > 0
      ? words.some((word) => file.includes(word))
      : isNight === NIGHTLY.includes(file) || BOTH.includes(file),
  )
  .sort();
const LIMIT_MS = (isNight ? 10 : 6) * 60_000;
/** Types are stripped and code is compiled once, not again in each process. */
const COMPILED = path.resolve('node_modules/.cache/tests');
/** A disk in memory, if there is one with room: half of what many files wait for are syncs of small files. */
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 6 * 2 ** 30;
/** A process that a test left behind may hold the pipes open; it must not hold up the run. */
const PIPES_MS = 2000;

const isWaiting = (file: string): boolean => file.startsWith('test/process/');
const folder = mkdtempSync(path.join(hasRoomInMemory() ? MEMORY : tmpdir(), 'colophon-tests-'));
// Some programs of the tests run as another user, in a folder of their own below.
chmodSync(folder, 0o711);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

interface Outcome {
  passed: number;
  failed: number;
}

let passed = 0;
let failed = 0;
const broken: string[] = [];

/** Started services get a real disk, and so does everything at night. */
const isOnDisk = (file: string): boolean => isNight || isWaiting(file);

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED_BYTES;
}

function runFile(file: string): Promise<Outcome> {
  return new Promise((done) => {
    const env = {
      NODE_COMPILE_CACHE: COMPILED,
      ...process.env,
      ...(isOnDisk(file) ? {} : { TMPDIR: folder }),
      FORCE_COLOR: '0',
      NODE_ENV: 'test',
      ...(isNight ? { TEST_NIGHTLY: '1' } : {}),
    };
    const child = spawn(process.execPath, [file], { env });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      output += `\nkilled after ${LIMIT_MS / 60_000} minutes\n`;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, PIPES_MS).unref();
    });
    const started = performance.now();
    child.on('close', (code) => {
      clearTimeout(timer);
      const total = Number(/Total:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const ok = Number(/Passed:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const bad = Math.max(total - ok, code === 0 && total > 0 ? 0 : 1);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${bad ? 'FAIL' : 'ok  '} ${file} ${ok}/${total} ${seconds} s`);
      if (bad) console.log(output || `(no output, exit ${code})`);
      done({ passed: ok, failed: bad });
    });
  });
}

const waiting = files.filter(isWaiting);
const working = files.filter((file) => !isWaiting(file));
/** A browser beside two other processes on a busy machine may miss its waits: such a file may try again, alone. */
const mayTryAgain = (file: string): boolean =>
  /^test\/(admin|browser)\//.test(file) && /from '.*(?:browser|page|world)\.ts'/.test(readFileSync(file, 'utf8'));
const MAX_AGAIN = 5;
const again: string[] = [];

function count(file: string, outcome: Outcome): void {
  passed += outcome.passed;
  failed += outcome.failed;
  if (outcome.failed) broken.push(file);
}

async function runAll(next: () => string | undefined): Promise<void> {
  for (let file = next(); file; file = next()) {
    const outcome = await runFile(file);
    if (outcome.failed && mayTryAgain(file) && again.length < MAX_AGAIN) again.push(file);
    else count(file, outcome);
  }
}
await Promise.all([
  ...Array.from({ length: Math.min(2, availableParallelism()) }, () =>
    runAll(() => working.shift() ?? waiting.shift()),
  ),
  runAll(() => waiting.shift()),
]);
for (const file of again) count(file, await runFile(file));
if (again.length) console.log(`tried again: ${again.join(', ')}`);
if (broken.length) console.log(`failed: ${broken.join(', ')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || passed === 0 ? 1 : 0);
