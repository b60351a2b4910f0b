// Settings and audit over HTTP.
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Principal } from '../access/principal.ts';
import { type Audit, type AuditActor, AuditEntry, type RecordOnSite } from '../audit/entry.ts';
import { type Route, route } from '../http/route.ts';
import { Account, accountNow, type FindAccount } from '../lib/account.ts';
import type { Problem } from '../lib/errors.ts';
import { Limit, Offset } from '../lib/query.ts';
import { SettingsPatch } from './input.ts';
import type { Settings } from './settings.ts';
import { SettingsShape, toSettingsShape } from './shape.ts';
import { idleSettings, ShownSettings, toShown } from './shown.ts';

/** The part of a request's site that these routes need. */
export interface SettingsSite {
  id: string;
  settings: Settings;
  audit: Audit;
  /** Absolute path of the content repository. */
  contentDir: string;
  deploys: { missingSettings(): Promise<Problem[]> };
}

const AnswerShape = ShownSettings.extend({
  resolvedContentDir: z.string().meta({ description: 'path of the content repository on the server' }),
  problems: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .meta({ description: 'settings that have no effect as they are, and what is missing' }),
});
const UpdatedShape = AnswerShape.extend({
  generated: z.record(z.string(), z.string()).optional().meta({
    description: 'secrets that were made, by dotted path; shown only once',
  }),
  warnings: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'stored secrets that are gone, because what they act on has changed' }),
});
/** The audit is bounded, but a whole one is still too large for one answer. */
const MAX_AUDIT = 500;
const AuditQuery = z.object({
  limit: Limit.transform((limit) => Math.min(limit, MAX_AUDIT)).default(50),
  offset: Offset.default(0),
  user: z.string().max(100).optional().meta({ description: 'the id of the user who acted' }),
  action: z
    .string()
    .regex(/^[a-z]+\.[a-z_-]*$/, 'must be an action, or its first word and the point')
    .optional()
    .meta({ description: '`settings.updated`, or `settings.` for all of that kind' }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'not before this moment' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'before this moment' }),
  format: z
    .enum(['json', 'jsonl'])
    .default('json')
    .meta({ description: '`jsonl`: all entries, without pages and filters' }),
});
const JSON_LINES = 'application/x-ndjson';
const NO_STORE = { 'Cache-Control': 'no-store' };
const AuditShape = z.object({
  entries: z.array(AuditEntry.extend({ user: Account })),
  total: z.int(),
});

export interface SettingsRouteParts {
  toAuditActor(principal: Principal): AuditActor;
  findAccount: FindAccount;
  /** For actions that a full disk does not stop. */
  recordUnlessFull: RecordOnSite;
}

