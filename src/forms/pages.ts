// Forms as pages that work without JavaScript: the form, the confirmation, and the form with its problems, where it
// shows again what was typed. A page contains its own style, and a policy under which nothing else runs.
import { hash } from 'node:crypto';
import type { FormConfig, FormFieldConfig } from '../config/form-config.ts';
import type { Problem } from '../lib/errors.ts';
import { attributes, html, type Markup } from '../lib/text/markup.ts';

export interface FormPage {
  html: string;
  /** Headers of the answer; a page that is built into a site is used without them. */
  headers: Record<string, string>;
}

interface PageOptions {
  /** The language of the site. */
  lang?: string | undefined;
  /** The page that the visitor came from, already checked (`toBackLink`). */
  back?: string | undefined;
}

export interface FormPageOptions extends PageOptions {
  /** The address that the form is sent to; the page's own if absent. */
  action?: string | undefined;
  /** What the visitor typed before, by field; untrusted. */
  values?: Readonly<Record<string, unknown>> | undefined;
  /** Why that was refused: a sentence, or problems of fields. */
  refused?: { error: string; details?: readonly Problem[] | undefined } | undefined;
  /** The site key of the form's challenge; if absent or empty, the page shows no challenge. */
  turnstileKey?: string | undefined;
}

const CHALLENGES = 'https://challenges.cloudflare.com';

const STYLE = `
:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{max-width:40rem;margin:0 auto;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}
p,form{margin:0 0 1rem}
label,.error{display:block}
.error,.problems{font-weight:bold}
.problems{border:.2rem solid;padding:1rem;margin:0 0 1rem}
.problems p,.problems ul{margin:0}
input,select,textarea,button{font:inherit}
input,select,textarea{box-sizing:border-box;width:100%;padding:.4rem}
[type=checkbox]{width:auto}
[type=checkbox]+label{display:inline}
button{padding:.4rem 1.2rem}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`;
const STYLE_HASH = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

/** The form, either empty or as it was sent and refused. */
export function renderFormPage(form: FormConfig, options: FormPageOptions = {}): FormPage {
  const { action, refused, turnstileKey, back } = options;
  const label = form.label ?? form.name;
  const body = html`<main>
<h1>${label}</h1>
${refused && renderProblems(form, refused)}${renderForm(form, options)}${renderBack(back)}</main>`;
  const title = refused ? `Not sent: ${label}` : label;
  return toPage(title, body, options, { targets: targetsOf(form, action), challenges: Boolean(turnstileKey) });
}

/** The form itself, as any page may have it. */
export function renderForm(form: FormConfig, options: FormPageOptions): Markup {
  const { action, values = {}, refused, turnstileKey } = options;
  const details = refused?.details ?? [];
  const problemOf = (name: string): string =>
    details.flatMap(({ path, message }) => (path === name ? message : [])).join(', ');
  return html`<form method="post"${attributes({ action })}>
${form.fields.map((field) => renderField(field, values[field.name] ?? field.defaultValue, problemOf(field.name)))}${
  form.spam.honeypot &&
  html`<div class="trap" hidden aria-hidden="true"><input name="_hp_email" tabindex="-1" autocomplete="off"></div>\n`
}${form.fields.some(isMarkedRequired) && html`<p>* required</p>\n`}${
  turnstileKey &&
  html`<div class="cf-turnstile" data-sitekey="${turnstileKey}"></div>
<noscript><p>This form is checked for robots, which needs JavaScript.</p></noscript>
<script src="${CHALLENGES}/turnstile/v0/api.js" async defer></script>\n`
}<button>Send</button>
</form>
`;
}

/** The confirmation that a form was accepted. */
export function renderSentPage(form: FormConfig, { message, ...options }: PageOptions & { message: string }): FormPage {
  const body = html`<main>
<h1>${form.label ?? form.name}</h1>
<p role="status">${message}</p>
${renderBack(options.back)}</main>`;
  return toPage(form.label ?? form.name, body, options);
}

/** A refusal with no form to show: no such form, too large, too many. */
export function renderRefusalPage({ error, ...options }: PageOptions & { error: string }): FormPage {
  const body = html`<main>
<h1>This was not sent</h1>
<p role="alert">${error}</p>
${renderBack(options.back)}</main>`;
  return toPage('This was not sent', body, options);
}

/**
 * The address for the link back, from a Referer: only of our own origin or one that may use the forms, and without its
 * query, which may contain what was typed. Undefined for anything else.
 */
