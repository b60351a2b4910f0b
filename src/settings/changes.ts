// The differences between two versions of the settings, for the audit: plain values before and after, secrets only as
// set or changed. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { AuditChange } from '../audit/entry.ts';
import { isObject } from '../lib/json.ts';
import { maskUrl } from '../lib/text/masked-url.ts';
import { isSecretKey, type SiteSettings } from './settings.ts';

export function listSettingChanges(before: SiteSettings, after: SiteSettings): AuditChange[] {
  const [from, to] = [flatten(before), flatten(after)];
  const keys = new Set([...from.keys(), ...to.keys()]);
  const changes: AuditChange[] = [];
  for (const key of keys) {
    const [old, fresh] = [from.get(key), to.get(key)];
    if (isDeepStrictEqual(old?.value, fresh?.value)) continue;
    const isSecret = old?.isSecret ?? fresh?.isSecret;
    changes.push(
      isSecret
        ? toSecretChange(key, old?.value, fresh?.value)
        : { key, before: toRecorded(key, old?.value), after: toRecorded(key, fresh?.value) },
    );
  }
  return changes;
}

/** Cuts addresses that are secrets to their origin. */
function toRecorded(key: string, value: unknown): unknown {
  return typeof value === 'string' && /^(?:deployHookUrl|webhooks\..*\.url)$/.test(key)
    ? maskUrl(value)
    : (value ?? null);
}

interface Leaf {
  value: unknown;
  isSecret: boolean;
}

function flatten(settings: SiteSettings): Map<string, Leaf> {
  const { backupTarget, webhooks, ...rest } = settings;
  const leaves = new Map<string, Leaf>();
  for (const [key, value] of Object.entries(rest)) leaves.set(key, { value, isSecret: isSecretKey(key) });
  if (isObject(backupTarget)) {
    for (const [key, value] of Object.entries(backupTarget)) {
      leaves.set(`backupTarget.${key}`, { value, isSecret: key === 'secretAccessKey' });
    }
  }
  for (const { id, ...webhook } of webhooks) {
    for (const [key, value] of Object.entries(webhook)) {
      leaves.set(`webhooks.${id}.${key}`, { value, isSecret: key === 'secret' });
    }
  }
  return leaves;
}

function toSecretChange(key: string, before: unknown, after: unknown): AuditChange {
  const wasSet = before !== undefined && before !== '';
  const isSet = after !== undefined && after !== '';
  return { key, before: wasSet ? 'set' : null, after: isSet ? (wasSet ? 'changed' : 'set') : null };
}