export function settingsRoutes({
  toAuditActor,
  findAccount,
  recordUnlessFull,
}: SettingsRouteParts): Route<SettingsSite>[] {
  /** Adds the current account; the entry itself has the name at that time. */
  const withAccount = (entry: AuditEntry) => ({ ...entry, user: accountNow(findAccount, entry.actor.id ?? undefined) });

  return [
    route<SettingsSite>({
      method: 'get',
      path: '/api/admin/site-config',
      summary: 'The settings of the site',
      tag: 'Settings',
      allow: 'org:settings:read',
      answers: { 200: { description: 'All settings; secrets only as set or not', schema: AnswerShape } },
      handle: async ({ site }) => ({ ...noStore(site), body: await show(site) }),
    }),
    route<SettingsSite>({
      method: 'get',
      path: '/api/admin/site-config/shape',
      summary: 'The shape of the settings: their sections, names, schemas and defaults',
      tag: 'Settings',
      allow: 'org:settings:read',
      answers: { 200: { description: 'What a form for the settings consists of', schema: SettingsShape } },
      handle: ({ site }) => ({ headers: NO_STORE, body: toSettingsShape(site.settings.fixed()) }),
    }),
    route<SettingsSite>({
      method: 'post',
      path: '/api/admin/site-config',
      summary: 'Change settings of the site',
      tag: 'Settings',
      // Only admins have this permission, and their tokens.
      allow: 'org:settings:write',
      headers: ['If-Match'],
      repeatable: true,
      // Made on demand: a start does not need the API's description.
      get consumes() {
        return { 'application/json': toDescription(SettingsPatch) };
      },
      answers: {
        200: { description: 'The settings after the change', schema: UpdatedShape },
        400: { description: 'Nothing has changed; `details` names every wrong key' },
        412: { description: 'The settings have changed since they were read' },
      },
      async handle(call) {
        const { site, principal } = call;
        const options = { ifRevision: toRevision(call.header('If-Match')) };
        const { generated, forgotten } = await site.settings.update(
          await call.body(),
          toAuditActor(principal),
          options,
        );
        const made = Object.keys(generated).length > 0 ? { generated } : {};
        return { ...noStore(site), body: { ...(await show(site)), ...made, ...warningsOf(forgotten) } };
      },
    }),
    route({
      method: 'get',
      path: '/api/admin/audit',
      summary: 'Who changed what: settings, users, access tokens, sites; who signed in, pushed, exported or deleted',
      tag: 'Settings',
      allow: 'org:settings:read',
      query: AuditQuery,
      answers: {
        200: {
          description:
            'Newest first. Entries about users and their sign-ins need `team:manage`; entries about the whole ' +
            'service need it for every site. With `format=jsonl` all entries, oldest first',
          schema: AuditShape,
          alternatives: [JSON_LINES],
        },
      },
      async handle(call) {
        const { audit, id } = call.site as SettingsSite;
        const { principal } = call;
        const withTeam = principal.permissions.has('team:manage');
        const scope = { sites: withTeam && principal.allSites === true ? [null, id] : [id], withTeam };
        const { format, from, to, ...rest } = call.query();
        const page = { ...rest, fromMs: toMs(from), toMs: toMs(to) };
        if (format === 'json') {
          const { entries, total } = await audit.list(scope, page);
          return { headers: NO_STORE, body: { entries: entries.map(withAccount), total } };
        }
        const answer = {
          type: `${JSON_LINES}; charset=utf-8`,
          headers: { ...NO_STORE, 'Content-Disposition': `attachment; filename="audit-${id}.jsonl"` },
        };
        if (call.ctx.method === 'HEAD') return { ...answer, body: Readable.from([]) };
        await recordUnlessFull({ site: call.site as SettingsSite, principal }, 'audit.exported', []);
        return { ...answer, body: Readable.from(audit.stream(scope), { objectMode: false }) };
      },
    }) as Route<SettingsSite>,
  ];
}

function toMs(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at);
}

async function show({ settings, contentDir, deploys }: SettingsSite): Promise<object> {
  const current = settings.read();
  const problems = [...idleSettings(current), ...(await deploys.missingSettings())];
  return { ...toShown(current), resolvedContentDir: contentDir, problems };
}

function warningsOf(forgotten: Readonly<Record<string, string[]>>): { warnings?: Problem[] } {
  const warnings = Object.entries(forgotten).map(([path, settings]) => ({
    path,
    message: `was forgotten, because ${settings.join(', ')} changed; send it again`,
  }));
  return warnings.length > 0 ? { warnings } : {};
}

function noStore({ settings }: SettingsSite): { headers: Record<string, string>; etag: string } {
  return { headers: { 'Cache-Control': 'no-store' }, etag: `"settings-${settings.revision()}"` };
}

/** Returns undefined without a condition; `*` always holds, because settings always exist. */
function toRevision(ifMatch: string): string | undefined {
  if (ifMatch === '' || ifMatch.trim() === '*') return undefined;
  return /^"settings-(.*)"$/.exec(ifMatch.trim())?.[1] ?? ifMatch;
}

function toDescription(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...description } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return description;
}
