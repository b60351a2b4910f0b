// The event stream gives each role what the role may read, and nothing else.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENTS, makeAgentWorld, TASK, WRITES } from '../agents/world.ts';
import { VOICE } from '../brand-voice/world.ts';
import { makeReceiver } from '../support/receiver.ts';
import { CONFIG, makeWorld, PASSWORD } from '../support/world.ts';
import { type Heard, overhear, soon, untilAll } from './heard.ts';

/** What each event is about, as the address that a role may read or not. */
const READ_AT: Readonly<Record<string, string>> = {
  change: '/api/cms/changes',
  curation: '/api/cms/curation',
  agent: AGENTS,
  voice: '/api/cms/brand-voice?versions=1',
  team: '/api/admin/users',
  revalidation: '/api/admin/revalidations',
  submission: '/api/admin/forms/contact/submissions',
  'job backup': '/api/admin/backups',
  'job link-check': '/api/admin/link-check',
  'job restore': '/api/cms/changes',
};

const nameOf = ({ event, data }: Heard): string => (event === 'job' ? `job ${data.job}` : event);
const namesOf = (heard: Heard[]): string[] => [...new Set(heard.map(nameOf))].filter((name) => name !== 'hello').sort();

test('each role hears of exactly what it may read', async () => {
  await using receiver = await makeReceiver(() => 204);
  const contact = { name: 'contact', label: 'Contact', fields: [{ name: 'text', type: 'text' as const }] };
  await using agents = await makeAgentWorld(WRITES, {}, { forms: [contact] });
  const { world } = agents;
  const roles = ['editor', 'author', 'viewer'] as const;
  const clients = [world.admin, ...(await Promise.all(roles.map((role) => world.user(role))))];
  const all = clients.map((client) => overhear(world, client));
  await untilAll(all, 'hello');

  const settings = { revalidateUrl: receiver.url, revalidateSecret: 'secret', allowPrivateTargets: true };
  assert.is((await world.admin.post('/api/admin/site-config', settings)).status, 200);
  await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A' } });
  const id = await agents.agent();
  assert.is((await world.admin.post(`${AGENTS}/${id}/run`, TASK)).json.status, 'completed');
  await world.admin.post('/api/cms/brand-voice', VOICE);
  await world.anonymous.post('/api/forms/contact', { text: 'secret' });
  await world.admin.post('/api/admin/link-check');
  const user = { email: 'new@example.com', name: 'New', role: 'author', password: PASSWORD };
  assert.is((await world.admin.post('/api/admin/users', user)).status, 200);
  const backup = (await world.admin.post('/api/admin/backups')).json;
  assert.is((await world.admin.post(`/api/admin/backups/${backup.id}/restore`, { includeData: true })).status, 200);
  await soon(() => assert.equal(namesOf(all[0]!), Object.keys(READ_AT).sort()));
  // The end of the restore is the last of it.
  await soon(() => assert.ok(all.every((heard) => heard.at(-1)?.data.state === 'done')));

  for (const [index, client] of clients.entries()) {
    const readable: string[] = [];
    for (const [name, url] of Object.entries(READ_AT)) if ((await client.get(url)).status === 200) readable.push(name);
    assert.equal(namesOf(all[index]!), readable.sort(), ['admin', ...roles][index]);
  }
});

test('a backup, a restore and a link check are heard of when they begin and when they have ended', async () => {
  await using world = await makeWorld({ now: 'real', config: CONFIG });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const heard = overhear(world, world.admin);
  await untilAll([heard], 'hello');
  const jobs = () => heard.filter(({ event }) => event === 'job').map(({ data }) => `${data.job} ${data.state}`);
  const { id } = (await world.admin.post('/api/admin/backups')).json;
  await world.admin.post(`/api/admin/backups/${id}/restore`);
  await world.admin.delete(`/api/admin/backups/${id}`);
  await world.admin.post('/api/admin/link-check');
  await soon(() =>
    assert.equal(jobs(), [
      ...['backup running', 'backup done'],
      ...['restore running', 'backup running', 'backup done', 'restore done'],
      'backup removed',
      ...['link-check running', 'link-check done'],
    ]),
  );
});

test.run();
