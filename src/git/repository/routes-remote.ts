// The site's remote for its operators: its state, syncing now, and the choice after the remote was force-pushed.
import { z } from 'zod';
import type { Audit, RecordOnSite } from '../../audit/entry.ts';
import { type Route, route } from '../../http/route.ts';
import { notFound } from '../../lib/errors.ts';
import { ResolveBody } from './routes.ts';

/** The parts of a request's site that these routes use. */
export interface RemoteSite {
  id: string;
  audit: Audit;
  remote: SiteRemote | undefined;
}

interface SiteRemote {
  status(): z.output<typeof RemoteState>;
  sync(): Promise<void>;
  resolve(keep: 'ours' | 'theirs', theirs: string | null | undefined): Promise<void>;
}

const When = z.string().nullable();
const Commit = z.string().nullable();

const RemoteState = z.object({
  url: z.string(),
  branch: z.string(),
  push: z.boolean(),
  remoteHead: Commit.meta({ description: "the last known commit of the remote's branch" }),
  ahead: z.int().meta({ description: 'commits that are not pushed yet, as far as the service knows' }),
  behind: z.int().meta({ description: 'commits of the remote that the site does not have yet' }),
  lastFetchAt: When,
  lastPushAt: When,
  unpushedSince: When.meta({ description: 'since when changes wait to be pushed' }),
  lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
  failures: z.int().meta({ description: 'since the start of the service' }),
  moved: z.object({ seen: z.string(), theirs: Commit }).nullable().meta({
    description:
      'the remote was force-pushed to `theirs`, which does not contain `seen`: an operator has to choose a side',
  }),
  warnings: z.array(z.string()).meta({
    description: 'what an operator should know, as `/readyz` has it: bytes that the host lacks, a host without Git LFS',
  }),
});

export function remoteRoutes(recordOnSite: RecordOnSite): Route<RemoteSite>[] {
  return [
    route<RemoteSite>({
      method: 'get',
      path: '/api/admin/remote',
      summary: "State of the site's remote",
      tag: 'Repository',
      allow: 'sites:read',
      answers: {
        200: { description: 'The state', schema: RemoteState },
        404: { description: 'The site has no remote' },
      },
      handle: ({ site }) => ({ body: find(site).status() }),
    }),
    route<RemoteSite>({
      method: 'post',
      path: '/api/admin/remote/sync',
      summary: 'Fetch from the remote and push to it now',
      tag: 'Repository',
      allow: 'sites:write',
      answers: {
        200: { description: 'The state; the remote has every change written before the request', schema: RemoteState },
        404: { description: 'The site has no remote' },
        409: { description: 'The remote was force-pushed: choose a side first' },
        502: { description: 'The remote failed; the message says how' },
      },
      async handle({ site }) {
        const remote = find(site);
        await remote.sync();
        return { body: remote.status() };
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/remote/resolve',
      summary: 'Choose the side to continue from after the remote was force-pushed',
      tag: 'Repository',
      allow: 'sites:write',
      body: ResolveBody,
      answers: {
        200: { description: 'The state; syncing continues', schema: RemoteState },
        404: { description: 'The site has no remote' },
        409: { description: 'The remote was not force-pushed, or was moved again' },
        502: { description: 'The remote failed; the message says how' },
      },
      async handle(call) {
        const site = call.site as RemoteSite;
        const remote = find(site);
        const { keep, theirs } = await call.body();
        await recordOnSite({ site, principal: call.principal }, 'remote.resolve', [
          { key: 'keep', before: null, after: keep },
        ]);
        await remote.resolve(keep, theirs);
        return { body: remote.status() };
      },
    }),
  ];
}

function find(site: RemoteSite): SiteRemote {
  if (!site.remote) throw notFound(`remote of site "${site.id}"`);
  return site.remote;
}