export function toBackLink(referer: string, isFriend: (origin: string) => boolean): string | undefined {
  if (!URL.canParse(referer)) return undefined;
  const { protocol, origin, pathname, username } = new URL(referer);
  if (!/^https?:$/.test(protocol) || username !== '' || !isFriend(origin)) return undefined;
  return origin + pathname;
}

function renderBack(back: string | undefined): Markup | undefined {
  return back === undefined ? undefined : html`<p><a href="${back}">Back to the page you came from</a></p>\n`;
}

function renderProblems(form: FormConfig, { error, details = [] }: NonNullable<FormPageOptions['refused']>): Markup {
  const shown = details.length > 0 ? details : [{ path: '', message: error }];
  return html`<div class="problems" role="alert">
<p>This was not sent:</p>
<ul>
${shown.map(({ path, message }) => {
  const field = form.fields.find(({ name }) => name === path);
  if (!field) return html`<li>${path === '' ? message : `${path}: ${message}`}</li>\n`;
  return html`<li><a href="#${encodeURIComponent(idOf(field))}">${field.label ?? field.name}</a>: ${message}</li>\n`;
})}</ul>
</div>
`;
}

function idOf({ name }: FormFieldConfig): string {
  return `field-${name}`;
}

function isMarkedRequired({ required, type }: FormFieldConfig): boolean {
  return required === true && type !== 'hidden';
}

const INPUT_TYPES: Partial<Record<FormFieldConfig['type'], string>> = { phone: 'tel' };
const AUTOCOMPLETE: Partial<Record<FormFieldConfig['type'], string>> = { email: 'email', phone: 'tel', url: 'url' };

function renderField(field: FormFieldConfig, value: unknown, problem: string): Markup {
  const id = idOf(field);
  if (field.type === 'hidden') {
    return html`<input${attributes({ type: 'hidden', id, name: field.name, value: toText(value) })}>\n`;
  }
  const label = html`<label for="${id}">${field.label ?? field.name}${isMarkedRequired(field) && ' *'}</label>`;
  const control = renderControl(field, value, {
    id,
    name: field.name,
    placeholder: field.placeholder,
    required: field.required,
    autocomplete: AUTOCOMPLETE[field.type],
    minlength: field.validation?.minLength,
    maxlength: field.validation?.maxLength,
    'aria-invalid': problem !== '' && 'true',
    'aria-describedby': problem !== '' && `${id}-error`,
  });
  const line = field.type === 'checkbox' ? html`${control} ${label}` : html`${label}\n${control}`;
  return html`<p>${line}${problem !== '' && html`\n<span class="error" id="${id}-error">${problem}</span>`}</p>\n`;
}

function renderControl(field: FormFieldConfig, value: unknown, shared: Parameters<typeof attributes>[0]): Markup {
  // The parser drops the first line break of a textarea, so the page adds one.
  if (field.type === 'textarea')
    return html`<textarea${attributes({ ...shared, rows: 4 })}>\n${toText(value)}</textarea>`;
  if (field.type === 'select') {
    const options = (field.options ?? []).map(
      (one) => html`<option${attributes({ value: one.value, selected: one.value === value })}>${one.label}</option>\n`,
    );
    const none = field.defaultValue === undefined && html`<option value="">${field.placeholder ?? ''}</option>\n`;
    return html`<select${attributes({ ...shared, placeholder: undefined })}>\n${none}${options}</select>`;
  }
  const own =
    field.type === 'checkbox'
      ? { value: 'true', checked: value === true || value === 'true' || value === 'on', placeholder: undefined }
      : { value: toText(value) || undefined, pattern: field.validation?.pattern };
  const step = field.type === 'number' ? 'any' : undefined;
  return html`<input${attributes({ type: INPUT_TYPES[field.type] ?? field.type, ...shared, step, ...own })}>`;
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Browsers apply the policy to a form's redirects, too. */
function targetsOf({ successRedirect }: FormConfig, action: string | undefined): string[] {
  const origins = [action, successRedirect].flatMap((url) => (URL.canParse(url ?? '') ? new URL(url!).origin : []));
  return ["'self'", ...new Set(origins)];
}

function toPage(
  title: string,
  body: Markup,
  { lang = 'en' }: PageOptions,
  { targets, challenges = false }: { targets?: string[]; challenges?: boolean } = {},
): FormPage {
  const page = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
${body}
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    ...(challenges ? [`script-src ${CHALLENGES}`, `frame-src ${CHALLENGES}`] : []),
    `form-action ${targets?.join(' ') ?? "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    html: page.markup,
    // The receiver of a form has to see its origin; helmet's `no-referrer` would make that `null`.
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex' },
  };
}
