// What one writes, and what has the focus, is in sight: bars stay on the screen while it scrolls.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assertQuiet, makeAdminWorld } from '../world.ts';

const CONFIG = {
  collections: [
    {
      name: 'texts',
      fields: [
        { name: 'title', type: 'text' as const },
        ...Array.from({ length: 8 }, (_, at) => ({ name: `line${at}`, type: 'text' as const })),
        { name: 'body', type: 'richtext' as const },
      ],
    },
  ],
};
const BODY = Array.from({ length: 30 }, (_, at) => `Paragraph ${at}. ${'Some of them are *set* apart. '.repeat(8)}`);
/** A monitor, a phone, and a window at 400 % zoom. */
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 800 },
  { width: 320, height: 256 },
];

/** How many pixels are between the cursor, or what has the focus, and the nearest bar or edge. */
function room(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const selection = getSelection();
    const isText = document.activeElement.isContentEditable;
    const box = (isText ? selection.getRangeAt(0) : document.activeElement).getBoundingClientRect();
    const bars = isText ? '.toolbar, .rt-toolbar' : '.toolbar';
    const tops = [...document.querySelectorAll(bars)]
      .filter((bar) => getComputedStyle(bar).position === 'sticky')
      .map((bar) => bar.getBoundingClientRect())
      .filter(({ top, bottom }) => bottom > 0 && top < innerHeight / 2 && bottom < innerHeight)
      .map(({ bottom }) => bottom);
    const panels = document.querySelector('.panels');
    const isBelow = panels && getComputedStyle(panels).position === 'fixed';
    const end = isBelow ? panels.getBoundingClientRect().top : innerHeight;
    return Math.round(Math.min(box.top - Math.max(0, ...tops), end - box.bottom));
  })()`);
}

test('the cursor and the focus are never behind a bar', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/texts', { slug: 'long', data: { title: 'Long', body: BODY.join('\n\n') } });
  for (const viewport of WINDOWS) {
    const { page, complaints } = await admin.signedIn('/content/texts/long', { viewport });
    const least = async (keys: readonly string[]): Promise<number> => {
      let found = Number.POSITIVE_INFINITY;
      for (const key of keys) {
        await page.keyboard.press(key);
        found = Math.min(found, await room(page));
      }
      return found;
    };
    const text = page.getByRole('textbox', { name: 'body' });
    await text.click();
    const seen = `${viewport.width} x ${viewport.height}`;
    assert.ok((await least(['Control+End', ...'words'])) >= 0, `${seen}: written at the end`);
    assert.ok((await least(Array.from({ length: 45 }, () => 'ArrowUp'))) >= 0, `${seen}: going up`);
    assert.ok((await least(Array.from({ length: 45 }, () => 'ArrowDown'))) >= 0, `${seen}: going down`);
    await page.getByRole('textbox', { name: 'line7' }).focus();
    assert.ok((await least(Array.from({ length: 8 }, () => 'Shift+Tab'))) >= 0, `${seen}: the field before`);
    assertQuiet(complaints);
  }
});

test.run();
