// The state of a site's content repository for its operators, and the choice after a force-push.
import { z } from 'zod';
import type { Audit, RecordOnSite } from '../../audit/entry.ts';
import type { DataFolder } from '../../data/data-folder.ts';
import { type Route, route } from '../../http/route.ts';
import { findLastCheck, LastCheck } from '../verify/last-check.ts';
import { sizeOf } from './size.ts';

/** The parts of a request's site that these routes use. */
export interface RepositorySite {
  id: string;
  audit: Audit;
  store: { log: RepositoryLog; changeBranches: { list(): ShownBranch[] } };
  warnings: ReadonlyMap<string, string>;
  data: Pick<DataFolder, 'read'>;
  /** Absolute path of the content repository. */
  contentDir: string;
  stored: { read(): { bytes: number; quotaBytes: number | null } };
}

interface ShownBranch {
  name: string;
  oid: string;
  movedAt: Date | null;
  movedBy: { id: string | null; name: string; email: string } | null;
}

interface RepositoryLog {
  status(): {
    head: string | null;
    gitHead: string | null;
    unflushed: number;
    refusal: Error | undefined;
    moved: { ours: string; theirs: string | null } | undefined;
  };
  choose(keep: 'ours' | 'theirs', theirs: string | null | undefined): Promise<void>;
}

const Commit = z.string().nullable();

const Repository = z.object({
  head: Commit.meta({ description: 'newest acknowledged commit' }),
  branch: Commit.meta({ description: 'the commit of refs/heads/main when the service last read it' }),
  unflushed: z.int().meta({ description: 'acknowledged commits that the branch does not have yet' }),
  refusal: z.string().nullable().meta({ description: 'why writes are refused' }),
  moved: z.object({ ours: z.string(), theirs: Commit }).nullable().meta({
    description: 'the branch was moved to `theirs`, which does not contain `ours`: an operator has to choose a side',
  }),
  branches: z
    .array(
      z.object({
        name: z.string().meta({ description: '`changes/<name>`' }),
        oid: z.string().meta({ description: 'its commit' }),
        movedAt: z.string().nullable().meta({ description: 'ISO 8601: 30 days later the branch is removed' }),
        movedBy: z.object({ id: z.string().nullable(), name: z.string(), email: z.string() }).nullable().meta({
          description: 'who pushed it; `id` is null if a git program on the disk moved it',
        }),
      }),
    )
    .meta({ description: 'proposals that were pushed to branches `changes/<name>`, by name; 100 at most' }),
  warnings: z.array(z.object({ path: z.string(), problem: z.string() })),
  sizeBytes: z.int().meta({ description: 'of its files, without the bytes of media' }),
  stored: z
    .object({
      bytes: z.int().meta({ description: 'of all files of the site, media and builds too, as last measured' }),
      quotaBytes: z
        .int()
        .nullable()
        .meta({ description: 'the most that it may have (`CMS_SITE_QUOTA`); null for any' }),
    })
    .meta({ description: 'over the quota what stores bytes is 507 `quota_exceeded`; reading and deleting go on' }),
  checked: LastCheck.nullable().meta({ description: 'the result of the last `POST /api/admin/repository/verify`' }),
});

export const ResolveBody = z.strictObject({
  keep: z.enum(['ours', 'theirs']).meta({ description: 'the other side stays under refs/colophon/kept/' }),
  theirs: Commit.optional().meta({
    description: 'their commit as the person who chooses was shown it, null for none: another one there by now is 409',
  }),
});

export function repositoryRoutes(recordOnSite: RecordOnSite): Route<RepositorySite>[] {
  return [
    route<RepositorySite>({
      method: 'get',
      path: '/api/admin/repository',
      summary: "State of the site's content repository",
      tag: 'Repository',
      allow: 'sites:read',
      answers: { 200: { description: 'The state', schema: Repository } },
      handle: async ({ site }) => ({ headers: { 'Cache-Control': 'no-store' }, body: await toRepository(site) }),
    }),
    route({
      method: 'post',
      path: '/api/admin/repository/resolve',
      summary: 'Choose the side to continue from after the branch was moved away (a force-push)',
      tag: 'Repository',
      allow: 'sites:write',
      body: ResolveBody,
      answers: {
        200: { description: 'The state; writes are accepted again', schema: Repository },
        409: { description: 'The branch was not moved away, or moved again, or the side to keep does not exist' },
      },
      async handle(call) {
        const site: RepositorySite = call.site;
        const { keep, theirs } = await call.body();
        await recordOnSite({ site, principal: call.principal }, 'repository.resolve', [
          { key: 'keep', before: null, after: keep },
        ]);
        await site.store.log.choose(keep, theirs);
        return { body: await toRepository(site) };
      },
    }),
  ];
}

async function toRepository({
  store,
  warnings,
  data,
  contentDir,
  stored,
}: RepositorySite): Promise<z.output<typeof Repository>> {
  const { head, gitHead, unflushed, refusal, moved } = store.log.status();
  return {
    head,
    branch: gitHead,
    unflushed,
    refusal: refusal?.message ?? null,
    moved: moved ?? null,
    branches: store.changeBranches
      .list()
      .map(({ movedAt, ...branch }) => ({ ...branch, movedAt: movedAt?.toISOString() ?? null })),
    warnings: [...warnings].map(([path, problem]) => ({ path, problem })),
    sizeBytes: await sizeOf(contentDir),
    stored: stored.read(),
    checked: await findLastCheck(data),
  };
}
