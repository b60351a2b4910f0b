// The backups of a site over HTTP.
import type { Actor, Principal } from '../access/principal.ts';
import { type Route, route } from '../http/route.ts';
import { BackupList, CreateBody } from './input.ts';
import type { Backups } from './service.ts';
import { Snapshot } from './snapshot.ts';

/** What these routes need of a request's site. */
export interface BackupSite {
  backups: Backups;
}

export function backupRoutes(toActor: (principal: Principal) => Actor): Route<BackupSite>[] {
  return [
    route<BackupSite>({
      method: 'get',
      path: '/api/admin/backups',
      summary: 'Backups, newest first',
      tag: 'Backups',
      allow: 'sites:read',
      answers: { 200: { description: 'The backup manifest', schema: BackupList } },
      handle: ({ site }) => ({ body: { snapshots: site.backups.list() } }),
    }),
    route({
      method: 'post',
      path: '/api/admin/backups',
      summary: 'Back the site up now; answers when the backup is complete and on the disk',
      tag: 'Backups',
      allow: 'sites:write',
      body: CreateBody,
      bodyOptional: true,
      answers: {
        200: { description: 'The backup', schema: Snapshot },
        409: { description: 'The site has nothing to back up yet' },
      },
      async handle(call) {
        const { backups } = call.site as BackupSite;
        const { trigger } = await call.body();
        return { body: await backups.create(trigger, toActor(call.principal)) };
      },
    }),
    route<BackupSite>({
      method: 'delete',
      path: '/api/admin/backups/{id}',
      summary: 'Remove a backup: its tag and its archive; the history keeps its commit',
      tag: 'Backups',
      allow: 'sites:write',
      answers: {
        200: { description: 'It is gone' },
        404: { description: 'There is no such backup' },
        409: { description: 'It is being made, or put back' },
      },
      async handle({ site, params }) {
        await site.backups.remove(params.id!);
        return { body: { success: true } };
      },
    }),
  ];
}
