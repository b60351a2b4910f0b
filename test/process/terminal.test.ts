// A start on a terminal prints for people; `script` makes one.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, makePlace } from '../support/process.ts';
import { ROOT } from '../support/source.ts';

const START_MS = 60_000;

/** Starts the service on a terminal, waits for `wanted`, presses Ctrl+C, and returns all that it showed. */
async function watch(env: Record<string, string>, wanted: RegExp): Promise<string> {
  const command = `'${process.execPath}' '${path.join(ROOT, 'src/main.ts')}'`;
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const ended = new Promise((resume) => terminal.once('close', resume));
  try {
    await eventually(() => assert.match(shown, wanted), START_MS);
    terminal.stdin.write('\u0003');
    await ended;
    return shown.replaceAll('\r\n', '\n');
  } finally {
    terminal.kill();
  }
}

test('on a terminal a start says what it is, where everything is and what to do first, and no line is JSON', async () => {
  await using place = makePlace();
  const shown = await watch(place.env, /Ctrl\+C/);
  assert.match(shown, /^Colophon \d+\.\d+\.\d+ is listening on http:\/\/127\.0\.0\.1:\d+$/m);
  assert.match(shown, /^ {2}Admin {2}http:\/\/127\.0\.0\.1:\d+\/admin$/m);
  assert.match(shown, /^First: open http/m);
  assert.match(shown, /^\d\d:\d\d:\d\d site is open site=default from=repository documents=0 /m);
  assert.not.match(shown, /^\{/m);
});

test('LOG_FORMAT=json has lines of JSON on a terminal too, and LOG_FORMAT=text those for people in a pipe', async () => {
  await using place = makePlace();
  const shown = await watch({ ...place.env, LOG_FORMAT: 'json' }, /listening on/);
  assert.match(shown, /^\{"level":30,.*"msg":"listening on http:\/\/127\.0\.0\.1:\d+"\}$/m);
  assert.not.match(shown, /^Colophon/m);
  const service = await place.start({ LOG_FORMAT: 'text' });
  await service.stop();
  assert.match(service.stdout, /^Colophon \d/m);
  assert.not.match(service.stdout, /^\{/m);
});

test.run();
