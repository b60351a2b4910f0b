// The view of media, the pending changes on top of it, and decisions on both.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../../src/access/principal.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { createDecisions } from '../../src/lib/queues/decisions.ts';
import { changeMedia, type UploadMedia, uploadMedia } from '../../src/media/decide.ts';
import { listMedia } from '../../src/media/list-media.ts';
import type { MediaEvent, MediaFile, MediaMeta } from '../../src/media/media.ts';
import { freeName, numberedName } from '../../src/media/names.ts';
import { createPendingMedia } from '../../src/media/pending.ts';
import { metaPath, parseMediaFile, pointerPath, toMediaFile } from '../../src/media/stored.ts';
import { createMediaView, type MediaView } from '../../src/media/view.ts';

const ADA: Actor = { kind: 'user', userId: 'u1', name: 'Ada', email: 'ada@example.com' };
const NOW = new Date('2026-01-02T03:04:05.678Z');
const sha = (digit: string): string => digit.repeat(64);

function put(view: MediaView, slug: string, digit: string, meta?: MediaMeta): void {
  if (meta) view.show(metaPath(slug), { kind: 'meta', slug, meta });
  view.show(pointerPath(slug), { kind: 'pointer', slug, pointer: { sha256: sha(digit), sizeBytes: 1 } });
}

function drop(view: MediaView, slug: string): void {
  view.show(pointerPath(slug), undefined);
  view.show(metaPath(slug), undefined);
}

const slugs = (files: Iterable<MediaFile>): string[] => Array.from(files, ({ slug }) => slug);

test('a file appears with its pointer, whichever of its files comes first, and listeners get each change once', () => {
  const view = createMediaView();
  const notified: string[] = [];
  view.subscribe((before, after) => notified.push(`${before?.alt ?? '-'} > ${after?.alt ?? '-'}`));
  view.show(metaPath('a/b.gif'), { kind: 'meta', slug: 'a/b.gif', meta: { alt: 'One' } });
  assert.is(view.size, 0);
  put(view, 'a/b.gif', '1');
  assert.is(view.find('a/b.gif')?.alt, 'One');
  view.show(metaPath('a/b.gif'), { kind: 'meta', slug: 'a/b.gif', meta: { alt: 'Two' } });
  view.show(pointerPath('a/b.gif'), undefined);
  view.show(pointerPath('a/b.gif'), undefined);
  assert.equal(notified, ['- > One', 'One > Two', 'Two > -']);
  assert.is(view.hasBytes(sha('1')), false);
  assert.is(view.isNameTaken('a/b.gif'), false);
  assert.is(view.findFolderTwin('A'), undefined);
});

test('the newest come first and those without a date last, also while files come and go', () => {
  const view = createMediaView();
  const at = (day: number): MediaMeta => ({ createdAt: `2026-01-0${day}T00:00:00.000Z` });
  put(view, 'b', '1', at(2));
  put(view, 'a', '2', at(2));
  put(view, 'z', '3');
  put(view, 'c', '4', at(3));
  assert.equal(slugs(view.newestFirst()), ['c', 'a', 'b', 'z']);
  put(view, 'd', '5', at(1));
  put(view, 'y', '6');
  drop(view, 'a');
  assert.equal(slugs(view.newestFirst()), ['c', 'b', 'd', 'y', 'z']);
});

