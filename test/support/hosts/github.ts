// GitHub as GitHub Pages needs it: a real git server behind a recorder of the REST API, which builds whatever the branch
// is at, and refuses what GitHub refuses.
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { createGithubPages } from '../../../src/deploy/providers/github-pages.ts';
import { commitFile } from '../git.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import {
  type Answer,
  type FakeHost,
  type HostCase,
  type HostRequestSeen,
  jsonOf,
  startFakeServer,
} from './fake-host.ts';

const REPOSITORY = 'octo/site';
const TOKEN = 'github_pat_secret';
const BRANCH = 'gh-pages';
const PAGES = '/repos/octo/site/pages';

export const GITHUB: HostCase = {
  sendsAtOnce: true,
  provider: createGithubPages(),
  badNames: [],
  tooLargeBytes: (100 << 20) + 1,
  canFail: true,
  async start() {
    const github = await startGithub();
    // As after the first deploy ever, and with as few requests as there are ways to fail.
    github.pages.site = { branch: BRANCH, path: '/', buildType: 'legacy', cname: null };
    github.pages.pollsToBuild = 0;
    return github;
  },
};

export interface RecordedGithub extends FakeHost {
  server: GitServer;
  pages: GithubPagesState;
  /** The files of the branch, by path. */
  read(): Record<string, string>;
}

export interface GithubPagesState {
  /** What the token may do with Pages. */
  rights: 'write' | 'read' | 'none';
  site: { branch: string; path: string; buildType: 'legacy' | 'workflow'; cname: string | null } | undefined;
  /** How many polls see the build at work. */
  pollsToBuild: number;
  failure: string | undefined;
  /** GitHub does not notice pushes then: builds must be requested. */
  isDeaf: boolean;
}

interface Build {
  commit: string;
  polls: number;
  failure: string | undefined;
}

export async function startGithub(): Promise<RecordedGithub> {
  const server = await startGitServer({ token: TOKEN });
  appendFileSync(path.join(server.repository, 'config'), '[uploadpack]\n\tallowFilter = true\n');
  const pages: GithubPagesState = {
    rights: 'write',
    site: undefined,
    pollsToBuild: 2,
    failure: undefined,
    isDeaf: false,
  };
  const received: string[] = [];
  let build: Build | undefined;
  /** The commit that people see. */
  let shown: string | undefined;
  let failNext = false;

  const run = (...args: string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: server.repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    });

  function tipOf(branch: string): string | undefined {
    return run('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`).trim() || undefined;
  }

  function read(commit: string): Record<string, string> {
    const rows = run('ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
    return Object.fromEntries(
      rows.flatMap((row) => {
        const [, oid = '', name = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
        return name === '.nojekyll' ? [] : [[name, run('cat-file', 'blob', oid)]];
      }),
    );
  }

  function listBlobs(): Set<string> {
    const rows = run('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype) %(objectsize)');
    return new Set(rows.split('\n').flatMap((row) => (/ blob [1-9]/.test(row) ? [row.slice(0, 40)] : [])));
  }

  async function answer(request: HostRequestSeen): Promise<Answer> {
    if (request.path.startsWith('/octo/site.git/')) return answerGit(request);
    if (request.path.endsWith('.git/info/refs')) return { status: 404, headers: { 'content-type': 'text/plain' } };
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, json: { message: 'Bad credentials' } };
    if (!request.headers['user-agent']) return { status: 403, json: { message: 'administrative rules' } };
    return request.path === PAGES || request.path.startsWith(`${PAGES}/`) ? answerPages(request) : NOT_FOUND;
  }

  async function answerGit({ method, path, query, headers, body }: HostRequestSeen): Promise<Answer> {
    const isPush = path.endsWith('/git-receive-pack') && method === 'POST';
    const before = isPush ? listBlobs() : undefined;
    const { authorization, 'content-type': type } = headers;
    const response = await fetch(`${server.origin}${path.replace('/octo/', '/')}?${query}`, {
      method,
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
      ...(method === 'POST' ? { body: new Uint8Array(body) } : {}),
    });
    const answered = Buffer.from(await response.arrayBuffer());
    if (before) {
      for (const oid of listBlobs()) if (!before.has(oid)) received.push(run('cat-file', 'blob', oid));
    }
    const { status } = response;
    return { status, body: answered, headers: { 'content-type': response.headers.get('content-type') ?? '' } };
  }

  function answerPages(request: HostRequestSeen): Answer {
    const rest = request.path.slice(PAGES.length);
    const isWrite = request.method === 'POST';
    if (pages.rights === 'none' || (isWrite && pages.rights === 'read')) {
      return { status: 403, json: { message: 'Resource not accessible by personal access token' } };
    }
    if (isWrite && rest === '') return create(jsonOf(request) as { source?: { branch: string; path: string } });
    if (!pages.site) return NOT_FOUND;
    const tip = tipOf(pages.site.branch);
    if (tip && build?.commit !== tip && !pages.isDeaf) begin(tip);
    if (isWrite && rest === '/builds') {
      begin(tip!);
      return { status: 201, json: { status: 'queued' } };
    }
    if (rest === '') return { status: 200, json: toSite() };
    if (rest !== '/builds/latest' || !build) return NOT_FOUND;
    build.polls++;
    const status = statusOf(build);
    if (status === 'built') shown = build.commit;
    return { status: 200, json: { status, commit: build.commit, error: { message: build.failure ?? null } } };
  }

  function begin(commit: string): void {
    build = { commit, polls: 0, failure: failNext ? 'a wrong file' : pages.failure };
    failNext = false;
  }

  function create({ source }: { source?: { branch: string; path: string } }): Answer {
    if (pages.site) return { status: 409, json: { message: 'GitHub Pages is already enabled.' } };
    if (!source || !tipOf(source.branch)) {
      return { status: 422, json: { message: `The ${source?.branch} branch must exist before Pages can be built.` } };
    }
    pages.site = { ...source, buildType: 'legacy', cname: null };
    return { status: 201, json: toSite() };
  }

  function statusOf({ polls, failure }: Build): string {
    if (polls <= pages.pollsToBuild) return polls < 2 ? 'queued' : 'building';
    return failure ? 'errored' : 'built';
  }

  function toSite() {
    const { branch, path, buildType, cname } = pages.site!;
    const status = build ? statusOf(build) : null;
    return { status, cname, html_url: 'https://octo.github.io/site/', build_type: buildType, source: { branch, path } };
  }

  const fake = await startFakeServer(answer);
  return {
    settings: {
      deployProvider: 'github-pages',
      githubUrl: fake.url,
      githubApiUrl: fake.url,
      deployAppName: REPOSITORY,
      deployApiToken: TOKEN,
    },
    // Git takes longer than a recorder in memory.
    parts: { limits: { callMs: 10_000 } },
    secrets: [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')],
    requests: fake.requests,
    disturb: fake.disturb,
    get onRequest() {
      return fake.onRequest;
    },
    set onRequest(listener) {
      fake.onRequest = listener;
    },
    ...{ received, server, pages },
    live: () => (shown === undefined ? undefined : read(shown)),
    publications: () => (tipOf(BRANCH) ? Number(run('rev-list', '--count', BRANCH)) : 0),
    async changeByOther() {
      await commitFile(server.repository, 'theirs.html', 'theirs', BRANCH);
      shown = tipOf(BRANCH);
    },
    failNext: () => void (failNext = true),
    read: () => read(tipOf(BRANCH)!),
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const NOT_FOUND: Answer = { status: 404, json: { message: 'Not Found' } };
