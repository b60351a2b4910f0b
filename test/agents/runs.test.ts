import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENTS, BODY, makeAgentWorld, TASK, WRITES } from './world.ts';

const QUEUE = '/api/cms/curation';

test('a run with autonomy draft ends in an item, with its steps and costs', async () => {
  await using made = await makeAgentWorld(WRITES);
  const id = await made.agent();
  const { result, events } = await made.world.appended(() => made.world.admin.post(`${AGENTS}/${id}/run`, TASK));
  assert.equal([result.status, result.json.status, events.length], [200, 'completed', 0], result.text);
  const run = result.json;
  assert.equal(
    run.steps.map(({ tools }: { tools: string[] }) => tools),
    [['create_document'], []],
  );
  assert.ok(run.costUsd > 0);
  const { json } = await made.world.admin.get(QUEUE);
  assert.equal([json.total, json.items[0].id, json.items[0].agentId], [1, run.itemId, id]);
  assert.equal([json.items[0].costUsd, json.items[0].tokens], [run.costUsd, run.inputTokens + run.outputTokens]);
  const { runs } = (await made.world.admin.get(`${AGENTS}/${id}/runs`)).json;
  assert.equal(runs, [run]);
  const agent = (await made.world.admin.get(`${AGENTS}/${id}`)).json;
  assert.equal([agent.stats.runs, agent.stats.completed], [1, 1]);
  assert.ok(Math.abs(agent.stats.spentTodayUsd - run.costUsd) < 1e-9);
});

test('a run with autonomy full publishes if its starter may, and queues if not', async () => {
  await using made = await makeAgentWorld(WRITES);
  const id = await made.agent({ autonomy: 'full' });
  const { result, events } = await made.world.appended(() => made.world.admin.post(`${AGENTS}/${id}/run`, TASK));
  const run = result.json;
  assert.equal([run.status, run.itemId], ['completed', null]);
  for (const { author, trailers } of events) {
    assert.match(author, /^Writer <ai@localhost>/, 'nobody decided about it');
    assert.match(trailers['Co-authored-by'] ?? '', / <ai@localhost>$/);
  }
  const { json } = await made.world.admin.get('/api/cms/posts/by-an-agent');
  assert.equal([json.id, json.status], [run.documentId, 'published']);

  made.provider.play(WRITES);
  const writer = await made.world.token(['content:read', 'content:write']);
  const { json: queued } = await writer.post(`${AGENTS}/${id}/run`, TASK);
  assert.type(queued.itemId, 'string');
});

test('feedback of a rejected item is in the next prompt', async () => {
  await using made = await makeAgentWorld(WRITES);
  const id = await made.agent();
  const { json: run } = await made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  await made.world.admin.post(`${QUEUE}/${run.itemId}/reject`, { feedback: 'Too many adjectives' });
  made.provider.play(WRITES);
  await made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  assert.not.match(made.provider.requests[0]!.system, 'Too many adjectives');
  assert.match(made.provider.requests.at(-1)!.system, 'Too many adjectives');
});

test('a tool loop, an answer cut at its limit and a provider that fails leave a failed run and no item', async () => {
  const write = WRITES as { calls: never }[];
  await using made = await makeAgentWorld(() => write[0] as never);
  const id = await made.agent();
  const run = async () => (await made.world.admin.post(`${AGENTS}/${id}/run`, TASK)).json;
  const looped = await run();
  assert.equal([looped.status, looped.code, looped.steps.length], ['failed', 'model_output', 12]);
  assert.is(made.provider.requests.length, 12);
  made.provider.play([write[0] as never, { text: 'half', finish: 'length' }]);
  assert.equal([(await run()).code], ['model_output']);
  made.provider.play([write[0] as never, { status: 401 }]);
  assert.equal([(await run()).code], ['provider_refused']);
  assert.is((await made.world.admin.get(`${QUEUE}?status=all`)).json.total, 0);
  const { stats } = (await made.world.admin.get(`${AGENTS}/${id}`)).json;
  assert.equal([stats.runs, stats.failed], [3, 3]);
});

test('an unknown tool, arguments that do not fit and a foreign collection are refused, and the run goes on', async () => {
  await using made = await makeAgentWorld([
    { calls: [{ tool: 'drop_site', input: {} }] },
    { calls: [{ tool: 'create_document', input: { collection: 'posts' } }] },
    { calls: [{ tool: 'create_document', input: { collection: 'notes', data: { title: 'a' } } }] },
    { calls: [{ tool: 'publish_document', input: { collection: 'notes', slug: 'a' } }] },
    { text: 'Sorry.' },
  ]);
  const id = await made.agent({ autonomy: 'full' });
  const { result, events } = await made.world.appended(() => made.world.admin.post(`${AGENTS}/${id}/run`, TASK));
  assert.equal([result.json.status, result.json.itemId, events.length], ['completed', null, 0]);
  const said = JSON.stringify(made.provider.requests.at(-1)!.messages);
  for (const code of ['not_found', 'invalid_input', 'forbidden']) assert.match(said, code);
});

