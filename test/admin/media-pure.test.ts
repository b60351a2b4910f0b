// The parts of the media library that need no browser.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError, type Client, OfflineError } from '../../src/admin/api/client.ts';
import { createFilePages } from '../../src/admin/media/file-pages.ts';
import {
  type FileKind,
  isOfKinds,
  kindOf,
  type MediaFile,
  thumbnailOf,
  toAccept,
  toPath,
  toSize,
} from '../../src/admin/media/media-file.ts';
import { type FormRequest, sendForm } from '../../src/admin/media/send-form.ts';
import { createUploads } from '../../src/admin/media/uploads.ts';
import { changeFiles, toFileStep, toUndoStep } from '../../src/admin/screens/media/change-many.ts';
import {
  listSubFolders,
  parseMediaAddress,
  toFileName,
  toFolderName,
  toFolderPath,
  toMediaUrl,
} from '../../src/admin/screens/media/media-address.ts';
import { moveInTiles } from '../../src/admin/screens/media/move-in-tiles.ts';

const VERSION = '0123456789ab';

const file = (part: Partial<MediaFile>): MediaFile => ({
  ...{ name: 'a.jpg', url: '/uploads/images/a.jpg', folder: 'images', size: 1, type: 'image' },
  ...{ alt: '', tags: [], sha256: VERSION.padEnd(64, 'c') },
  ...part,
});

test('a video is a document whose name says so, and a wish for a file is a wish for any', () => {
  assert.is(kindOf(file({ type: 'document', name: 'a.MP4' })), 'video');
  assert.is(kindOf(file({ type: 'document', name: 'mp4.pdf' })), 'file');
  assert.is(kindOf(file({ type: 'svg' })), 'image');
  assert.ok(isOfKinds(file({ type: 'audio' }), ['image', 'file']));
  assert.not(isOfKinds(file({ type: 'audio' }), ['image']));
  assert.is(toAccept(['image', 'video']), 'image/*,video/*');
  assert.is(toAccept(['image', 'file']), undefined);
});

test('only what can be drawn smaller is asked for smaller', () => {
  assert.is(
    thumbnailOf(file({ url: '/uploads/a.jpg?site=b', width: 9 }), 200),
    `/uploads/a.jpg?site=b&v=${VERSION}&w=200&h=200&fit=inside&format=auto`,
  );
  assert.is(thumbnailOf(file({ type: 'svg', url: '/uploads/a.svg' }), 200), `/uploads/a.svg?v=${VERSION}`);
  assert.is(thumbnailOf(file({}), 200), undefined);
  assert.is(thumbnailOf(file({ type: 'document', width: 9 }), 200), undefined);
});

test('sizes and addresses are written for people and for browsers', () => {
  assert.is(toSize(0), '0 bytes');
  assert.is(toSize(999), '999 bytes');
  assert.is(toSize(1234), '1.2 kB');
  assert.is(toSize(52_428_800), '52 MB');
  assert.is(toPath({ folder: 'a/b', name: 'c d#?.jpg' }), 'a/b/c%20d%23%3F.jpg');
  assert.is(toPath({ folder: '', name: 'x.jpg' }), 'x.jpg');
});

const TYPES = ['image', 'svg', 'audio', 'document'] as const;

test('pages of several kinds are what one would pick from the whole list, each file once, the newest first', async () => {
  const files = fc.array(fc.tuple(fc.constantFrom(...TYPES), fc.boolean(), fc.nat(1e6)), { maxLength: 300 });
  const kinds = fc.subarray<FileKind>(['image', 'video', 'audio', 'file']);
  await fc.assert(
    fc.asyncProperty(files, kinds, fc.integer({ min: 1, max: 70 }), async (made, wanted, page) => {
      const all = made
        .map(([type, isVideo, second], at) => {
          const name = `${at}.${isVideo ? 'mp4' : 'x'}`;
          const createdAt = new Date(second * 1000).toISOString();
          return file({ type, name, url: `/uploads/${name}`, createdAt });
        })
        .sort((a, b) => b.createdAt!.localeCompare(a.createdAt!));
      const pages = createFilePages(
        async (url) => {
          const query = new URL(url, 'http://x').searchParams;
          const fitting = all.filter(({ type }) => !query.has('type') || type === query.get('type'));
          const offset = Number(query.get('offset'));
          return { files: fitting.slice(offset, offset + Number(query.get('limit'))), total: fitting.length };
        },
        { kinds: wanted },
      );
      const got: MediaFile[] = [];
      for (;;) {
        const next = await pages.next(page);
        got.push(...next);
        if (next.length < page) break;
      }
      assert.ok(pages.isDone());
      const expected = all.filter((one) => isOfKinds(one, wanted));
      assert.equal(new Set(got.map(({ url }) => url)), new Set(expected.map(({ url }) => url)));
      assert.is(got.length, expected.length);
      assert.equal(
        got.map(({ createdAt }) => createdAt),
        expected.map(({ createdAt }) => createdAt),
      );
    }),
    { numRuns: 60 },
  );
});

