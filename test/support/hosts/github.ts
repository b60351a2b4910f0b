// GitHub as GitHub Pages needs it: a real git server, and a recorder of the REST API that builds whatever the branch is
// at, and refuses what GitHub refuses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { git } from '../git.ts';
import { type GitServer, type Mood, startGitServer } from '../git-server.ts';

export const GITHUB_REPOSITORY = 'octo/site';
export const GITHUB_TOKEN = 'github_pat_secret';

export interface RecordedGithub extends AsyncDisposable {
  server: GitServer;
  /** Of the git server; `githubUrl`. */
  url: string;
  /** `githubApiUrl`. */
  apiUrl: string;
  /** `GET /repos/octo/site/pages` and the like. */
  requests: string[];
  pages: GithubPagesState;
  /** Replaces the git server's mood. */
  mood: Mood;
  /** Returns true if it has answered in place of the API. */
  apiMood: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** The files of the branch, by path. */
  read(branch?: string): Promise<Map<string, string>>;
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
  const server = await startGitServer({ token: GITHUB_TOKEN });
  await server.git('config', 'uploadpack.allowFilter', 'true');
  const requests: string[] = [];
  const pages: GithubPagesState = {
    rights: 'write',
    site: undefined,
    pollsToBuild: 2,
    failure: undefined,
    isDeaf: false,
  };
  let build: Build | undefined;
  server.mood = (seen, req, res) => {
    if (!req.url?.startsWith('/octo/site.git/')) {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('Repository not found.');
      return 'handled';
    }
    req.url = req.url.replace('/octo/', '/');
    return github.mood(seen, req, res);
  };
  const api = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`);
    if (!github.apiMood(req, res)) void answer(req, res).catch((error: Error) => res.destroy(error));
  });
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));

  async function tipOf(branch: string): Promise<string | undefined> {
    return server.git('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).then(
      (text) => text.trim(),
      () => undefined,
    );
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const send = (status: number, body: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    };
    if (req.headers.authorization !== `Bearer ${GITHUB_TOKEN}`) return send(401, { message: 'Bad credentials' });
    if (!req.headers['user-agent']) return send(403, { message: 'Request forbidden by administrative rules' });
    const [, rest] = /^\/repos\/octo\/site\/pages(\/.*)?$/.exec(req.url ?? '') ?? [];
    if (!req.url?.startsWith('/repos/octo/site/pages')) return send(404, { message: 'Not Found' });
    const isWrite = req.method === 'POST';
    if (pages.rights === 'none' || (isWrite && pages.rights === 'read')) {
      return send(403, { message: 'Resource not accessible by personal access token' });
    }
    if (isWrite && !rest) return create(JSON.parse(Buffer.concat(chunks).toString()), send);
    if (!pages.site) return send(404, { message: 'Not Found' });
    const tip = await tipOf(pages.site.branch);
    if (tip && build?.commit !== tip && !pages.isDeaf) {
      build = { commit: tip, polls: 0, failure: pages.failure };
    }
    if (isWrite && rest === '/builds') {
      build = { commit: tip!, polls: 0, failure: pages.failure };
      return send(201, { url: `${req.url}/latest`, status: 'queued' });
    }
    if (req.method === 'GET' && !rest) return send(200, toSite());
    if (req.method === 'GET' && rest === '/builds/latest') {
      if (!build) return send(404, { message: 'Not Found' });
      build.polls++;
      return send(200, { status: statusOf(build), commit: build.commit, error: { message: build.failure ?? null } });
    }
    send(404, { message: 'Not Found' });
  }

  async function create(
    body: { build_type?: string; source?: { branch: string; path: string } },
    send: (status: number, body: unknown) => void,
  ): Promise<void> {
    if (pages.site) return send(409, { message: 'GitHub Pages is already enabled.' });
    const { source } = body;
    if (!source || !(await tipOf(source.branch))) {
      return send(422, { message: `The ${source?.branch} branch must exist before GitHub Pages can be built.` });
    }
    pages.site = { ...source, buildType: 'legacy', cname: null };
    send(201, toSite());
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

  const github: RecordedGithub = {
    server,
    url: server.origin,
    apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    requests,
    pages,
    mood: () => 'pass',
    apiMood: () => false,
    async read(branch = 'gh-pages') {
      const names = await git(server.repository, 'ls-tree', '-r', '-z', '--name-only', branch);
      const files = new Map<string, string>();
      for (const name of names.split('\0').filter(Boolean)) {
        files.set(name, await git(server.repository, 'show', `${branch}:${name}`));
      }
      return files;
    },
    async [Symbol.asyncDispose]() {
      api.closeAllConnections();
      await new Promise((closed) => api.close(closed));
      await server[Symbol.asyncDispose]();
    },
  };
  return github;
}
