import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toReadableLine } from '../../../src/lib/text/log-line.ts';

const time = new Date(2026, 10, 29, 9, 5, 7).getTime();
const read = (entry: object): string =>
  toReadableLine(`${JSON.stringify({ time, pid: 7, hostname: 'vm', ...entry })}\n`);

test('a line for people has the time, what happened, and its details', () => {
  assert.is(
    read({ level: 30, site: 'default', documents: 51, msg: 'site is open' }),
    '09:05:07 site is open site=default documents=51\n',
  );
  assert.is(read({ level: 40, msg: 'it is late', when: 'at night' }), '09:05:07 warning: it is late when="at night"\n');
});

test('a request is its method, path, status and time; one that failed has its id too', () => {
  const request = { route: '/x', principal: 'anonymous', ip: '127.0.0.1', requestId: 'r1', method: 'GET', path: '/x' };
  assert.is(read({ level: 30, ...request, status: 200, ms: 1.5, msg: 'request' }), '09:05:07 GET /x 200, 1.5 ms\n');
  assert.is(
    read({ level: 50, ...request, status: 500, ms: 2, msg: 'request' }),
    '09:05:07 error: GET /x 500, 2 ms requestId=r1\n',
  );
});

test('a warning is one line, and an unexpected error has its stack', () => {
  const err = { type: 'Error', message: 'it is\nbroken', stack: 'Error: it is\nbroken\n    at here (a.ts:1:1)' };
  assert.is(read({ level: 40, err, msg: 'no mail' }), '09:05:07 warning: no mail: it is\\u000abroken\n');
  assert.is(
    read({ level: 50, err, msg: 'a bug' }),
    '09:05:07 error: a bug: it is\\u000abroken\n    at here (a.ts:1:1)\n',
  );
});

test('what a stranger wrote moves no cursor and hides no text', () => {
  const line = read({ level: 30, method: 'GET', path: '/\u001b[2J\u202e\r', status: 404, ms: 1, msg: 'request' });
  assert.is(line, '09:05:07 GET /\\u001b[2J\\u202e\\u000d 404, 1 ms\n');
});

test('text that is not a line of the log stays as it is', () => {
  assert.is(toReadableLine('setup\n'), 'setup\n');
});

test.run();
