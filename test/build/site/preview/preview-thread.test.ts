// The thread of previews with a program of the test's own in it, whose pages may never end.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PreviewOrder, PreviewRequest } from '../../../../src/build/site/preview/preview-messages.ts';
import { createPreviewThread, type PreviewThreadOptions } from '../../../../src/build/site/preview/preview-thread.ts';
import { ServiceError } from '../../../../src/lib/errors.ts';

/** Makes a page of the slug, which is also what the page does. */
const PROGRAM = `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ id, make }) => {
    const { slug } = make.document;
    if (slug === 'reads for ever') for (;;);
    parentPort.postMessage({ id, begun: true });
    if (slug === 'never ends') for (;;);
    if (slug === 'breaks') throw new Error('broken');
    parentPort.postMessage({ id, page: { html: slug + ' ' + threadId } });
  });
`;

function open(options: PreviewThreadOptions) {
  const script = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`);
  const thread = createPreviewThread(() => ({ config: {} }) as PreviewOrder, { script, ...options });
  const page = async (slug: string): Promise<string> => {
    try {
      const made = await thread.make({ document: { slug }, base: '/', mediaQuery: '' } as PreviewRequest);
      return 'html' in made ? made.html : made.problem;
    } catch (error) {
      return error instanceof ServiceError ? error.code : (error as Error).message;
    }
  };
  return { page, [Symbol.asyncDispose]: () => thread.close() };
}

const slugsOf = (pages: readonly string[]): string[] => pages.map((page) => page.replace(/ \d+$/, ''));

test('a page that never ends is refused, and those that wait behind it are made by another thread', async () => {
  await using thread = open({ pageMs: 200 });
  const first = await thread.page('before');
  const pages = await Promise.all(['never ends', 'one', 'two', 'never ends', 'three'].map(thread.page));
  assert.equal(slugsOf(pages), ['unavailable', 'one', 'two', 'unavailable', 'three']);
  const [before, one, two, three] = [first, pages[1]!, pages[2]!, pages[4]!].map((page) => page.split(' ').pop());
  assert.is(one, two, 'a thread stays as long as its pages end');
  assert.is(new Set([before, one, three]).size, 3);
});

test('reading a large site may take longer than a page, and not for ever', async () => {
  await using thread = open({ pageMs: 50, limitMs: 600 });
  assert.equal(slugsOf(await Promise.all(['reads for ever', 'one'].map(thread.page))), ['unavailable', 'one']);
});

test('a thread that breaks takes the page with it that broke it, and no other one', async () => {
  await using thread = open({});
  assert.equal(slugsOf(await Promise.all(['breaks', 'one', 'two'].map(thread.page))), ['broken', 'one', 'two']);
});

test('what waits when the service ends gets a request to reload', async () => {
  const thread = open({});
  const pages = Promise.all(['never ends', 'one'].map(thread.page));
  await thread[Symbol.asyncDispose]();
  assert.equal(await pages, ['unavailable', 'unavailable']);
});

test('more than a few pages that wait are refused at once', async () => {
  await using thread = open({ pageMs: 300 });
  const pages = await Promise.all(['never ends', ...Array.from({ length: 40 }, () => 'one')].map(thread.page));
  assert.is(pages.filter((page) => page.startsWith('one')).length, 32);
});

test.run();
