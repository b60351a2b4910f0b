// Decides the effect of a change of the settings. Only the named keys change; null or an empty string clears a key. A
// secret is a string; the placeholder that a read shows (`{set, last4}`, a masked address) leaves it unchanged, and
// `{generate: true}` makes a new one, if the service can. `webhooks` replaces the whole list, matched by id. Pure; all
// problems are reported at once.
import { isDeepStrictEqual } from 'node:util';
import { invalid, type Problem } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import { tryInput } from '../lib/parse-input.ts';
import { isMaskedUrl, unmaskUrl } from '../lib/text/masked-url.ts';
import { nearest } from '../lib/text/nearest.ts';
import { REACH, type Reach, TARGET_PARTS } from './reach.ts';
import { type Given, TARGET_SECRET, toSettings } from './secrets.ts';
import {
  BackupTarget,
  isSecretKey,
  MAX_WEBHOOKS,
  SETTING_KEYS,
  type SettingKey,
  SiteSettings,
  Webhook,
} from './settings.ts';

/** Makes random values, which a pure decision cannot. */
export interface Makers {
  /** A webhook's id. */
  newId(): string;
  /** `whsec_` and 32 bytes in base64. */
  newWebhookSecret(): string;
  newSigningSecret(): string;
}

export interface Decided {
  given: Given;
  generated: Record<string, string>;
  /** Stored secrets that are gone because what they act on has changed, by dotted path, with the settings that changed. */
  forgotten: Record<string, string[]>;
}

/** Secrets that both sides only have to share; other secrets come from a provider. */
const CAN_BE_MADE = new Set(['revalidateSecret', 'syncSecret']);
/** Replaces a masked URL that is already reported as a problem. */
const UNKNOWN_URL = 'https://unknown.invalid';
/** No client needs more problems. */
const ENOUGH = 100;
/** Each hint costs a comparison with every key, so there are only a few. */
const HINTS = 5;
/** A read shows these keys. They are ignored here, so that a read can be sent back. */
const READ_ONLY = new Set(['resolvedContentDir', 'problems']);

