import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Outcome, toReport } from '../../../src/git/push/report.ts';

const BOTH = new Set(['report-status', 'side-band-64k']);
const ok: Outcome = { unpack: 'ok', refs: [{ ref: 'refs/heads/main' }], messages: [] };

/** The packets without their lengths; a flush is empty. */
function packets(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    found.push(bytes.toString('utf8', at + 4, at + length));
    at += Math.max(4, length);
  }
  return found;
}

test('the report has the result for each ref, in the band that the client asked for', () => {
  assert.equal(packets(toReport(ok, new Set(['report-status']))), ['unpack ok\n', 'ok refs/heads/main\n', '']);
  assert.equal(packets(toReport(ok, BOTH)), ['\x01000eunpack ok\n0017ok refs/heads/main\n0000', '']);
  assert.equal(packets(toReport(ok, new Set())), []);
});

test('reasons stay on one line and contain no control characters', () => {
  const refs = [{ ref: 'refs/heads/main', refused: 'invalid content' }];
  const messages = ['a\nok refs/heads/other', '\x1b]0;title\x07b', '\u202egpj.exe', '\ud800'];
  const [shown = '', report = ''] = packets(toReport({ unpack: 'ok', refs, messages }, BOTH));
  assert.is(shown, '\x02a?ok refs/heads/other\n?]0;title?b\n?gpj.exe\n\ufffd\n');
  assert.is(report.includes('ng refs/heads/main invalid content\n'), true);
});

test('the number and the length of reasons are limited', () => {
  const messages = Array.from({ length: 5000 }, () => 'x'.repeat(10_000));
  const report = toReport({ ...ok, messages }, BOTH);
  assert.ok(report.length < 100_000);
  const shown = packets(report)
    .filter((packet) => packet.startsWith('\x02'))
    .map((packet) => packet.slice(1))
    .join('');
  assert.match(shown, /and 4900 more\n$/);
});

test.run();
