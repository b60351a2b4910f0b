// A low window, as 400 % zoom makes of 1280 x 1024: nothing scrolls sideways, and nothing covers what has the focus.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, send } from './inbox-world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const LOW = { viewport: { width: 320, height: 256 } };
const STOPS = 40;

/** What has the focus, if none of its corners and not its middle can be seen; empty if it can, and at the end. */
const COVERED = `(() => {
  const { activeElement: element } = document;
  if (element === document.body) return '';
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const points = [[left + 3, top + 3], [right - 3, bottom - 3], [(left + right) / 2, (top + bottom) / 2]];
  const isSeen = points.some(([x, y]) => {
    const found = document.elementFromPoint(x, y);
    return found && (element.contains(found) || found.contains(element) || found.closest('label')?.contains(element));
  });
  return isSeen ? '' : element.id + ' ' + (element.ariaLabel ?? element.textContent).trim();
})()`;

test('each stop of Tab is seen in a low window, and nothing scrolls sideways', async () => {
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'tags', type: 'tags' as const },
    { name: 'body', type: 'richtext' as const },
    { name: 'picture', type: 'image' as const },
  ];
  const config = { ...CONFIG, collections: [{ name: 'posts', label: 'Posts', fields }] };
  await using admin = await makeAdminWorld({ config });
  const data = { title: 'Tides', tags: ['one', 'two'], body: 'Words\n\n'.repeat(30) };
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data });
  await send(admin.world, 'Ada');
  const { page, complaints } = await admin.signedIn('', LOW);
  for (const path of ['/content/posts/tides', '/content/posts', '/settings', '/forms/contact', '/media']) {
    await page.goto(`${admin.world.url}/admin${path}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    await page.locator('main :is(button, input):visible').first().waitFor();
    await heading.focus();
    const covered: unknown[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      await page.keyboard.press('Tab');
      covered.push(await page.evaluate(COVERED));
    }
    assert.equal(covered.filter(Boolean), [], path);
    assert.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path);
  }
  // What was said is not squeezed into what the box for the next message leaves.
  await page.goto(`${admin.world.url}/admin/chat`);
  const log = page.getByRole('log', { name: 'Conversation' });
  await log.getByText('Ask about the content').waitFor();
  assert.is(await log.evaluate((box) => box.scrollHeight - box.clientHeight), 0);
  assertQuiet(complaints);
});

test.run();
