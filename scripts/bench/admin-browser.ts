// A page of the admin in a browser whose processor is slowed down, and clocks inside of it.
import type { Locator, Page } from 'playwright-core';
import type { TestBrowser } from '../../test/support/browser.ts';
import { percentile } from './table.ts';

/** Milliseconds, each with the loop that was timed beside it. */
export class BrowserFigures {
  readonly values: number[] = [];
  readonly loops: number[] = [];

  add(value: number, loop: number): void {
    this.values.push(value);
    this.loops.push(loop);
  }
}

export interface ThrottledPage extends AsyncDisposable {
  page: Page;
  signIn(account: { email: string; password: string }): Promise<void>;
  /** Milliseconds from the beginning of a navigation until the first of `parts`, selectors of CSS, is drawn, and so on. */
  usable(path: string, ...parts: string[]): Promise<number[]>;
  /** Opens a page, and waits until nothing happens in it any more. */
  settled(path: string, part: string): Promise<Locator>;
  /** Milliseconds of a fixed loop in the page. */
  loop(): Promise<number>;
  /** Milliseconds until the rows at a share of the way down a list are drawn. */
  jump(share: number): Promise<number>;
  /** Types so many keys where the focus is; the one figure is the 95th of a hundred. */
  type(keys: number): Promise<BrowserFigures>;
  /** Presses Ctrl+S; milliseconds until the page says that all is saved. */
  timeSave(): Promise<number>;
  size(): Promise<{ nodes: number; heapBytes: number }>;
}

const SLOWDOWN = 4;
const VIEW = { width: 1280, height: 800 };
const BARS_PX = 200;
const PAUSE_MS = 30;
/** What the browser reports takes at least so long; it reports in steps of 8 ms. */
const LEAST_MS = 16;
/** What follows the opening of a page, or a save: events are listened to, panels filled, drafts written. */
const SETTLE_MS = 1500;

/** Runs in each page. */
const CLOCKS = `globalThis.clocks = {
  loop() {
    const startMs = performance.now();
    let sum = 0;
    for (let at = 0; at < 1e7; at++) sum = (sum * 31 + at) | 0;
    return performance.now() - startMs + (sum === 1 ? 1 : 0);
  },
  // The page's own clock, since the driver looks up to half a second late, and its looks take time from the page.
  async seen(part) {
    const wait = (ms) => new Promise((resume) => setTimeout(resume, ms));
    while (!document.querySelector(part)?.getBoundingClientRect().height) await wait(20);
    await new Promise(requestAnimationFrame);
    await wait(0);
    return performance.now();
  },
  frames: new Map(),
  watchKeys() {
    const { frames } = this;
    frames.clear();
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) {
        if (interactionId) frames.set(interactionId, Math.max(duration, frames.get(interactionId) ?? 0));
      }
    }).observe({ type: 'event', durationThreshold: ${LEAST_MS} });
  },
  watchSave() {
    const state = document.querySelector('[role="status"][aria-label="Save state"]');
    this.saved = new Promise((resolve) => {
      addEventListener('keydown', function onKey({ key }) {
        // Control comes before it.
        if (key !== 's') return;
        removeEventListener('keydown', onKey, true);
        const startMs = performance.now();
        const look = () => {
          if (state.textContent === 'All changes saved') resolve(performance.now() - startMs);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, true);
    });
  },
  async jump(share) {
    const grid = document.querySelector('[role="grid"]');
    const startMs = performance.now();
    grid.scrollTop = Math.round((grid.scrollHeight - grid.clientHeight) * share);
    const { top, bottom } = grid.getBoundingClientRect();
    const isDrawn = () => {
      const rows = [...grid.querySelectorAll('[role="row"]')].filter((row) => {
        const box = row.getBoundingClientRect();
        return row.querySelector('[role="gridcell"]') && box.bottom > top + 60 && box.top < bottom - 60;
      });
      return rows.length > 3 && rows.every((row) => row.querySelector('a'));
    };
    await new Promise(requestAnimationFrame);
    while (!isDrawn()) await new Promise(requestAnimationFrame);
    return performance.now() - startMs;
  },
};`;

export async function openThrottled(browser: TestBrowser, url: string): Promise<ThrottledPage> {
  const { page } = await browser.open({ viewport: VIEW });
  await page.addInitScript(CLOCKS);
  const driver = await page.context().newCDPSession(page);
  await driver.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  // The window's own bars would cover the end of the page, and what is covered is never drawn.
  const { windowId } = await driver.send('Browser.getWindowForTarget');
  await driver.send('Browser.setWindowBounds', { windowId, bounds: { height: VIEW.height + BARS_PX } });

  const clock = <T>(call: string): Promise<T> => page.evaluate<T>(`clocks.${call}`);
  const loop = (): Promise<number> => clock('loop()');
  return {
    ...{ page, loop },
    async signIn(data) {
      const answer = await page.context().request.post(`${url}/api/auth/login`, { data });
      if (!answer.ok()) throw new Error(await answer.text());
    },
    async usable(path, ...parts) {
      await page.goto(url + path, { waitUntil: 'commit' });
      return Promise.all(parts.map((part) => clock<number>(`seen(${JSON.stringify(part)})`)));
    },
    async settled(path, part) {
      await page.goto(url + path);
      const found = page.locator(part);
      await found.waitFor();
      await page.waitForTimeout(SETTLE_MS);
      return found;
    },
    jump: (share) => clock(`jump(${share})`),
    async type(keys) {
      await clock('watchKeys()');
      for (let at = 0; at < keys; at++) {
        await page.keyboard.type('word '[at % 5]!);
        await page.waitForTimeout(PAUSE_MS);
      }
      await page.waitForTimeout(500);
      const seen = await clock<number[]>('frames.values().toArray()');
      const all = [...seen, ...Array.from({ length: Math.max(0, keys - seen.length) }, () => LEAST_MS)];
      const figures = new BrowserFigures();
      figures.add(percentile(all, 0.95), await loop());
      return figures;
    },
    async timeSave() {
      await page.waitForTimeout(SETTLE_MS);
      await clock('watchSave()');
      await page.keyboard.press('Control+s');
      return clock('saved');
    },
    async size() {
      await driver.send('HeapProfiler.collectGarbage');
      const { usedSize } = await driver.send('Runtime.getHeapUsage');
      return { heapBytes: usedSize, nodes: await page.evaluate<number>("document.querySelectorAll('*').length") };
    },
    [Symbol.asyncDispose]: () => page.context().close(),
  };
}
