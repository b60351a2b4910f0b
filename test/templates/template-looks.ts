// What a browser shows of a built template, beyond what axe-core looks for.
import * as assert from 'uvu/assert';
import { findViolations, type OpenPage, type TestBrowser, untilTrue } from '../support/browser.ts';

type Page = OpenPage['page'];

/** Nothing moves while a page loads; a hundredth is what a browser counts for the last pixel of a font. */
const MOST_SHIFT = 0.01;
const SHIFTS = `new Promise((done) => {
  const sum = { value: 0 };
  new PerformanceObserver((list) => { for (const one of list.getEntries()) sum.value += one.value; })
    .observe({ type: 'layout-shift', buffered: true });
  document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum.value), 50))));
})`;

export async function assertNothingMoves(page: Page, file: string): Promise<void> {
  const shift = (await page.evaluate(SHIFTS)) as number;
  assert.ok(shift <= MOST_SHIFT, `${file}: what is on the page moved by ${shift}`);
}

export async function assertNotSideways(page: Page, file: string): Promise<void> {
  const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  assert.not(isWide, `${file} scrolls sideways at ${page.viewportSize()?.width} px`);
}

/** A visitor far away sees the page before its fonts arrive. */
const FONTS_LATE_MS = 600;

export async function assertLateFontsMoveNothing(browser: TestBrowser, url: string): Promise<void> {
  const { page } = await browser.open({ viewport: { width: 1024, height: 800 } });
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => void setTimeout(resolve, FONTS_LATE_MS));
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(FONTS_LATE_MS);
  await assertNothingMoves(page, 'the first page, with late fonts');
  await page.close();
}

/** A header is crowded at different widths in each theme. */
const WIDTHS = [320, 400, 480, 560, 640, 720, 820, 1024, 1440];

/** The results are on the screen at each width, and can be read. */
export async function assertSearchFits(browser: TestBrowser, url: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, complaints } = await browser.open({ colorScheme, viewport: { width: WIDTHS[0]!, height: 700 } });
    await page.goto(url);
    await untilTrue(page, `!document.querySelector('[data-search]').hidden`);
    await page.fill('[data-search] input', 'a');
    await untilTrue(page, `document.querySelectorAll('.search-results [role=option]').length > 1`);
    await page.keyboard.press('ArrowDown');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 700 });
      const [left, right] = (await page.evaluate(
        `(({ left, right }) => [left, right])(document.querySelector('.search-results').getBoundingClientRect())`,
      )) as [number, number];
      assert.ok(left >= 0 && right <= width, `results of the search are from ${left} to ${right} of ${width} px`);
    }
    assert.equal(await findViolations(page, '[data-search]'), [], `the search in ${colorScheme}`);
    assert.equal(complaints, []);
    await page.close();
  }
}

/** Printed from a dark screen, a page is dark on white, without what only works on a screen. */
export async function assertPrints(browser: TestBrowser, url: string): Promise<void> {
  const { page } = await browser.open({ colorScheme: 'dark', viewport: { width: 720, height: 1000 } });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(url);
  assert.is(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  assert.not(await page.isVisible('[data-search]'), 'the search box is printed');
  assert.equal(await findViolations(page), [], 'printed');
  await page.close();
}