test('a list is filtered by folder, type and terms, ignoring case and accents', async () => {
  const view = createMediaView();
  put(view, 'images/Cölln.JPG', '1', { alt: 'Ein Café am Rhein', tags: ['Straße'] });
  put(view, 'images/more/b.svg', '2', { tags: ['rain'] });
  put(view, 'audio/c.mp3', '3');
  put(view, 'top.pdf', '4');
  const list = async (query: object) => slugs((await listMedia(view, query)).files).sort();
  assert.equal(await list({ folder: 'images' }), ['images/Cölln.JPG']);
  assert.equal(await list({ folder: '' }), ['top.pdf']);
  assert.equal(await list({ folder: 'nothing' }), []);
  assert.equal(await list({ type: 'svg' }), ['images/more/b.svg']);
  assert.equal(await list({ type: 'image' }), ['images/Cölln.JPG']);
  assert.equal(await list({ type: 'document' }), ['top.pdf']);
  assert.equal(await list({ q: 'CAFE colln' }), ['images/Cölln.JPG']);
  assert.equal(await list({ q: 'cafe rain' }), []);
  assert.equal(await list({ q: 'images' }), ['images/Cölln.JPG', 'images/more/b.svg']);
  assert.is((await listMedia(view, { limit: 1 })).total, 4);
  assert.is((await listMedia(view, { offset: 3 })).files.length, 1);
});

test('a saved view loads as the same view', () => {
  const view = createMediaView();
  put(view, 'a/b.gif', '1', { alt: 'One' });
  view.show(metaPath('gone.gif'), { kind: 'meta', slug: 'gone.gif', meta: { alt: 'Waits' } });
  const other = createMediaView();
  other.adopt(JSON.parse(JSON.stringify(view.save())));
  assert.equal([...other.values()], [...view.values()]);
  put(other, 'gone.gif', '2');
  assert.is(other.find('gone.gif')?.alt, 'Waits');
});

test('decisions see a pending change and readers do not, and it can be undone', () => {
  const view = createMediaView();
  put(view, 'a.gif', '1');
  const pending = createPendingMedia(view, createDecisions());
  const file = (slug: string, digit: string): MediaFile => toMediaFile(slug, { sha256: sha(digit), sizeBytes: 1 });
  const first = pending.push('b.gif', file('b.gif', '2'));
  const second = pending.push('b.gif', { ...file('b.gif', '2'), alt: 'Two' });
  const gone = pending.push('a.gif', undefined);
  assert.is(pending.find('a.gif'), undefined);
  assert.is(pending.find('b.gif')?.alt, 'Two');
  assert.is(view.find('b.gif'), undefined);
  assert.is(pending.findSame('', sha('1')), undefined);
  assert.is(pending.findSame('', sha('2'))?.slug, 'b.gif');
  assert.ok(pending.isNameTaken('A.gif'));
  assert.ok(pending.isNameTaken('B.GIF'));
  gone.undo();
  second.undo();
  assert.is(pending.find('b.gif')?.alt, '');
  first.undo();
  assert.is(pending.find('b.gif'), undefined);
  assert.is(pending.find('a.gif')?.sha256, sha('1'));
});

test('a pending change that a replay moved is found at its new slug', () => {
  const view = createMediaView();
  const pending = createPendingMedia(view, createDecisions());
  const file = (slug: string): MediaFile => toMediaFile(slug, { sha256: sha('2'), sizeBytes: 1 });
  const uploaded = pending.push('a.gif', file('a.gif'));
  const changed = pending.push('a.gif', { ...file('a.gif'), alt: 'Two' });
  put(view, 'a.gif', '1');
  uploaded.replace('a-2.gif', file('a-2.gif'));
  changed.replace('a-2.gif', { ...file('a-2.gif'), alt: 'Two' });
  assert.is(pending.find('a.gif')?.sha256, sha('1'));
  assert.is(pending.find('a-2.gif')?.alt, 'Two');
  uploaded.settle();
  changed.settle();
  assert.is(pending.find('a-2.gif'), undefined);
});

function decide(view: MediaView, command: Partial<UploadMedia>): MediaEvent | MediaFile {
  const pending = createPendingMedia(view, createDecisions());
  const state = {
    findSame: pending.findSame,
    isFile: (slug: string) => view.find(slug) !== undefined,
    isThere: (slug: string) => view.find(slug) !== undefined,
    isTaken: pending.isNameTaken,
    findFolderTwin: view.findFolderTwin,
  };
  const file = {
    folder: 'images',
    name: 'a.gif',
    sha256: sha('9'),
    sizeBytes: 1,
    type: 'image',
    contentType: 'image/gif',
  };
  return uploadMedia(state, { ...file, actor: ADA, now: NOW, ...command } as UploadMedia);
}

