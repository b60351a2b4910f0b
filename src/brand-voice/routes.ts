// The brand voice over HTTP: for people in a browser, to read for editors, to write for admins.
import { z } from 'zod';
import type { Role } from '../access/principal.ts';
import type { Ai, AiPayer } from '../ai/ai.ts';
import { toVersionMatch } from '../http/conditional.ts';
import { openEventStream } from '../http/event-stream.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { forbidden, lacksPermission } from '../lib/errors.ts';
import { InterviewBody, READERS, ReadQuery, TranslateVoiceBody, VersionChange } from './input.ts';
import { VoiceRecord, VoiceVersion } from './record.ts';
import { interviewEvents } from './routes-interview.ts';
import type { BrandVoice } from './service.ts';
import type { TaggedVersion, VoiceAuthor } from './versions.ts';

/** The part of a request's site that these routes need. */
export interface BrandVoiceSite {
  brandVoice: BrandVoice;
  ai: Ai;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

type VoiceCall = Call<BrandVoiceSite, unknown, unknown>;

export interface BrandVoiceRouteParts {
  /** Whether the caller's session still holds, and its role is one of these. */
  isStillSignedIn(call: VoiceCall, roles: readonly Role[]): boolean;
}

const TAG = 'Brand voice';
const PATH = '/api/cms/brand-voice';
const NO_STORE = { 'Cache-Control': 'no-store' };
const EVENTS = 'text/event-stream';
const WRITERS: readonly Role[] = ['admin'];

const Translated = z
  .object({
    ...VoiceRecord.shape,
    locale: z.string(),
    versionId: z.string(),
    translatedAt: z.string(),
    model: z.string().nullable(),
  })
  .meta({ id: 'BrandVoiceTranslation' });
const Versions = z.object({ versions: z.array(VoiceVersion), activeId: z.string().nullable() });
const NONE = { description: 'No voice is saved' };
const PROVIDER = {
  402: { description: 'The budget of the day is used up; `Retry-After` says when it begins anew' },
  502: { description: 'The provider refused, is busy, or its answer does not fit' },
  503: { description: 'No provider is set up' },
};
const FORBIDDEN = { 403: { description: 'The role does not permit it' } };

export function brandVoiceRoutes({ isStillSignedIn }: BrandVoiceRouteParts): Route<BrandVoiceSite>[] {
  return [readRoute(), saveRoute(), interviewRoute(isStillSignedIn), translateRoute(), versionRoute()];
}

function readRoute(): Route<BrandVoiceSite> {
  return route<BrandVoiceSite, typeof ReadQuery>({
    method: 'get',
    path: PATH,
    summary: 'The active brand voice, its translation into a locale, or with `versions=1` all versions',
    tag: TAG,
    allow: 'session',
    query: ReadQuery,
    answers: {
      200: { description: 'The voice', schema: z.union([VoiceVersion, Translated, Versions]) },
      400: { description: 'Not a language tag' },
      404: NONE,
      ...FORBIDDEN,
      ...PROVIDER,
    },
    async handle(call) {
      checkRole(call, READERS);
      const { brandVoice } = call.site;
      const { versions, locale } = call.query();
      if (versions === '1') {
        const { etag, ...all } = await brandVoice.versions();
        return { headers: NO_STORE, etag, body: all };
      }
      if (locale === undefined) return toAnswer(await brandVoice.get());
      return { headers: NO_STORE, body: shown(await brandVoice.inLocale(locale, payerOf(call))) };
    },
  });
}

function saveRoute(): Route<BrandVoiceSite> {
  return route<BrandVoiceSite, z.ZodType<unknown>, typeof VoiceRecord>({
    method: 'post',
    path: PATH,
    summary: 'Save a new version of the brand voice, active at once; `If-Match` is of all versions',
    tag: TAG,
    headers: ['If-Match'],
    allow: 'session',
    body: VoiceRecord,
    answers: {
      200: { description: 'The new version', schema: VoiceVersion },
      400: BAD_RECORD,
      412: MOVED,
      ...FORBIDDEN,
    },
    async handle(call) {
      checkRole(call, WRITERS);
      const record = await call.body();
      return toAnswer(await call.site.brandVoice.save(record, authorOf(call), toVersionMatch(call.header('If-Match'))));
    },
  });
}

const MOVED = { description: 'Another version was saved, edited or activated since; `ETag` is the present state' };
const BAD_RECORD = { description: 'Not a record, or one that says nothing about a voice' };

function interviewRoute(isStillSignedIn: BrandVoiceRouteParts['isStillSignedIn']): Route<BrandVoiceSite> {
  return route<BrandVoiceSite, z.ZodType<unknown>, typeof InterviewBody>({
    method: 'post',
    path: `${PATH}/chat`,
    summary: 'A step of the guided interview; the last one saves a version',
    tag: TAG,
    allow: 'session',
    body: InterviewBody,
    answers: {
      200: {
        description:
          'Events `text {text}`, `saved {version}` after the last step, `error {message, code}`, `done {usage}`',
        contentType: EVENTS,
      },
      400: { description: 'Messages that do not fit' },
      409: { description: 'The first request with this Idempotency-Key is still being answered' },
      ...FORBIDDEN,
      402: PROVIDER[402],
      503: PROVIDER[503],
    },
    async handle(call) {
      checkRole(call, WRITERS);
      const { site } = call;
      const { messages } = await call.body();
      site.ai.checkReady();
      const mayGoOn = (): boolean => isStillSignedIn(call, WRITERS);
      const body = await openEventStream(interviewEvents({ ...site, messages, author: authorOf(call), mayGoOn }), {
        stop: site.closing,
        mayGoOn,
      });
      return { type: EVENTS, body };
    },
  });
}

function translateRoute(): Route<BrandVoiceSite> {
  return route<BrandVoiceSite, z.ZodType<unknown>, typeof TranslateVoiceBody>({
    method: 'post',
    path: `${PATH}/translate`,
    summary: 'Translate the brand voice into a locale anew',
    tag: TAG,
    allow: 'session',
    body: TranslateVoiceBody,
    answers: {
      200: { description: 'The translation', schema: Translated },
      400: { description: 'Not a language tag' },
      404: NONE,
      409: { description: 'The voice is in this language already' },
      ...FORBIDDEN,
      ...PROVIDER,
    },
    async handle(call) {
      checkRole(call, WRITERS);
      const { locale } = await call.body();
      return { headers: NO_STORE, body: shown(await call.site.brandVoice.translate(locale, payerOf(call))) };
    },
  });
}

function versionRoute(): Route<BrandVoiceSite> {
  return route<BrandVoiceSite, z.ZodType<unknown>, typeof VersionChange>({
    method: 'patch',
    path: `${PATH}/versions/{id}`,
    summary: 'Activate a version, or edit some of its fields; `If-Match` is of all versions',
    tag: TAG,
    headers: ['If-Match'],
    allow: 'session',
    body: VersionChange,
    answers: {
      200: { description: 'The version', schema: VoiceVersion },
      400: BAD_RECORD,
      404: { description: 'No such version' },
      412: MOVED,
      ...FORBIDDEN,
    },
    async handle(call) {
      checkRole(call, WRITERS);
      const { brandVoice } = call.site;
      const { id = '' } = call.params;
      await brandVoice.version(id);
      const { action, ...fields } = await call.body();
      const ifMatch = toVersionMatch(call.header('If-Match'));
      const isActivation = action === 'activate';
      return toAnswer(await (isActivation ? brandVoice.activate(id, ifMatch) : brandVoice.edit(id, fields, ifMatch)));
    },
  });
}

function toAnswer({ version, etag }: TaggedVersion): Answer {
  return { headers: NO_STORE, etag, body: version };
}

/** @throws ServiceError 403 */
function checkRole({ principal }: Pick<VoiceCall, 'principal'>, roles: readonly Role[]): void {
  if (principal.heldBack !== undefined) throw lacksPermission(principal, 'brand voice');
  if (principal.role === null || !roles.includes(principal.role)) {
    throw forbidden(`the role must be ${roles.join(' or ')}`);
  }
}

function payerOf({ principal }: Pick<VoiceCall, 'principal'>): AiPayer {
  return { userId: principal.userId };
}

function authorOf({ principal }: Pick<VoiceCall, 'principal'>): VoiceAuthor {
  return { id: principal.userId, name: principal.name || principal.email };
}

/** A translation is shown as flat as the voice itself. */
function shown(found: Awaited<ReturnType<BrandVoice['inLocale']>>): object {
  if (!('record' in found)) return found;
  const { record, ...about } = found;
  return { ...record, ...about };
}
