// How a site is doing, for the people who work on it: each part for those who may read what it is about.
import { z } from 'zod';
import type { Permission, SiteRef } from '../../access/principal.ts';
import { type Route, route } from '../route.ts';
import { gatherReadiness, type ReadableSite, RemoteLagSchema } from './readiness.ts';

/** The part of a request's site that is reported. */
export interface StatusSite extends SiteRef, ReadableSite {
  view: { readonly size: number };
  media: { count(): number };
  outbox: { counts(): { topic: string; pending: number; failed: number }[] };
  deploys: {
    hasProvider(): boolean;
    figures(): {
      counts: Partial<Record<'queued' | 'building' | 'uploading', number>>;
      last: { isSuccess: boolean; durationMs: number; endedAt: string } | undefined;
    };
  };
}

export interface StatusPorts {
  version: string;
  /** Warnings about the whole service. */
  warnings(): readonly string[];
  /** What keeps the whole service from serving. */
  problem(): string | undefined;
  disk(): Promise<{ freeBytes: number; totalBytes: number }>;
  now(): Date;
}

const Count = z.int().min(0);
const OF_ADMINS = 'for admins';

const StatusSchema = z
  .object({
    ready: z.boolean(),
    refusal: z.string().nullable().meta({ description: 'why changes are refused now' }),
    version: z.string(),
    index: z.object({ documents: Count, media: Count, commit: z.string().nullable() }),
    problems: z
      .array(z.string())
      .optional()
      .meta({ description: `${OF_ADMINS}: what keeps the site from serving` }),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: `${OF_ADMINS}: harmless, but worth a look` }),
    queue: z
      .array(z.object({ topic: z.string(), pending: Count, failed: Count }))
      .optional()
      .meta({ description: `${OF_ADMINS}: what waits to be sent, and what recently failed for good` }),
    remote: RemoteLagSchema.omit({ site: true })
      .nullable()
      .optional()
      .meta({ description: `${OF_ADMINS}: null without a remote` }),
    disk: z.object({ freeBytes: Count, totalBytes: Count }).optional().meta({ description: OF_ADMINS }),
    deploy: z
      .object({
        configured: z.boolean(),
        running: Count.meta({ description: 'queued ones too' }),
        last: z.object({ success: z.boolean(), durationMs: Count, endedAt: z.iso.datetime() }).nullable(),
      })
      .optional()
      .meta({ description: 'with deploy:read' }),
  })
  .meta({ id: 'SiteStatus' });

export function statusRoutes(ports: StatusPorts): Route<StatusSite>[] {
  return [
    route<StatusSite>({
      method: 'get',
      path: '/api/admin/status',
      summary: 'How the site is doing, by right',
      tag: 'Admin',
      allow: 'content:read',
      answers: { 200: { description: 'The parts that the caller may see', schema: StatusSchema } },
      async handle({ site, principal }) {
        const may = (permission: Permission): boolean => principal.permissions.has(permission);
        const body = {
          ...toState(site, ports, principal.allSites === true),
          disk: may('sites:read') ? await ports.disk() : undefined,
          deploy: may('deploy:read') ? toDeploy(site) : undefined,
        };
        const { problems, warnings, queue, remote, ...open } = body;
        const shown = may('sites:read') ? { ...open, problems, warnings, queue, remote } : open;
        return { headers: { 'Cache-Control': 'no-store' }, body: shown };
      },
    }),
  ];
}

/** Who is limited to sites sees no notes about the whole service. */
function toState(site: StatusSite, { version, warnings, problem, now }: StatusPorts, isOfAllSites: boolean) {
  const { id, org } = site;
  const readiness = gatherReadiness([{ id, org, site }], isOfAllSites ? warnings() : [], now());
  const lost = problem();
  const unlisted = readiness.unlisted.map(({ count }) => `and ${count} more`);
  const textsOf = (notes: readonly { text: string }[]): string[] => notes.map(({ text }) => text);
  return {
    ready: readiness.problems.length === 0 && lost === undefined,
    refusal: site.store.log.status().refusal?.message ?? null,
    version,
    index: { documents: site.view.size, media: site.media.count(), commit: site.store.log.status().head ?? null },
    problems: [...textsOf(readiness.problems), ...(lost !== undefined && isOfAllSites ? [lost] : [])],
    warnings: [...textsOf(readiness.warnings), ...unlisted],
    queue: site.outbox.counts(),
    remote: readiness.remotes[0]?.lag ?? null,
  };
}

function toDeploy({ deploys }: Pick<StatusSite, 'deploys'>) {
  const { counts, last } = deploys.figures();
  const { queued = 0, building = 0, uploading = 0 } = counts;
  return {
    configured: deploys.hasProvider(),
    running: queued + building + uploading,
    last: last ? { success: last.isSuccess, durationMs: last.durationMs, endedAt: last.endedAt } : null,
  };
}
