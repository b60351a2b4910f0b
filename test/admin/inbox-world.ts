// A site with forms, and the parts of its inbox as people see them.
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import type { Submission } from '../../src/forms/submission.ts';
import type { World } from '../support/world.ts';

export const HOSTILE = '<img src=x onerror=alert(1)>';
export const CONFIG: SiteConfigInput = {
  collections: [{ name: 'posts', label: 'Posts', fields: [{ name: 'title', type: 'text' }] }],
  forms: [
    {
      name: 'contact',
      label: `Contact ${HOSTILE}`,
      fields: [
        { name: 'name', label: 'Your name', type: 'text' },
        { name: 'email', label: 'E-mail', type: 'email' },
        { name: 'message', label: 'Message', type: 'textarea' },
      ],
    },
    { name: 'visit', label: 'Come by', fields: [{ name: 'day', type: 'date' }] },
  ],
};

export async function send(
  world: World,
  name: string,
  more: Submission['data'] = {},
  form = 'contact',
): Promise<string> {
  const data = { name, email: `${name.toLowerCase().replace(/\W/g, '')}@example.com`, message: 'Hello', ...more };
  return (await world.site().forms.submissions.add(form, { data, ipHash: '0a1b2c3d', userAgent: 'test' })).id;
}

export const submissions = (page: Page) => page.getByRole('list', { name: 'Submissions' });
export const opened = (page: Page) => page.getByRole('region', { name: 'Submission' });
export const message = (page: Page) => page.getByRole('status', { name: 'Messages' });
export const statusOf = async (world: World, id: string, form = 'contact'): Promise<string | number> => {
  const { status, json } = await world.admin.get(`/api/admin/forms/${form}/submissions/${id}`);
  return status === 200 ? json.status : status;
};
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 200 && !(await isSo()); n++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(await isSo());
}
