// The backups of a site over HTTP.
import { Readable } from 'node:stream';
import type { Actor, Principal } from '../access/principal.ts';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { type Route, route } from '../http/route.ts';
import { conflict, forbidden } from '../lib/errors.ts';
import { BackupList, CreateBody, RestoreAnswer, RestoreBody, RestoreChanges } from './input.ts';
import type { Backups } from './service.ts';
import { Snapshot } from './snapshot.ts';

/** The part of a request's site that these routes need. */
export interface BackupSite {
  id: string;
  audit: Audit;
  backups: Backups;
}

export interface BackupRouteParts {
  toActor(principal: Principal): Actor;
  recordOnSite: RecordOnSite;
  /** The same, but a full disk does not stop the request. */
  recordUnlessFull: RecordOnSite;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

export function backupRoutes({ toActor, recordOnSite, recordUnlessFull }: BackupRouteParts): Route<BackupSite>[] {
  return [
    ...readRoutes(),
    route({
      method: 'post',
      path: '/api/admin/backups',
      summary: 'Back up the site now; answers when the backup is complete and on the disk',
      tag: 'Backups',
      allow: 'sites:write',
      body: CreateBody,
      bodyOptional: true,
      answers: {
        200: { description: 'The backup', schema: Snapshot },
        409: { description: 'The site has nothing to back up yet' },
      },
      async handle(call) {
        const { backups }: BackupSite = call.site;
        const { trigger } = await call.body();
        return { body: await backups.create(trigger, toActor(call.principal)) };
      },
    }),
    route<BackupSite>({
      method: 'get',
      path: '/api/admin/backups/{id}/archive',
      summary: 'A backup as one file: content with its history, media and `_data`; no users, no secrets',
      tag: 'Backups',
      allow: 'sites:write',
      answers: {
        200: { description: 'The archive', contentType: 'application/gzip' },
        404: { description: 'No such backup' },
        409: { description: 'It is not complete' },
        503: { description: 'Too many archives are being downloaded, or this one is damaged' },
      },
      async handle({ site, params, ctx, principal }) {
        const { id = '' } = params;
        if (site.backups.get(id).status !== 'complete') throw conflict(`backup "${id}" is not complete`);
        const answer = {
          type: 'application/gzip',
          headers: {
            'Content-Disposition': `attachment; filename="colophon-${site.id}-${id}.tar.gz"`,
            ...NO_STORE,
          },
        };
        if (ctx.method === 'HEAD') return { ...answer, body: Readable.from([]) };
        await recordUnlessFull({ site, principal }, 'backup.downloaded', [{ key: 'backup', before: null, after: id }]);
        const left = new AbortController();
        ctx.res.once('close', () => left.abort());
        return { ...answer, body: await site.backups.openArchive(id, left.signal) };
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/backups/{id}/restore',
      summary: 'Restore a backup: its tree becomes the newest commit; the current state is backed up first',
      tag: 'Backups',
      allow: 'sites:write',
      body: RestoreBody,
      bodyOptional: true,
      answers: {
        200: { description: 'The restored backup, and the new commit', schema: RestoreAnswer },
        403: { description: 'The token belongs to an agent' },
        404: { description: 'No such backup' },
        409: { description: 'It is not complete, or a restore is under way' },
      },
      async handle(call) {
        const site: BackupSite = call.site;
        const { id = '' } = call.params;
        const { principal, requestId } = call;
        // A restore brings back older values of locked fields, and removes newer locks.
        if (principal.isAgent) throw forbidden('an agent’s token cannot restore a backup; a person has to do it');
        site.backups.get(id);
        const { includeData } = await call.body();
        await recordOnSite({ site, principal }, 'backup.restored', [
          { key: 'backup', before: null, after: id },
          { key: 'includeData', before: null, after: includeData },
        ]);
        return { body: await site.backups.restore(id, { includeData, actor: toActor(principal), requestId }) };
      },
    }),
    route<BackupSite>({
      method: 'delete',
      path: '/api/admin/backups/{id}',
      summary: 'Remove a backup: its tag and its archive; the history keeps its commit',
      tag: 'Backups',
      allow: 'sites:write',
      answers: {
        200: { description: 'It is removed' },
        404: { description: 'No such backup' },
        409: { description: 'It is being made or restored' },
      },
      async handle({ site, params, principal }) {
        const { id = '' } = params;
        site.backups.get(id);
        await recordUnlessFull({ site, principal }, 'backup.removed', [{ key: 'backup', before: id, after: null }]);
        await site.backups.remove(id);
        return { body: { success: true } };
      },
    }),
  ];
}

function readRoutes(): Route<BackupSite>[] {
  return [
    route<BackupSite>({
      method: 'get',
      path: '/api/admin/backups',
      summary: 'Backups, newest first, whether one is being restored, and how the last restore ended',
      tag: 'Backups',
      allow: 'sites:read',
      answers: { 200: { description: 'The backups', schema: BackupList } },
      handle: ({ site: { backups } }) => ({
        headers: NO_STORE,
        body: {
          snapshots: backups.list(),
          restoring: backups.restoring() ?? null,
          lastRestore: backups.lastRestore() ?? null,
        },
      }),
    }),
    route<BackupSite>({
      method: 'get',
      path: '/api/admin/backups/{id}/changes',
      summary: 'What restoring a backup would add, change and remove now',
      tag: 'Backups',
      allow: 'sites:read',
      answers: {
        200: { description: 'How many documents and media files', schema: RestoreChanges },
        404: { description: 'No such backup' },
        409: { description: 'It is not complete' },
      },
      handle: async ({ site, params }) => ({ headers: NO_STORE, body: await site.backups.changes(params.id ?? '') }),
    }),
  ];
}