test('an agent publishes in its own collections at most: no tool that deletes, unpublishes or decides is offered', async () => {
  const target = { collection: 'posts', slug: 'live' };
  const orders = [
    { tool: 'delete_document', input: target },
    { tool: 'unpublish_document', input: target },
    { tool: 'publish_document', input: { ...target, slug: 'kept' } },
    { tool: 'schedule_document', input: { ...target, unpublishAt: '2027-01-01T00:00:00Z' } },
    { tool: 'restore_document', input: { ...target, commit: 'HEAD' } },
    { tool: 'approve_item', input: { id: '1' } },
    { tool: 'reject_item', input: { id: '1' } },
    { tool: 'trigger_deploy', input: {} },
    { tool: 'upload_media', input: { name: 'a.txt', base64: 'YQ==' } },
  ];
  for (const autonomy of ['draft', 'full']) {
    await using made = await makeAgentWorld([{ calls: orders }, { text: 'Sorry.' }]);
    const { admin } = made.world;
    await admin.post('/api/cms/posts', { slug: 'live', status: 'published', data: { title: 'Live' } });
    await admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'Kept' } });
    const id = await made.agent({ autonomy });
    const { result, events } = await made.world.appended(() => admin.post(`${AGENTS}/${id}/run`, TASK));
    assert.equal([result.json.status, result.json.itemIds, events], ['completed', [], []], autonomy);
    const offered = made.provider.requests[0]!.tools;
    assert.equal(
      offered.filter((name) => orders.some(({ tool }) => tool === name)),
      [],
    );
    const effects = new Set(offered.map((name) => made.world.site().tools.find(name)?.effect));
    assert.equal([...effects].sort(), ['create', 'none', 'propose', 'update']);
  }
});

test('ten runs started together do not spend more than the budget and one step', async () => {
  await using made = await makeAgentWorld(() => ({ text: 'Done.', usage: { inputTokens: 1000, outputTokens: 4000 } }));
  // One answer costs 0.042 USD.
  const id = await made.agent({ budget: { dailyUsd: 0.1, monthlyUsd: null } });
  const runs = await Promise.all(Array.from({ length: 10 }, () => made.world.admin.post(`${AGENTS}/${id}/run`, TASK)));
  const spent = runs.reduce((sum, { json }) => sum + (json.costUsd ?? 0), 0);
  assert.ok(spent > 0 && spent <= 0.1 + 0.042, `${spent}`);
  assert.ok(runs.some(({ json }) => json.code === 'budget_used_up'));
  while ((await made.world.admin.post(`${AGENTS}/${id}/run`, TASK)).json.status === 'completed');
  const asked = made.provider.requests.length;
  const refused = await made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  assert.is(refused.json.code, 'budget_used_up');
  assert.is(made.provider.requests.length, asked);
  made.world.advance(24 * 3600_000);
  assert.is((await made.world.admin.post(`${AGENTS}/${id}/run`, TASK)).json.status, 'completed');
});

test('a run is an event stream for those who ask for one', async () => {
  await using made = await makeAgentWorld(WRITES);
  const id = await made.agent();
  const { text } = await made.world.admin.post(`${AGENTS}/${id}/run`, TASK, { accept: 'text/event-stream' });
  const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
  assert.equal(names, ['step', 'tool_call', 'tool_result', 'step', 'done']);
  assert.match(text, '"status":"completed"');
});

test('an agent runs once for each match of its schedule, with the rights of the admin who activated it', async () => {
  await using made = await makeAgentWorld(() => ({ text: 'Nothing to do.' }));
  const id = await made.agent({ schedule: { cron: '0 * * * *', timezone: 'UTC', enabled: true } });
  const { schedule } = made.world.site();
  assert.equal((await schedule.work(10_000)).agents, []);
  made.world.advance(3600_000);
  const reports = await Promise.all([schedule.work(10_000), schedule.work(10_000)]);
  assert.equal(
    reports.flatMap(({ agents }) => agents),
    [id],
  );
  assert.is(made.provider.requests.length, 1);
});

test('a scheduled run has no more rights than the token that activated it', async () => {
  const publishes = {
    tool: 'create_document',
    input: { collection: 'posts', status: 'published', data: { title: 'X' } },
  };
  await using made = await makeAgentWorld([{ calls: [publishes] }, { text: 'Done.' }]);
  const { world } = made;
  const client = await world.token(['org:settings:read', 'org:settings:write']);
  const schedule = { cron: '0 * * * *', timezone: 'UTC', enabled: true };
  const agent = { ...BODY, autonomy: 'full', schedule };
  assert.is((await client.post(AGENTS, agent)).status, 201);
  world.advance(3600_000);
  await world.site().schedule.work(10_000);
  assert.is(made.provider.requests.length, 2);
  assert.equal((await world.admin.get('/api/cms/posts?status=all')).json.documents, []);
  assert.equal((await world.admin.get(QUEUE)).json.items, []);
});

test('no prompt, answer or key is in the log, the audit or a webhook', async () => {
  await using made = await makeAgentWorld(WRITES);
  const webhooks = [{ id: 'w', url: 'http://127.0.0.1:9/', secret: 'a-secret-of-the-webhook', events: ['*'] }];
  await made.world.admin.post('/api/admin/site-config', { webhooks });
  const id = await made.agent();
  await made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  made.provider.play([{ status: 500 }]);
  const failed = await made.world.admin.post(`${AGENTS}/${id}/run`, TASK);
  assert.is(failed.json.status, 'failed');
  const { readFileSync, readdirSync } = await import('node:fs');
  const files = readdirSync(made.world.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)audit|deliveries\//.test(name),
  );
  const texts = files.flatMap((name) => {
    const file = `${made.world.dataDir}/${name}`;
    return name.includes('.') || name.endsWith('journal') ? [safeRead(() => readFileSync(file, 'utf8'))] : [];
  });
  const all = JSON.stringify(made.world.logged) + texts.join('');
  assert.match(all, 'agent.created');
  for (const secret of ['secret-prompt', 'secret-instructions', 'secret-answer', 'sk-scripted']) {
    assert.not.match(all, secret);
  }
});

function safeRead(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if ((error as { code?: string }).code !== 'EISDIR') throw error;
    return '';
  }
}

test.run();
