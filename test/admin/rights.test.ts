// Every screen as each role meets it: what a role may not do is neither shown nor asked for.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../src/access/principal.ts';
import { CONFIG, PASSWORD } from '../support/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

type RoleName = (typeof ROLES)[number];

const FORMS = [{ name: 'contact', label: 'Contact', fields: [{ name: 'name', type: 'text' as const }] }];
const EDITORS: readonly RoleName[] = ['admin', 'editor'];
const ADMINS: readonly RoleName[] = ['admin'];
const SECTIONS = ['', '/deploy', '/backups', '/links', '/webhooks', '/configuration'];

const SCREENS: readonly { path: string; heading: string; roles: readonly RoleName[] }[] = [
  { path: '', heading: 'Dashboard', roles: ROLES },
  { path: '/content/posts', heading: 'Posts', roles: ROLES },
  { path: '/content/posts/new', heading: 'New Posts', roles: ['admin', 'editor', 'author'] },
  { path: '/media', heading: 'Media', roles: ROLES },
  { path: '/forms', heading: 'Forms', roles: EDITORS },
  { path: '/forms/contact', heading: 'Contact', roles: EDITORS },
  { path: '/forms/contact/nope', heading: 'Not found', roles: EDITORS },
  { path: '/search', heading: 'Search', roles: ROLES },
  { path: '/calendar', heading: 'Calendar', roles: ROLES },
  { path: '/trash', heading: 'Trash', roles: ROLES },
  { path: '/curation', heading: 'Curation', roles: ROLES },
  { path: '/curation/nope', heading: 'Not found', roles: ROLES },
  { path: '/chat?c=nope', heading: 'Not found', roles: ROLES },
  { path: '/chat', heading: 'Chat', roles: ROLES },
  { path: '/agents', heading: 'Agents', roles: EDITORS },
  { path: '/agents/new', heading: 'New agent', roles: ADMINS },
  { path: '/voice', heading: 'Brand voice', roles: EDITORS },
  { path: '/deploy', heading: 'Deploy', roles: ['admin', 'editor', 'viewer'] },
  { path: '/deploy/nope', heading: 'Not found', roles: ['admin', 'editor', 'viewer'] },
  { path: '/deploy/docker', heading: 'New instance', roles: ADMINS },
  { path: '/backups', heading: 'Backups', roles: ADMINS },
  ...SECTIONS.map((section) => ({ path: `/settings${section}`, heading: 'Settings', roles: EDITORS })),
  { path: '/settings/nope', heading: 'Not found', roles: EDITORS },
  { path: '/team', heading: 'Team', roles: ADMINS },
  { path: '/account', heading: 'Account', roles: ROLES },
  { path: '/activity', heading: 'Activity', roles: ROLES },
  { path: '/help', heading: 'Guide for editors', roles: ROLES },
  { path: '/nope', heading: 'Not found', roles: ROLES },
];

test('each role finds its screens, and "No access" at all others, without a request that is refused', async () => {
  await using admin = await makeAdminWorld({ config: { ...CONFIG, forms: FORMS } });
  const wrong: string[] = [];
  for (const role of ROLES) {
    const user = { email: `${role}@example.com`, name: role, role, password: PASSWORD };
    assert.is((await admin.world.admin.post('/api/admin/users', user)).status, 200);
    const { page, complaints } = await admin.browser.open();
    await page.context().request.post(`${admin.world.url}/api/auth/login`, { data: user });
    page.on('response', (response) => {
      if (response.status() === 403) wrong.push(`${role} at ${page.url()}: ${response.url()} is refused`);
    });
    for (const { path, heading, roles } of SCREENS) {
      await page.goto(`${admin.world.url}/admin${path}`);
      const wanted = roles.includes(role) ? heading : 'No access';
      const found = page.getByRole('heading', { level: 1, name: wanted, exact: true });
      await found.waitFor({ timeout: 5000 }).catch(async () => {
        wrong.push(`${role} at ${path}: "${await page.locator('h1').innerText()}" and not "${wanted}"`);
      });
      assert.is(await page.getByRole('heading', { level: 1 }).count(), 1, path);
    }
    assertQuiet(complaints, /status of 404/);
  }
  assert.equal(wrong, []);
});

test.run();
