// The parts of the inbox that need no browser.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../../src/admin/api/client.ts';
import { isGoneBy, refreshFor } from '../../src/admin/api/refresh-for.ts';
import {
  type FormFields,
  toExportUrl,
  toInboxPath,
  toSubmissionUrl,
  toTab,
} from '../../src/admin/screens/forms/form-entry.ts';
import { toRealIndex, toSeenIndex } from '../../src/admin/screens/forms/hidden-rows.ts';
import { collectAll, type Marked, type MarkRun, markBack, markMany } from '../../src/admin/screens/forms/mark-many.ts';
import {
  findReplyTo,
  isEmail,
  toMailto,
  toShownValues,
  toSummary,
} from '../../src/admin/screens/forms/shown-values.ts';
import { listDestinations } from '../../src/admin/shell/destinations.ts';

const FIELDS: FormFields = [
  { name: 'name', label: 'Your name', type: 'text', required: true },
  { name: 'email', label: 'E-mail', type: 'email', required: true },
  { name: 'page', label: 'Page', type: 'url', required: false },
  { name: 'kind', label: 'Kind', type: 'select', required: false, options: [{ label: 'A course', value: 'c' }] },
  { name: 'message', label: 'Message', type: 'textarea', required: false },
  { name: 'from', label: 'From', type: 'hidden', required: false },
];
const WORDS = { yes: 'Yes', no: 'No', subject: 'Re: Contact' };

test('values are shown in the order of the form, with its labels, and then those that it no longer has', () => {
  const data = { zip: 1200, email: 'ada@example.com', old: true, kind: 'c', name: 'Ada' };
  assert.equal(
    toShownValues(data, FIELDS, WORDS).map(({ label, text }) => `${label}=${text}`),
    ['Your name=Ada', 'E-mail=ada@example.com', 'Kind=A course', 'old=Yes', 'zip=1200'],
  );
  assert.equal(toShownValues(JSON.parse('{"__proto__": "x"}'), FIELDS, WORDS)[0]?.text, 'x');
});

test('only an address becomes a link, whatever was sent', () => {
  const hrefOf = (name: string, value: string): string | undefined =>
    toShownValues({ [name]: value }, FIELDS, WORDS)[0]?.href;
  assert.is(hrefOf('email', 'ada@example.com'), 'mailto:ada@example.com?subject=Re%3A%20Contact');
  assert.is(hrefOf('page', 'https://example.com/?a=b'), 'https://example.com/?a=b');
  for (const value of ['javascript:alert(1)', 'data:text/html,x', '//example.com', 'not a page']) {
    assert.is(hrefOf('page', value), undefined, value);
  }
  for (const value of ['a@b', 'a@b.', 'a b@c.de', 'a@c.de?bcc=x@y.zz', 'a@c.de&cc=b', '<a@c.de>', 'a@c.de,b@c.de']) {
    assert.not(isEmail(value), value);
    assert.is(hrefOf('email', value), undefined, value);
  }
  assert.is(hrefOf('message', 'ada@example.com'), undefined);
  fc.assert(
    fc.property(fc.emailAddress(), fc.string(), (address, subject) => {
      const { protocol, searchParams } = new URL(toMailto(address, subject));
      assert.is(protocol, 'mailto:');
      assert.is([...searchParams.keys()].join(), 'subject');
    }),
  );
});

test('a submission in two lines is who it is from and what they write', () => {
  const data = { kind: 'c', message: 'Dear\n\nprinters', name: 'Ada', email: 'ada@example.com', from: 'visit' };
  assert.equal(toSummary(data, FIELDS), { title: 'Ada', excerpt: 'Dear printers' });
  assert.equal(toSummary({ email: 'a@b.cd', kind: 'c' }, FIELDS), { title: 'a@b.cd', excerpt: 'c' });
  assert.equal(toSummary({ from: 'visit', terms: true }, FIELDS), { title: '', excerpt: '' });
  assert.is(toSummary({ message: 'x'.repeat(100_000) }, FIELDS).title.length, 201);
  assert.is(findReplyTo({ other_mail: 'a@b.cd', email: 'no address' }, FIELDS), 'a@b.cd');
  assert.is(findReplyTo({ name: 'a@b.cd' }, FIELDS), undefined);
});

