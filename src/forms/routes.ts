// The public routes of forms: a form's schema, and accepting submissions. Decides which pages of other origins may read
// the answers; sending is open to every origin, because browsers send the form of any page.
import { z } from 'zod';
import type { FormConfig } from '../config/form-config.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { notFound, ServiceError } from '../lib/errors.ts';
import type { Settings } from '../settings/settings.ts';
import type { SentFields } from './check-fields.ts';
import { FormSchemaShape } from './form-schema.ts';
import { type FormPage, renderFormPage, renderRefusalPage, renderSentPage, toBackLink } from './pages.ts';
import { parseMultipart, parseUrlencoded } from './sent-body.ts';
import type { FormsService } from './service.ts';

/** What these routes need of a request's site. */
export interface FormsSite {
  config: {
    defaultLocale?: string | undefined;
    api?: { cors?: '*' | readonly string[] | undefined } | undefined;
  };
  forms: FormsService;
  settings: Pick<Settings, 'read'>;
}

/** interface.md, "Limits": the ports of local development. */
const LOCAL = ['localhost', '127.0.0.1'].flatMap((host) => [3000, 3009, 3011].map((port) => `http://${host}:${port}`));

/** Whether a page of that origin may read the answers of the public form routes. */
export function createFriends(isProduction: boolean): (site: FormsSite, origin: string) => boolean {
  const local = new Set(isProduction ? [] : LOCAL);
  return (site, origin) => {
    if (local.has(origin)) return true;
    // "*" shares what the site shows; who may send its forms is listed by name.
    const listed = site.config.api?.cors;
    if (Array.isArray(listed) && listed.includes(origin)) return true;
    const preview = URL.parse(site.settings.read().previewSiteUrl);
    return preview !== null && preview.origin === origin;
  };
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const HTML = 'text/html; charset=utf-8';

const AcceptedForm = z.object({ ok: z.literal(true), message: z.string(), id: z.string() }).meta({ id: 'FormTaken' });

const anyFields = (description: string) => ({ type: 'object', description, additionalProperties: true });

export function formRoutes(isFriend: (site: FormsSite, origin: string) => boolean): Route<FormsSite>[] {
  type FormCall = Call<FormsSite, unknown, unknown>;

  function backLink({ ctx, site }: FormCall): string | undefined {
    return toBackLink(ctx.get('Referer'), (origin) => URL.parse(origin)?.host === ctx.host || isFriend(site, origin));
  }

  function submit(call: FormCall, form: FormConfig, sent: SentFields): ReturnType<FormsService['submit']> {
    return call.site.forms.submit(form, sent, { ip: call.ip, userAgent: call.header('user-agent') });
  }

  /** A browser that sends a form without a script shows the answer, so it gets a page. */
  async function answerPage(call: FormCall, form: FormConfig): Promise<Answer> {
    const { site } = call;
    const shown = { lang: site.config.defaultLocale, back: backLink(call) };
    let sent: SentFields | undefined;
    try {
      sent = await readSent(call, form);
      const { message } = await submit(call, form, sent);
      if (form.successRedirect) return { status: 303, headers: { Location: form.successRedirect } };
      return toAnswer(200, renderSentPage(form, { ...shown, message }));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'internal') throw error;
      const refused = { error: error.message, details: error.details };
      const page = sent
        ? renderFormPage(form, {
            ...shown,
            refused,
            values: sent.values,
            turnstileKey: site.forms.challengeKey(form),
          })
        : renderRefusalPage({ ...shown, error: refused.error });
      return toAnswer(error.status, page, error.headers);
    }
  }

  return [
    route<FormsSite>({
      method: 'post',
      path: '/api/forms/{name}',
      summary: 'Send a form; a browser that sends it without a script (Accept: text/html) gets a page as the answer',
      tag: 'Forms',
      allow: 'public',
      logsAddress: false,
      missing: ({ name = '' }) => notFound(`form "${name}"`),
      has: ({ forms }, { name = '' }) => forms.find(name) !== undefined,
      cors: isFriend,
      consumes: {
        'application/json': anyFields('values by field name'),
        [FORM_TYPE]: anyFields('values by field name, as an HTML form sends them'),
        [MULTIPART]: anyFields('the same, as FormData sends it; without files'),
      },
      answers: {
        200: {
          description: 'It was accepted, or fell into the honeypot',
          schema: AcceptedForm,
          alternatives: ['text/html'],
        },
        303: { description: 'It was accepted from an HTML form; redirects to the form’s `successRedirect`' },
        400: { description: 'Fields are invalid (each is in `details`), or the challenge was not solved' },
        404: { description: 'No such form' },
        413: { description: 'It is too large' },
        415: { description: 'The body is neither JSON nor of an HTML form' },
        429: { description: 'The address has used up its submissions of this hour' },
        502: { description: 'The challenge cannot be verified' },
      },
      async handle(call) {
        const form = call.site.forms.get(call.params.name ?? '');
        if ((isType(call, FORM_TYPE) || isType(call, MULTIPART)) && /\btext\/html\b/i.test(call.header('accept')))
          return answerPage(call, form);
        const { id, message } = await submit(call, form, await readSent(call, form));
        return { body: { ok: true, message, id } };
      },
    }),
    route<FormsSite>({
      method: 'get',
      path: '/api/forms/{name}/schema',
      summary: 'The schema of a form',
      tag: 'Forms',
      allow: 'public',
      missing: ({ name = '' }) => notFound(`form "${name}"`),
      has: ({ forms }, { name = '' }) => forms.find(name) !== undefined,
      cors: isFriend,
      answers: { 200: { description: 'Its fields', schema: FormSchemaShape }, 404: { description: 'No such form' } },
      handle: ({ site, params }) => ({ body: site.forms.schema(site.forms.get(params.name ?? '')) }),
    }),
  ];
}

/** What the headers and the address already refuse is refused before the body is read. */
async function readSent(call: Call<FormsSite, unknown, unknown>, form: FormConfig): Promise<SentFields> {
  await call.site.forms.admit(form, call.ip);
  if (isType(call, FORM_TYPE)) {
    const charset = /;\s*charset="?([^";\s]+)/i.exec(call.header('content-type'))?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw unsupported(`charset "${charset}"`);
    return parseUrlencoded(await call.bytes());
  }
  if (isType(call, MULTIPART)) return parseMultipart(await call.bytes(), call.header('content-type'));
  if (!isType(call, 'application/json')) throw unsupported(call.header('content-type') || 'a body without a type');
  return { values: (await call.body()) as Record<string, unknown>, repeated: new Set() };
}

function isType(call: Pick<Call<FormsSite, unknown, unknown>, 'header'>, type: string): boolean {
  return call.header('content-type').split(';')[0]!.trim().toLowerCase() === type;
}

function unsupported(what: string): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    `${what} is not supported; send application/json, ${FORM_TYPE} or ${MULTIPART}`,
  );
}

function toAnswer(status: number, { html, headers }: FormPage, more: Record<string, string> = {}) {
  return { status, type: HTML, headers: { ...headers, ...more }, body: html };
}
