// The tabs of a browser share one event stream: one of them has it, and the others follow, also after it closes.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../support/world.ts';
import { type AdminWorld, EMAIL, makeAdminWorld } from './world.ts';

/** What the service allows one user at a time. */
const MOST_STREAMS = 20;

/** How many the user has open, as the service counts them: so many fewer can be opened beside them. */
async function countStreams({ world }: AdminWorld): Promise<number> {
  const stop = new AbortController();
  const headers = world.admin.headers as Record<string, string>;
  for (let opened = 0; ; opened++) {
    const { status } = await fetch(`${world.url}/api/admin/events`, { headers, signal: stop.signal });
    if (status === 429) {
      stop.abort();
      return MOST_STREAMS - opened;
    }
    assert.is(status, 200);
  }
}

async function untilStreams(admin: AdminWorld, wanted: number): Promise<void> {
  for (let n = 0; n < 60; n++) {
    if ((await countStreams(admin)) === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.unreachable(`never ${wanted} streams`);
}

test('three tabs hold one stream in all, see every change, and one takes over from the tab that closes', async () => {
  await using admin = await makeAdminWorld();
  const context = await admin.browser.context();
  await context.request.post(`${admin.world.url}/api/auth/login`, { data: { email: EMAIL, password: PASSWORD } });
  /** The tabs that opened a stream, in that order. */
  const leaders: Page[] = [];
  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    page.on('request', (request) => request.url().includes('/api/admin/events') && leaders.push(page));
    await page.goto(`${admin.world.url}/admin${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const tabs = [await open(''), await open('/content/posts'), await open('/trash')];
  await untilStreams(admin, 1);
  assert.equal(
    leaders.map((page) => tabs.indexOf(page)),
    [0],
  );

  const make = (slug: string) => admin.world.admin.post('/api/cms/posts', { slug, data: { title: `On ${slug}` } });
  const [dashboard, list, trash] = tabs as [Page, Page, Page];
  const inList = (slug: string) =>
    list
      .getByRole('grid')
      .getByRole('link', { name: `On ${slug}` })
      .waitFor();
  await make('tides');
  await inList('tides');
  await dashboard.getByRole('region', { name: 'Recent changes' }).getByText('On tides').waitFor();
  await admin.world.admin.delete('/api/cms/posts/tides');
  await trash.getByRole('button', { name: 'Restore On tides' }).waitFor();

  await dashboard.close();
  await untilStreams(admin, 1);
  assert.equal(leaders.length, 2);
  await make('moons');
  await inList('moons');
  await admin.world.admin.delete('/api/cms/posts/moons');
  await trash.getByRole('button', { name: 'Restore On moons' }).waitFor();
  await leaders[1]!.close();
  await untilStreams(admin, 1);
  await make('salt');
  await admin.world.admin.delete('/api/cms/posts/salt');
  const last = leaders[2]!;
  if (last === trash) await trash.getByRole('button', { name: 'Restore On salt' }).waitFor();
  else await make('sand').then(() => inList('sand'));
});

test.run();
