// The runs of a git host, asked of a recorder of GitHub's API.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createGithubStatus, type ReadGithubStatus } from '../../../src/deploy/status/github-status.ts';
import { RunsAnswer, toGithubStatus } from '../../../src/deploy/status/run-status.ts';
import { ServiceError } from '../../../src/lib/errors.ts';
import { SiteSettings } from '../../../src/settings/settings.ts';
import { fetchHost } from '../../support/host-fetch.ts';

const TOKEN = 'github_pat_0123456789';
const RUN = {
  ...{ id: 30433642, status: 'completed', conclusion: 'success', html_url: 'https://github.com/o/r/actions/runs/1' },
  run_started_at: '2026-01-02T03:04:05Z',
};

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers like `GET /repos/{owner}/{repo}/actions/runs`, until a test says otherwise. */
async function startGithub(change: Partial<{ timeoutMs: number; settings: object }> = {}) {
  const asked: IncomingMessage[] = [];
  let respond: Respond | undefined;
  let runs: object[] = [RUN];
  const base = SiteSettings.parse({ deployAppName: 'o/r', deployApiToken: TOKEN, ...change.settings });
  const server = createServer((request, response) => {
    asked.push(request);
    if (respond) return respond(response, request);
    if (request.headers.authorization !== `token ${TOKEN}` && request.headers.authorization !== `Bearer ${TOKEN}`)
      return answer(response, 401, { message: 'Bad credentials' });
    if (request.url !== '/api/v3/repos/o/r/actions/runs?per_page=1')
      return answer(response, 404, { message: 'Not Found' });
    const etag = `W/"${JSON.stringify(runs).length}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    answer(response, 200, { total_count: runs.length, workflow_runs: runs }, { etag });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  let elapsed = 0;
  let settings = { ...base, githubApiUrl: url };
  const read: ReadGithubStatus = createGithubStatus({
    settings: { read: () => settings },
    fetch: fetchHost,
    elapsedMs: () => elapsed,
    ...(change.timeoutMs !== undefined && { timeoutMs: change.timeoutMs }),
  });
  return {
    asked,
    read,
    advance: (ms: number) => void (elapsed += ms),
    setRuns: (next: object[]) => void (runs = next),
    setSettings: (next: object) => void (settings = { ...settings, ...next }),
    respond: (next: Respond | undefined) => void (respond = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));
}

async function refusalOf(read: ReadGithubStatus): Promise<string> {
  try {
    await read();
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'upstream_failed', `${error}`);
    assert.not.match(error.message, TOKEN);
    return error.message;
  }
  throw new Error('it was not refused');
}

test('the newest run, by the words of the interface', async () => {
  await using github = await startGithub();
  assert.equal(await github.read(), {
    found: true,
    runId: 30433642,
    status: 'completed',
    conclusion: 'success',
    url: RUN.html_url,
    startedAt: '2026-01-02T03:04:05.000Z',
  });
  assert.match(String(github.asked[0]!.headers['user-agent']), 'colophon');
});

test('every value of the host has one of ours', () => {
  const of = (status: string, conclusion: string | null) => {
    const found = toGithubStatus(RunsAnswer.parse({ workflow_runs: [{ ...RUN, status, conclusion }] }));
    return found.found ? `${found.status} ${found.conclusion}` : 'none';
  };
  for (const status of ['queued', 'waiting', 'requested', 'pending']) assert.is(of(status, null), 'queued null');
  assert.is(of('in_progress', null), 'in_progress null');
  for (const same of ['success', 'failure', 'cancelled', 'skipped'])
    assert.is(of('completed', same), `completed ${same}`);
  assert.is(of('completed', 'neutral'), 'completed skipped');
  for (const bad of ['timed_out', 'action_required', 'startup_failure', 'stale', 'constructor']) {
    assert.is(of('completed', bad), 'completed failure');
  }
});

test('many callers make one request, which is repeated after five seconds, with the ETag', async () => {
  await using github = await startGithub();
  await Promise.all(Array.from({ length: 50 }, github.read));
  github.advance(4999);
  await github.read();
  assert.is(github.asked.length, 1);
  github.advance(1);
  assert.is((await github.read()).found, true);
  assert.is(github.asked.length, 2);
  assert.ok(github.asked[1]!.headers['if-none-match']);
  github.setRuns([{ ...RUN, id: 7, status: 'in_progress', conclusion: null }]);
  github.advance(5000);
  const found = await github.read();
  assert.is(found.found && found.runId, 7);
});

test('without a token, a repository or a run nothing is found, and nothing is asked without the first two', async () => {
  await using github = await startGithub();
  github.setSettings({ deployApiToken: '' });
  assert.equal(await github.read(), { found: false });
  github.setSettings({ deployApiToken: TOKEN, deployAppName: '' });
  assert.equal(await github.read(), { found: false });
  assert.is(github.asked.length, 0);
  github.setSettings({ deployAppName: 'o/r' });
  github.setRuns([]);
  assert.equal(await github.read(), { found: false });
});

test('a refusal says what to check, and another token is asked with at once', async () => {
  await using github = await startGithub({ settings: { deployApiToken: 'wrong-token' } });
  assert.match(await refusalOf(github.read), 'deployApiToken');
  assert.match(await refusalOf(github.read), 'deployApiToken');
  assert.is(github.asked.length, 1);
  github.setSettings({ deployApiToken: TOKEN, deployAppName: 'o/other' });
  assert.match(await refusalOf(github.read), 'deployAppName');
  github.setSettings({ deployAppName: 'o/r' });
  assert.is((await github.read()).found, true);
});

test('what is no answer of an API is a refusal, and never followed elsewhere', async () => {
  await using github = await startGithub({ timeoutMs: 500 });
  const cases: [Respond, RegExp][] = [
    [(response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), /githubApiUrl/],
    [(response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'), /502/],
    [(response) => answer(response, 200, { message: 'hello' }), /githubApiUrl/],
    [(response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'), /githubApiUrl/],
    [(response, { url }) => void response.writeHead(301, { location: `${url}&x` }).end(), /moved/],
    [(response) => answer(response, 403, { message: TOKEN }), /Actions/],
    [(response) => void response.destroy(), /githubApiUrl/],
    [() => undefined, /in time/],
  ];
  for (const [respond, expected] of cases) {
    github.respond(respond);
    github.advance(60_000);
    const before = github.asked.length;
    assert.match(await refusalOf(github.read), expected);
    assert.is(github.asked.length, before + 1);
  }
  github.respond(undefined);
  github.advance(60_000);
  assert.is((await github.read()).found, true);
});

test('a host that wants fewer requests gets them', async () => {
  await using github = await startGithub();
  github.respond((response) => answer(response, 429, {}, { 'retry-after': '30' }));
  await refusalOf(github.read);
  github.advance(29_000);
  await refusalOf(github.read);
  assert.is(github.asked.length, 1);
  github.respond(undefined);
  github.advance(1000);
  assert.is((await github.read()).found, true);
});

test.run();