/** As much of a request as an upload uses. */
class FakeRequest implements FormRequest {
  status = 0;
  responseText = '';
  upload: FormRequest['upload'] = { onprogress: null };
  onload = (): void => undefined;
  onerror = (): void => undefined;
  onabort = (): void => undefined;
  answer: [number, string];
  constructor(answer: [number, string]) {
    this.answer = answer;
  }
  open(): void {}
  setRequestHeader(): void {}
  getResponseHeader(name: string): string | null {
    return name === 'x-request-id' ? 'req-1' : null;
  }
  abort(): void {
    this.onabort();
  }
  send(): void {
    queueMicrotask(() => {
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 });
      [this.status, this.responseText] = this.answer;
      if (this.status === 0) this.onerror();
      else this.onload();
    });
  }
}

const send = async (answers: [number, string][], options = {}): Promise<unknown> =>
  (await sendForm(() => new FakeRequest(answers.shift()!), 'POST', '/api/upload', new FormData(), options)).data;

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.unreachable('it should have failed'),
    (error: unknown) => error,
  );
}

test('an upload reports its progress, its refusal in the words of the service, and a lost connection', async () => {
  const shares: number[] = [];
  const onProgress = (share: number) => void shares.push(share);
  assert.equal(await send([[200, '{"url":"/uploads/x.txt"}']], { onProgress }), { url: '/uploads/x.txt' });
  assert.equal(shares, [0.5]);

  const refused = await failureOf(send([[415, '{"error":"no programs","code":"unsupported_media_type"}']]));
  assert.instance(refused, ApiError);
  assert.equal(
    [(refused as ApiError).status, (refused as ApiError).message, (refused as ApiError).requestId],
    [415, 'no programs', 'req-1'],
  );
  // A proxy's page.
  assert.is(((await failureOf(send([[413, '<html>']]))) as ApiError).status, 413);
  assert.instance(await failureOf(send([[0, '']])), OfflineError);
});

test('an upload whose session is over is sent once more after signing in', async () => {
  let asked = 0;
  const signInAgain = async () => void asked++;
  const answers: [number, string][] = [
    [401, '{}'],
    [200, '{"url":"/u"}'],
  ];
  assert.equal(await send(answers, { signInAgain }), { url: '/u' });
  assert.is(asked, 1);
});

test('of many uploads two run at once; one that is refused stays until it is dismissed, one cancelled goes', async () => {
  let most = 0;
  let active = 0;
  const uploads = createUploads(async ({ name }, { signal }) => {
    active += 1;
    most = Math.max(most, active);
    await new Promise((resolve) => setImmediate(resolve));
    active -= 1;
    if (name === 'bad') throw new Error('refused');
    if (signal.aborted) throw signal.reason;
    return { name, url: `/${name}`, size: 0, type: 'image', sha256: '' };
  });
  const adding = uploads.add(['a', 'bad', 'c', 'gone', 'e'].map((name) => new File([], name)));
  uploads.remove(uploads.running.value[3]!.id);
  const done = await adding;
  assert.equal(
    done.map(({ name }) => name),
    ['a', 'c', 'e'],
  );
  assert.is(most, 2);
  assert.equal(
    uploads.running.value.map(({ name, error }) => [name, (error as Error).message]),
    [['bad', 'refused']],
  );
  uploads.remove(uploads.running.value[0]!.id);
  assert.equal(uploads.running.value, []);
});

