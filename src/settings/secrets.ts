// Splits settings into plain values and secrets, and joins them again. `plain` is the content of
// `_data/site-config.json`; `secrets`, by dotted path with webhooks by id, is in the site's private file. Pure.
import { isObject } from '../lib/json.ts';
import { isSecretKey, SETTING_KEYS, SiteSettings } from './settings.ts';

export type Plain = Record<string, unknown>;
export type Secrets = Record<string, string>;

/** The values that are set, secrets included; absent ones have their default. */
export type Given = Record<string, unknown>;

export const TARGET_SECRET = 'backupTarget.secretAccessKey';

function webhookSecret(id: string): string {
  return `webhooks.${id}.secret`;
}

export function join(plain: Plain, secrets: Secrets): Given {
  const given: Given = {};
  for (const key of SETTING_KEYS) {
    if (isSecretKey(key)) {
      if (secrets[key] !== undefined) given[key] = secrets[key];
    } else if (Object.hasOwn(plain, key)) given[key] = plain[key];
  }
  if (isObject(given.backupTarget)) {
    given.backupTarget = { ...given.backupTarget, secretAccessKey: secrets[TARGET_SECRET] ?? '' };
  }
  if (Array.isArray(given.webhooks)) {
    given.webhooks = given.webhooks.map((webhook: unknown) =>
      isObject(webhook) ? { ...webhook, secret: secrets[webhookSecret(String(webhook.id))] ?? '' } : webhook,
    );
  }
  return given;
}

/** `before` is the previous content of the file: keys that this version does not know stay in it. */
export function split(given: Given, before: Plain): { plain: Plain; secrets: Secrets } {
  const isKnown = (key: string): boolean => (SETTING_KEYS as string[]).includes(key);
  const plain: Plain = {};
  const secrets: Secrets = {};
  for (const key of SETTING_KEYS) {
    if (!Object.hasOwn(given, key)) continue;
    if (isSecretKey(key)) secrets[key] = String(given[key]);
    else plain[key] = given[key];
  }
  if (isObject(plain.backupTarget)) {
    const { secretAccessKey, ...target } = plain.backupTarget;
    plain.backupTarget = target;
    keep(secrets, TARGET_SECRET, secretAccessKey);
  }
  if (Array.isArray(plain.webhooks)) {
    plain.webhooks = plain.webhooks.map(({ secret, ...webhook }) => {
      keep(secrets, webhookSecret(webhook.id), secret);
      return webhook;
    });
  }
  for (const [key, value] of Object.entries(before)) if (!isKnown(key)) plain[key] = value;
  return { plain, secrets };
}

function keep(secrets: Secrets, path: string, secret: unknown): void {
  if (typeof secret === 'string' && secret !== '') secrets[path] = secret;
}

export function toSettings(given: Given): SiteSettings {
  return SiteSettings.parse(given);
}
