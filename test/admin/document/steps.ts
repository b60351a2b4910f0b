// What tests of the document editor do again and again.
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { AdminWorld } from '../world.ts';

export const SAVED = 'All changes saved';
export const UNSAVED = 'Unsaved changes, kept on this device';

export async function untilState(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('status', { name: 'Save state' }).filter({ hasText: text }).waitFor();
}

export async function makePost(admin: AdminWorld, data: Record<string, unknown>, more: object = {}): Promise<void> {
  const { status, text } = await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data, ...more });
  assert.is(status, 200, text);
}

export async function stored(admin: AdminWorld, slug = 'tides') {
  return (await admin.world.admin.get(`/api/cms/posts/${slug}`)).json;
}