test('addresses say which form, tab and submission, with any name', () => {
  assert.is(toInboxPath({ form: 'a', tab: 'all', id: '' }), '/admin/forms/a');
  assert.is(toInboxPath({ form: 'a', tab: 'new', id: '01/x' }), '/admin/forms/a/01%2Fx?status=new');
  assert.is(toExportUrl('a', 'archived'), '/api/admin/forms/a/export?bom=true&status=archived');
  assert.equal(['new', 'gone', undefined].map(toTab), ['new', 'all', 'all']);
});

test('rows that are left out have no place among those that one sees', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(30)), fc.nat(60), (some, at) => {
      const hidden = some.sort((a, b) => a - b);
      const shown = Array.from({ length: 100 }, (_, index) => index).filter((index) => !hidden.includes(index));
      assert.is(toRealIndex(at, hidden), shown[at]);
      assert.is(toSeenIndex(shown[at]!, hidden), at);
    }),
  );
});

test('many are marked in batches, and get back what each of them was', async () => {
  const stored = new Map<string, Marked>(
    Array.from({ length: 250 }, (_, at) => {
      const id = `n${at}`;
      return [id, { id, status: at % 3 === 0 ? 'new' : 'read' }];
    }),
  );
  const before = JSON.stringify([...stored.values()]);
  const sizes: number[] = [];
  const request = (async (method: string, url: string, { body }: { body?: unknown } = {}) => {
    if (method === 'GET') {
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset'));
      return { status: 200, data: { submissions: [...stored.values()].slice(offset, offset + 500) }, etag: undefined };
    }
    const { ids, status } = body as { ids: string[]; status: Marked['status'] };
    sizes.push(ids.length);
    for (const id of ids) stored.set(id, { id, status });
    return { status: 200, data: { changed: ids.filter((id) => id !== 'n7') }, etag: undefined };
  }) as unknown as Client;
  const progress: number[] = [];
  const stop = new AbortController();
  const run: MarkRun = { request, form: 'a', signal: stop.signal, onProgress: (done) => progress.push(done) };
  const all = await collectAll(run, undefined);
  const changed: Marked[] = [];
  await markMany(all, 'archived', run, (done) => changed.push(...done));
  assert.equal([sizes, progress, changed.length], [[100, 100, 50], [100, 200, 250], 249]);
  await markBack(all, run);
  assert.is(JSON.stringify([...stored.values()]), before);
  await markMany(all, 'read', { ...run, onProgress: () => stop.abort() }, () => undefined);
  assert.is(sizes.at(-1), 100);
});

test('an event makes the inbox old, but a deleted submission is not asked for again', () => {
  assert.equal(refreshFor('submission'), ['/api/admin/forms']);
  const isGone = isGoneBy('submission', { form: 'a', id: 'x', change: 'removed', status: 'new' });
  assert.equal([isGone?.(toSubmissionUrl('a', 'x')), isGone?.(toSubmissionUrl('a', 'y'))], [true, false]);
  assert.is(isGoneBy('submission', { form: 'a', id: 'x', change: 'changed' }), undefined);
});

test('the navigation says how much is new, to those who may read it', () => {
  const find = (may: boolean, unread?: number) =>
    listDestinations({ manifest: undefined, may: () => may, unread })
      .flatMap(({ destinations }) => destinations)
      .find(({ path }) => path === '/admin/forms');
  assert.equal([find(true, 3)?.badge?.count, find(true, 0)?.badge, find(false, 3)], [3, undefined, undefined]);
});

test.run();