test('the address of the library is read as it was written, and folders have what is below them', () => {
  const segment = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);
  const folders = fc.array(segment, { maxLength: 3 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(folders, fc.string(), fc.string(), (folder, q, name) => {
      assert.equal(parseMediaAddress(toMediaUrl({ folder, q, file: name })), { folder, q, file: name });
    }),
  );
  assert.is(parseMediaAddress('/admin/media/%E0%A4%A').folder, '%E0%A4%A');
  const all = [
    { folder: '', files: 1, filesBelow: 9 },
    { folder: 'a', files: 2, filesBelow: 3 },
    { folder: 'a/b/c', files: 3, filesBelow: 0 },
    { folder: 'ab', files: 4, filesBelow: 0 },
  ];
  assert.equal(listSubFolders(all, ''), [
    { path: 'a', name: 'a', files: 5 },
    { path: 'ab', name: 'ab', files: 4 },
  ]);
  assert.equal(listSubFolders(all, 'a'), [{ path: 'a/b', name: 'b', files: 3 }]);
  assert.is(toFolderName('  Fotos & Übersicht 2026! '), 'fotos-uebersicht-2026');
  assert.is(toFolderPath(' /Fotos 2026//Köln/ '), 'fotos-2026/koeln');
});

test('arrows lead to the tile that one sees there', () => {
  const grid = Array.from({ length: 7 }, (_, at) => ({ left: (at % 3) * 100, top: Math.floor(at / 3) * 100 }));
  assert.is(moveInTiles('ArrowRight', 2, grid), 3);
  assert.is(moveInTiles('ArrowRight', 6, grid), undefined);
  assert.is(moveInTiles('ArrowDown', 1, grid), 4);
  assert.is(moveInTiles('ArrowDown', 4, grid), 6);
  assert.is(moveInTiles('ArrowUp', 1, grid), undefined);
  assert.is(moveInTiles('End', 0, grid), 6);
  const mirrored = grid.map(({ left, top }) => ({ left: -left, top }));
  assert.is(moveInTiles('ArrowLeft', 0, mirrored), 1);
  assert.is(moveInTiles('x', 0, grid), undefined);
});

test('a file keeps its extension unless one types another', () => {
  const expected: [string, string][] = [
    ['Köln bei Nacht.JPG', 'koeln-bei-nacht.jpg'],
    ['sea', 'sea.gif'],
    ['a.b.png', 'a-b.png'],
    ['..', ''],
    ['.png', ''],
    ['../x/y', 'x-y.gif'],
    ['', ''],
  ];
  for (const [typed, name] of expected) assert.is(toFileName(typed, 'old.gif'), name, typed);
  assert.is(toFileName('sea', 'LICENSE'), 'sea');
});

test('many files: what is so already is left alone, a busy service is waited for, and what can be taken back is', async () => {
  const file = (name: string, folder: string, tags: string[] = []): MediaFile => ({
    ...{ name, folder, tags, url: `/uploads/${folder}/${name}`, size: 1, type: 'image', alt: '', sha256: '' },
  });
  const files = [file('a.png', 'a'), file('b.png', 'b'), file('c.png', ''), file('d.png', 'b', ['wet'])];
  const move = { kind: 'move', folder: 'a', updateReferences: true } as const;
  let refusals = 1;
  const asked: string[] = [];
  const request = (async (method: string, url: string, { body }: { body?: Partial<MediaFile> }) => {
    if (refusals-- > 0) throw new ApiError(429, {}, new Headers({ 'retry-after': '0.01' }));
    asked.push(`${method} ${url}`);
    if (url.endsWith('d.png')) throw new ApiError(409, { error: 'It exists' }, new Headers());
    const found = files.find((one) => url.endsWith(one.name))!;
    return { status: 200, data: { ...found, ...body }, etag: undefined };
  }) as Client;
  const seen: number[] = [];
  const run = { request, signal: new AbortController().signal, onProgress: (done: number) => void seen.push(done) };
  const report = await changeFiles(
    files.map((one) => toFileStep(move, one)),
    run,
  );
  assert.equal(asked.toSorted(), ['PATCH /api/media/b/b.png', 'PATCH /api/media/b/d.png', 'PATCH /api/media/c.png']);
  assert.equal([report.unchanged, report.done.length, report.failures[0]?.reason], [1, 2, 'It exists']);
  assert.equal(seen, [2, 3, 4]);
  const undo = report.done.map((one) => toUndoStep(move, one)).filter((step) => step !== undefined);
  assert.equal(
    undo.map(({ body }) => body),
    [{ folder: 'b', name: 'b.png', updateReferences: true }],
  );

  const tag = { kind: 'tag', tags: ['wet', 'cold'] } as const;
  assert.equal(toFileStep(tag, files[3]!)?.body, { tags: ['wet', 'cold'] });
  const after = { ...files[3]!, tags: ['wet', 'cold', 'new'] };
  assert.equal(toUndoStep(tag, { before: files[3]!, after })?.body, { tags: ['wet', 'new'] });
  assert.is(toUndoStep({ kind: 'delete' }, { before: files[0]!, after: undefined }), undefined);
});

test.run();
