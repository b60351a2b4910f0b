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
  /** Milliseconds from the request of a page, or from now, until a part of it can be used. */
  usable(path: string | undefined, part: Locator): Promise<number>;
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
const PAUSE_MS = 30;
/** What the browser reports takes at least so long; it reports in steps of 8 ms. */
const LEAST_MS = 16;

/** Runs in each page. */
const CLOCKS = `globalThis.clocks = {
  loop() {
    const startMs = performance.now();
    let sum = 0;
    for (let at = 0; at < 1e7; at++) sum = (sum * 31 + at) | 0;
    return performance.now() - startMs + (sum === 1 ? 1 : 0);
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
      const options = { once: true, capture: true };
      addEventListener('keydown', () => {
        const startMs = performance.now();
        const look = () => {
          if (state.textContent === 'All changes saved') resolve(performance.now() - startMs);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, options);
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
  const { page } = await browser.open({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(CLOCKS);
  const driver = await page.context().newCDPSession(page);
  await driver.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });

  const clock = <T>(call: string): Promise<T> => page.evaluate<T>(`clocks.${call}`);
  const loop = (): Promise<number> => clock('loop()');
  return {
    ...{ page, loop },
    async signIn(data) {
      const answer = await page.context().request.post(`${url}/api/auth/login`, { data });
      if (!answer.ok()) throw new Error(await answer.text());
    },
    async usable(path, part) {
      const startMs = performance.now();
      if (path !== undefined) await page.goto(url + path, { waitUntil: 'commit' });
      await part.waitFor();
      return performance.now() - startMs;
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
