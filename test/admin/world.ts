// The admin in a real browser, in front of a real service.
import type { BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { findViolations, type Look, type OpenPage, openBrowser, type TestBrowser } from '../support/browser.ts';
import { makeWorld, PASSWORD, type World, type WorldOptions } from '../support/world.ts';

export const EMAIL = 'ada@example.com';

export interface AdminWorld extends AsyncDisposable {
  world: World;
  browser: TestBrowser;
  /** A page of the admin; its path is below `/admin`. */
  open(path?: string, options?: BrowserContextOptions): Promise<OpenPage>;
  /** The same, signed in as Ada. */
  signedIn(path?: string, options?: BrowserContextOptions): Promise<OpenPage>;
}

export async function makeAdminWorld(options: WorldOptions = {}): Promise<AdminWorld> {
  const world = await makeWorld({ now: 'real', ...options });
  const browser = await openBrowser();

  async function open(path = '', pageOptions: BrowserContextOptions = {}): Promise<OpenPage> {
    const opened = await browser.open(pageOptions);
    await opened.page.goto(`${world.url}/admin${path}`);
    return opened;
  }

  return {
    ...{ world, browser, open },
    async signedIn(path = '', pageOptions = {}) {
      const opened = await browser.open(pageOptions);
      // Without the form: that is tested by sign-in.test.ts, and takes seconds. The cookie goes to the page's context.
      const body = { email: EMAIL, password: PASSWORD };
      const answer = await opened.page.context().request.post(`${world.url}/api/auth/login`, { data: body });
      assert.is(answer.status(), 200);
      await opened.page.goto(`${world.url}/admin${path}`);
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

export async function signIn(page: Page, password: string = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Errors of the console other than the refusals that the test provokes. */
export function assertQuiet(complaints: readonly string[], expected: RegExp = /^$/): void {
  assert.equal(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
}

/** Nothing that axe-core finds, and nothing that scrolls sideways. */
export async function assertAccessible(page: Page, place: string, { colorScheme, viewport }: Look): Promise<void> {
  const seen = `${place}, ${colorScheme}, ${viewport.width} px`;
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  assert.ok(wide <= 0, `${seen}: ${wide} px too wide`);
  assert.equal(await findViolations(page), [], seen);
}
