// What commands show on standard error while they work.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgress } from '../../src/cli/progress.ts';
import { eventually } from '../support/process.ts';
import { makeCli } from './world.ts';

const CLEAR = '\r\x1b[K';

test('work that is soon over shows no progress, however late it begins', () => {
  let at = 0;
  let text = '';
  const progress = createProgress({ err: (more) => (text += more), isErrTty: false, now: () => new Date(at) });
  for (at = 5000; at <= 5900; at += 50) progress.show(`${at}`);
  progress.end();
  assert.is(text, '');
});

test('progress is one line a second in a file, and one changing line on a terminal', () => {
  const shown = (isErrTty: boolean) => {
    let text = '';
    let at = 0;
    const progress = createProgress({ err: (more) => (text += more), isErrTty, now: () => new Date(at) });
    for (at = 0; at <= 2000; at += 50) progress.show(`${at}`);
    progress.end();
    return text;
  };
  assert.is(shown(false), '1000\n2000\n');
  assert.is(shown(true).split('\r\x1b[K').length, 22);
  assert.ok(shown(true).endsWith('\r\x1b[K'));
});

test('a site that takes long to open is one step that is shown too, on a terminal', async () => {
  let text = '';
  const progress = createProgress({ err: (more) => (text += more), isErrTty: true, now: () => new Date() });
  progress.opening();
  assert.is(text, '');
  await eventually(() => assert.is(text, `${CLEAR}opening the site`), 5000);
  progress.end();
  assert.is(text, `${CLEAR}opening the site${CLEAR}`);
});

test('every command that may take long shows on a terminal what it does, and takes it away at the end', async () => {
  using cli = makeCli();
  cli.write('in/posts/a.md', '---\ntitle: A\n---\nText\n');
  let clockMs = 0;
  // Each look at the clock is a second later, so that each step is due.
  const slow = { isErrTty: true, now: () => new Date((clockMs += 1000)) };
  const archive = cli.path('site.tar.gz');
  for (const [command, ...steps] of [
    [['import', cli.path('in')], '1 of 1 files'],
    [['export', cli.path('out')], '1 documents'],
    [['build', '--out', cli.path('built')], '1 of'],
    [['verify'], 'commits: '],
    [['backup', '--out', archive], 'making the backup', 'writing the archive: 0.0 MB'],
    [['restore', archive, '--data', cli.path('other')], 'unpacking: '],
  ] as const) {
    const { code, out, err } = await cli.runWith(slow, ...command);
    assert.is(code, 0, `${command[0]}: ${err}`);
    for (const step of steps) assert.match(err, `${CLEAR}${step}`);
    assert.match(err, /\r\x1b\[K$/);
    assert.not.match(out, CLEAR);
  }
});

test.run();