const placeOf = (decision: MediaEvent | MediaFile): string | undefined =>
  'actor' in decision ? decision.after?.slug : `the same as ${decision.slug}`;

test('a name that is taken, in any case, gets a number', () => {
  const view = createMediaView();
  assert.is(placeOf(decide(view, {})), 'images/a.gif');
  put(view, 'images/A.GIF', '1');
  put(view, 'images/a-2.gif/inner', '2');
  assert.is(placeOf(decide(view, {})), 'images/a-3.gif');
  assert.is(placeOf(decide(view, { sha256: sha('1') })), 'the same as images/A.GIF');
  assert.is(placeOf(decide(view, { sha256: sha('1'), folder: 'more' })), 'more/a.gif');
});

test('the next of many numbers is found with a few checks', () => {
  for (const count of [0, 1, 2, 15, 16, 17, 31, 32, 33, 10_000]) {
    const taken = new Set(Array.from({ length: count }, (_, i) => numberedName('a.gif', i + 1)));
    let looks = 0;
    const found = freeName('a.gif', (name) => {
      looks++;
      return taken.has(name);
    });
    assert.is(found, numberedName('a.gif', count + 1));
    assert.ok(looks < 50, `${looks} looks for ${count}`);
  }
});

test('a folder that is a file, or a twin of another folder, is a conflict', () => {
  const view = createMediaView();
  put(view, 'Images/b.gif', '1');
  put(view, 'plain', '2');
  for (const folder of ['images', 'images/deep', 'plain', 'plain/deep']) {
    try {
      decide(view, { folder });
      assert.unreachable(folder);
    } catch (error) {
      assert.instance(error, ServiceError, folder);
      assert.is((error as ServiceError).code, 'conflict', folder);
    }
  }
});

test('unchanged alt text and tags make no event', () => {
  const before = toMediaFile('a.gif', { sha256: sha('1'), sizeBytes: 1 }, { alt: 'One', tags: ['x'] });
  assert.is(changeMedia(before, { actor: ADA }), undefined);
  assert.is(changeMedia(before, { alt: 'One', tags: ['x'], actor: ADA }), undefined);
  assert.equal(changeMedia(before, { tags: [], actor: ADA })?.fields, ['tags']);
  assert.equal(changeMedia(before, { alt: 'Two', tags: ['x', 'y'], actor: ADA })?.fields, ['alt', 'tags']);
});

test('files below media/ are parsed, or refused with the reason', () => {
  const read = (path: string, text: string): unknown => {
    const found = parseMediaFile(path, Buffer.from(text));
    return typeof found === 'string' ? 'problem' : found;
  };
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha('a')}\nsize 12\n`;
  const slug = 'x/y.gif';
  assert.equal(read('media/x/y.gif', pointer), { kind: 'pointer', slug, pointer: { sha256: sha('a'), sizeBytes: 12 } });
  for (const bad of ['', 'GIF89a', pointer.replace('size 12\n', ''), pointer.replace('12', '-1'), `${pointer}x`]) {
    assert.is(read('media/x/y.gif', bad), 'problem', bad);
  }
  assert.equal(read('media/x/.meta/y.gif.json', '{"alt": "", "tags": [], "other": 5}'), {
    kind: 'meta',
    slug,
    meta: {},
  });
  for (const bad of [
    '',
    '[]',
    'null',
    '{"alt": null}',
    '{"tags": "x"}',
    '{"tags": [1]}',
    '{"createdAt": "yesterday"}',
    '{"width": 0}',
    '{"contentType": "x"}',
    '{"alt": "\\ud800"}',
  ]) {
    assert.is(read('media/x/.meta/y.gif.json', bad), 'problem', bad);
  }
  assert.is(read('media/x/.meta/y.gif', pointer), 'problem');
});

test.run();
