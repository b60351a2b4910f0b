// What a screen is found by from outside: roles and accessible names, as a reader of the screen meets them.
import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';

type Role = Parameters<Page['getByRole']>[0];
/** A busy machine is slow. */
const WAIT_MS = 10_000;

export type Named = readonly [role: Role, name: string | RegExp];

/** The part of this role and name, which has to be there and to have a size. */
export async function seen(within: Page | Locator, role: Role, name: string | RegExp): Promise<Locator> {
  const part = within.getByRole(role, { name, exact: true });
  try {
    await part.first().waitFor({ timeout: WAIT_MS });
  } catch (cause) {
    throw new Error(`no ${role} "${name}"`, { cause });
  }
  return part;
}

/** The frame of every screen, its one heading, the title of the page, and the names of the screen. */
export async function assertScreen(page: Page, heading: string, names: readonly Named[]): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  assert.is(await page.getByRole('heading', { level: 1 }).count(), 1, `one heading of ${heading}`);
  assert.is(await page.title(), `${heading} · Colophon`);
  await seen(page, 'navigation', 'Main');
  for (const name of ['Search and commands', 'Account menu']) await seen(page, 'button', name);
  await seen(page, 'status', 'Messages');
  assert.is(await page.getByRole('main').count(), 1);
  const missing: string[] = [];
  for (const [role, name] of names) {
    const part = page.getByRole('main').getByRole(role, { name, exact: true }).first();
    await part.waitFor({ timeout: WAIT_MS }).catch((error: Error) => missing.push(`${role} "${name}": ${error.name}`));
  }
  assert.equal(missing, [], heading);
}
