// A real browser for tests of what people see: Debian's chromium, driven by playwright. On a machine without it a test
// fails and says so; no test passes by skipping.
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** Another name of 127.0.0.1, whose pages browsers do not trust as they trust those of https and of this machine. */
export const PLAIN_HOST = '203.0.113.5';
/** Root has no sandbox here; the rest keeps the browser from making requests by itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
];
/** For every wait on a page: a busy machine is slow, and a page that hangs must not hang the run. */
const PATIENCE_MS = 30_000;

export interface OpenPage {
  page: Page;
  /** Errors on the page's console, uncaught exceptions, and requests that its CSP refused. */
  complaints: string[];
  /** Warnings on the page's console. */
  warnings: string[];
}

export interface TestBrowser extends AsyncDisposable {
  /** A page in its own context: no cookies, no cache, no language of the machine. */
  open(options?: BrowserContextOptions): Promise<OpenPage>;
  /** For several pages of one visitor. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/** How long the browser stays open between two tests of a file; then the process may end. */
const IDLE_MS = 500;

let running: Promise<Browser> | undefined;
let users = 0;
let idle: NodeJS.Timeout | undefined;

/** One browser for all tests of a file: each start takes seconds on a busy machine. */
function launch(): Promise<Browser> {
  clearTimeout(idle);
  users++;
  running ??= chromium.launch({ executablePath: EXECUTABLE, args: FLAGS, timeout: 60_000 });
  return running;
}

function leave(): void {
  if (--users > 0) return;
  idle = setTimeout(() => {
    const browser = running;
    running = undefined;
    void browser?.then((one) => one.close());
  }, IDLE_MS);
}

/** `await using browser = await openBrowser()`, in each test; closes its pages with it. */
export async function openBrowser(): Promise<TestBrowser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `this test looks at pages in a real browser, and ${EXECUTABLE} does not exist: ` +
        'run `apt-get install chromium`, or name one in CHROMIUM_PATH',
    );
  }
  const browser = await launch();
  const contexts: BrowserContext[] = [];

  async function context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const opened = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
    contexts.push(opened);
    opened.setDefaultTimeout(PATIENCE_MS);
    return opened;
  }

  return {
    context,
    async open(options) {
      const page = await (await context(options)).newPage();
      const complaints: string[] = [];
      const warnings: string[] = [];
      page.on('pageerror', (error) => void complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
        if (message.type() === 'warning') warnings.push(message.text());
      });
      return { page, complaints, warnings };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((one) => one.close()));
      leave();
    },
  };
}

/**
 * Waits until an expression, or what it promises, holds in the page. Playwright's own `waitForFunction` evaluates within the page, which its
 * CSP forbids from the second look on.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  // A page that is just left knows nothing.
  const isTrue = (): Promise<unknown> =>
    page.evaluate(`(async () => Boolean(await (${expression})))()`).catch((error: Error) => {
      if (!error.message.includes('Execution context was destroyed')) throw error;
    });
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`never true: ${expression}`);
    await page.waitForTimeout(50);
  }
}

export interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
}

/** Both themes, on a phone and on a desktop: each of them once, and every pair at night. */
export const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 1280]
    .filter((width) => process.env.TEST_NIGHTLY === '1' || (width === 320) === (colorScheme === 'dark'))
    .map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
);

/** The faults that axe-core finds with the page, or one element of it, as `rule: selector`; an empty list is good. */
export async function findViolations(page: Page, selector = 'html'): Promise<string[]> {
  // As a statement of the driver and not as a script of the page, which its CSP may forbid.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (within) => (globalThis as unknown as { axe: typeof axe }).axe.run(within),
    selector,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