export function decideSettings(before: Given, patch: unknown, makers: Makers): Decided {
  if (!isObject(patch)) throw invalid('the settings must be an object');
  const given: Given = { ...before };
  const generated: Record<string, string> = {};
  const forgotten: Record<string, string[]> = {};
  const problems: Problem[] = [];
  let hints = 0;

  for (const key of Object.keys(patch)) {
    if (problems.length >= ENOUGH) break;
    const value = patch[key];
    if (READ_ONLY.has(key)) continue;
    if (!isSettingKey(key)) {
      problems.push({ path: key, message: `is not a known setting${hint(key, SETTING_KEYS)}` });
    } else if (value === null || value === '') {
      delete given[key];
    } else if (isSecretKey(key)) {
      if (isMasked(value)) continue;
      if (isRequest(value) && CAN_BE_MADE.has(key)) {
        given[key] = generated[key] = makers.newSigningSecret();
      } else set(key, value);
    } else if (key === 'deployHookUrl' && isMaskedUrl(value)) {
      if (unmask(value, before.deployHookUrl, key) !== undefined) continue;
    } else if (key === 'backupTarget' && isObject(value)) {
      set(key, mergeTarget(value));
    } else if (key === 'webhooks' && Array.isArray(value)) {
      // One more than allowed is enough to be refused.
      set(key, value.slice(0, MAX_WEBHOOKS + 1).map(completeWebhook));
    } else set(key, value);
  }
  if (problems.length > 0) throw invalid(problems);
  return { ...forgetSecrets(before, given, patch, forgotten), generated };

  /** Returns the stored address; undefined, with a problem, if the mask is of another address. */
  function unmask(masked: string, stored: unknown, path: string): string | undefined {
    const url = unmaskUrl(masked, stored);
    if (url === undefined)
      problems.push({ path, message: 'is masked and does not match the stored address; send the whole address' });
    return url;
  }

  function set(key: SettingKey, value: unknown): void {
    const parsed = tryInput(SiteSettings.shape[key], value, key);
    if ('problems' in parsed) problems.push(...parsed.problems);
    else given[key] = parsed.value;
  }

  function hint(key: string, known: readonly string[]): string {
    const meant = hints++ < HINTS ? nearest(key, known) : undefined;
    return meant === undefined ? '' : `; did you mean "${meant}"?`;
  }

  function refuseUnknown(value: object, known: readonly string[], path: string): void {
    for (const key of Object.keys(value).slice(0, ENOUGH)) {
      if (known.includes(key)) continue;
      problems.push({ path: `${path}.${key}`, message: `is not a known key${hint(key, known)}` });
    }
  }

  function mergeTarget(value: Record<string, unknown>): unknown {
    refuseUnknown(value, Object.keys(BackupTarget.shape), 'backupTarget');
    const kept = isObject(before.backupTarget) ? before.backupTarget : {};
    const merged: Record<string, unknown> = { ...kept };
    for (const [key, part] of Object.entries(value)) {
      if (part === null || part === '') delete merged[key];
      else if (key !== 'secretAccessKey' || !isMasked(part)) merged[key] = part;
    }
    return merged;
  }

  function completeWebhook(value: unknown, index: number): unknown {
    if (!isObject(value)) return value;
    refuseUnknown(value, Object.keys(Webhook.shape), `webhooks.${index}`);
    const stored = findWebhook(before, value.id);
    const id = value.id === undefined || value.id === null || value.id === '' ? makers.newId() : value.id;
    const url = isMaskedUrl(value.url)
      ? (unmask(value.url, stored?.url, `webhooks.${index}.url`) ?? UNKNOWN_URL)
      : value.url;
    const webhook = { ...value, id, url };
    const { secret } = value;
    if (stored && (secret === undefined || isMasked(secret))) {
      // Nothing but the address is decided here: what is no text is refused later.
      const isMoved = stored.url !== (typeof url === 'string' ? url.trim() : url);
      if (!isMoved || stored.secret === '') return { ...webhook, secret: stored.secret };
      forgotten[`webhooks.${id}.secret`] = [`webhooks.${id}.url`];
      const anew = makers.newWebhookSecret();
      generated[`webhooks.${id}.secret`] = anew;
      return { ...webhook, secret: anew };
    }
    if (isMasked(secret) && secret.set) {
      problems.push({
        path: `webhooks.${index}.secret`,
        message: 'cannot be kept: no webhook has this id; send a secret',
      });
      return { ...webhook, secret: '' };
    }
    if (typeof secret === 'string' && secret !== '') return webhook;
    if (secret !== undefined && secret !== null && secret !== '' && !isRequest(secret) && !isMasked(secret)) {
      return webhook;
    }
    const made = makers.newWebhookSecret();
    generated[`webhooks.${id}.secret`] = made;
    return { ...webhook, secret: made };
  }
}

/** A secret does not follow what it acts on to another place, unless the same change sends it. */
export function forgetSecrets(
  before: Given,
  after: Given,
  patch: Record<string, unknown>,
  ofWebhooks: Decided['forgotten'],
): Pick<Decided, 'given' | 'forgotten'> {
  const given = { ...after };
  const forgotten = { ...ofWebhooks };
  const [from, to] = [toSettings(before), toSettings(after)];
  for (const [setting, { forgets }] of Object.entries(REACH) as [SettingKey, Reach][]) {
    if (isDeepStrictEqual(from[setting], to[setting])) continue;
    for (const secret of forgets) {
      if (from[secret] === '' || isNew(patch[secret])) continue;
      delete given[secret];
      (forgotten[secret] ??= []).push(setting);
    }
  }
  const [old, next] = [from.backupTarget, to.backupTarget];
  if (!old || !next || old.secretAccessKey === '') return { given, forgotten };
  const moved = TARGET_PARTS.filter((part) => old[part] !== next[part]);
  const sent = patch.backupTarget;
  if (moved.length === 0 || (isObject(sent) && isNew(sent.secretAccessKey))) return { given, forgotten };
  given.backupTarget = { ...next, secretAccessKey: '' };
  forgotten[TARGET_SECRET] = moved.map((part) => `backupTarget.${part}`);
  return { given, forgotten };
}

function isSettingKey(key: string): key is SettingKey {
  return (SETTING_KEYS as string[]).includes(key);
}

function findWebhook(given: Given, id: unknown): Webhook | undefined {
  const webhooks = (given.webhooks ?? []) as Webhook[];
  return webhooks.find((webhook) => webhook.id === id);
}

function isMasked(value: unknown): value is { set: boolean } {
  return isObject(value) && typeof value.set === 'boolean';
}

/** Whether the value sets a new secret. */
function isNew(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isRequest(value);
}

function isRequest(value: unknown): boolean {
  return isObject(value) && value.generate === true;
}
