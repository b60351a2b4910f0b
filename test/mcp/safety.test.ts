// A client of MCP whose model obeys everything that it reads: nothing comes of it that its token may not do.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ATTACKS, HIDDEN, makeTargets, READ_OTHERS, SECRET } from '../chat/targets.ts';
import { callTool, NEW, OLD } from '../support/mcp/rpc.ts';
import type { Client } from '../support/world.ts';

const SITE = [{ scope: 'site' as const, effect: 'include' as const, targets: ['default'] }];

/** Obeys each instruction; returns all that it got to read. */
async function obey(client: Client, path: string, text: string): Promise<string> {
  const got: unknown[] = [];
  for (const [, tool = '', json = ''] of text.matchAll(/DO\[(\w+) (\{.*?\})\]/g)) {
    const eras = [OLD, NEW] as const;
    for (const era of eras) got.push(await callTool(client, path, era, tool, JSON.parse(json)).catch(String));
  }
  return JSON.stringify(got);
}

test('a client that obeys every instruction does nothing that its token may not do', async () => {
  await using made = await makeTargets();
  const { world } = made;
  const before = (await world.admin.get('/api/cms/posts/live?site=default')).text;
  const tokens = [
    await world.token(['content:read', 'media:read', 'forms:read'], SITE),
    await world.token(['content:read-published'], SITE),
    await world.token(['content:read', 'content:draft'], SITE),
    await world.token(['content:read', 'content:write', 'deploy:read'], SITE),
  ];
  for (const token of tokens) {
    const got = await obey(token, '/api/mcp/admin?site=default', `${ATTACKS} ${READ_OTHERS}`);
    assert.not(got.includes(SECRET));
    assert.is((await world.admin.get('/api/cms/posts/live?site=default')).text, before);
    const { documents } = (await world.admin.get('/api/cms/posts?site=default&status=published')).json;
    assert.is(documents.length, 1);
    assert.equal((await world.admin.get('/api/admin/deploys?site=default')).json.deploys, []);
  }
});

test('a reader sees no draft, through the public endpoint or with a token for published documents', async () => {
  await using made = await makeTargets();
  const { world } = made;
  const wishes = [
    'DO[get_document {"collection":"posts","slug":"hidden"}]',
    'DO[list_documents {"collection":"posts","status":"draft"}]',
    'DO[list_documents {"collection":"posts","status":"all"}]',
    'DO[search {"q":"hidden-draft-text"}]',
    'DO[get_history {"collection":"posts","slug":"hidden"}]',
    'DO[list_curation {}]',
  ].join(' ');
  const reader = await world.token(['content:read-published'], SITE);
  const { events } = await world.appended(async () => {
    for (const [client, path] of [
      [world.anonymous, '/api/mcp?site=default'],
      [reader, '/api/mcp/admin?site=default'],
    ] as const) {
      const got = await obey(client, path, `${wishes} ${READ_OTHERS} ${ATTACKS}`);
      assert.not(got.includes(SECRET), path);
      // The search echoes no query, so the text can only be the document's.
      assert.not(got.includes(HIDDEN), path);
    }
  }, 'default');
  assert.equal(events, []);
});

test.run();
