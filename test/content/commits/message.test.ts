// Commit messages: what a developer reads in git log, and the trailers that programs read.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toMessage } from '../../../src/content/commits/message.ts';
import type { DocumentEvent } from '../../../src/content/document.ts';
import { AI, makeDesk, USER } from '../world.ts';

const subjectOf = (event: DocumentEvent | undefined) => toMessage(event!, {}).subject;

test('an update names its fields in the subject and in the trailers', () => {
  const desk = makeDesk();
  desk.create({ slug: 'hello', data: {} });
  const event = desk.update('hello', { data: { title: 'T', body: 'B' } });
  assert.equal(toMessage(event, { requestId: 'req-1', idempotency: 'a b c' }), {
    subject: 'posts/hello: update title, body',
    trailers: [
      'Event: document.updated',
      'Document-Id: Id0000000001',
      'Fields: title, body',
      'Actor: user',
      'User: u1',
      'Request-Id: req-1',
      'Idempotency-Key: a b c',
    ],
  });
});

test('each event has its own verb', () => {
  const desk = makeDesk();
  assert.is(subjectOf(desk.create({ slug: 'a', data: {} })), 'posts/a: create');
  assert.is(subjectOf(desk.create({ slug: 'b', status: 'archived', data: {} })), 'posts/b: create as archived');
  assert.is(subjectOf(desk.update('a', { status: 'archived' })), 'posts/a: archive');
  assert.is(subjectOf(desk.update('a', { status: 'published', data: { title: 'T' } })), 'posts/a: publish');
  assert.is(subjectOf(desk.update('a', { status: 'draft' })), 'posts/a: unpublish');
  assert.is(subjectOf(desk.update('a', {})), 'posts/a: update');
  assert.is(subjectOf(desk.update('a', { slug: 'z' })), 'posts/z: rename from a to z');
  assert.is(subjectOf(desk.locks('z', { field: 'title', lock: true })), 'posts/z: lock title');
  assert.is(subjectOf(desk.locks('z', { field: 'title', lock: false })), 'posts/z: unlock title');
  assert.is(subjectOf(desk.import({ slug: 'i', status: 'draft', data: {} })), 'posts/i: import');
  assert.is(subjectOf(desk.remove('z')), 'posts/z: delete');
});

test('a created or changed status, a rename, a token and a model have their trailers', () => {
  const desk = makeDesk();
  const created = desk.create({ slug: 'a', status: 'published', data: { title: 'T' } }, { ...AI, tokenId: 't1' });
  assert.equal(toMessage(created, {}).trailers, [
    'Event: document.created',
    'Document-Id: Id0000000001',
    'Fields: title',
    'Status: published',
    'Actor: ai',
    'User: u1',
    'Token: t1',
    'AI-Model: model-1',
    'Co-authored-by: model-1 <ai@localhost>',
  ]);
  assert.equal(toMessage(desk.update('a', { slug: 'b', status: 'draft' }), {}).trailers, [
    'Event: document.unpublished',
    'Document-Id: Id0000000001',
    'Fields: slug, status',
    'Status: draft',
    'Renamed-From: a',
    'Actor: user',
    'User: u1',
  ]);
  assert.equal(toMessage(desk.remove('b'), {}).trailers, [
    'Event: document.deleted',
    'Document-Id: Id0000000001',
    'Actor: user',
    'User: u1',
  ]);
});

test('the name of a field cannot break a line, add a trailer or fill the message', () => {
  const desk = makeDesk('notes');
  desk.create({ slug: 'a', data: {} });
  const evil = 'x\n\nEvent: document.deleted\r\nActor: ai, y';
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f${i}`, i]));
  const event = desk.update('a', { data: { [evil]: 1, 日本語: 1, '\ud83d\ude00': 1, ...many } });
  const { subject, trailers } = toMessage(event, { requestId: 'a\nb: c' });
  const lines = [subject, ...trailers];
  assert.ok(lines.every((line) => !/[\r\n]/.test(line)));
  assert.equal(
    trailers.map((line) => line.split(':')[0]),
    ['Event', 'Document-Id', 'Fields', 'Actor', 'User', 'Request-Id'],
  );
  assert.match(
    subject,
    /^notes\/a: update x%0A%0AEvent%3A%20document\.deleted.*, 日本語, %F0%9F%98%80, f0, f1 and 2998 more$/,
  );
  assert.is(trailers[2]?.split(', ').length, 200);
  assert.ok(lines.join('\n').length < 5000);
});

test('a model with a line break in its name stays on its line', () => {
  const desk = makeDesk();
  const event = desk.create({ slug: 'a', data: {} }, { ...USER, kind: 'ai', aiModel: 'a\nActor: user' });
  assert.ok(toMessage(event, {}).trailers.includes('AI-Model: a%0AActor%3A%20user'));
});

test.run();
