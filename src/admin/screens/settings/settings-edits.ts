// What one has changed in the settings and not saved. An edit remembers the value that it began with: what others have
// stored since is a conflict if it differs from both. Pure.
import { isEqual } from '../../document/is-equal.ts';
import { isSecretAt, propertyAt, type SettingsOutline, type SettingValues, storedAt } from './settings-shape.ts';

export interface SettingEdit {
  /** Null clears a setting, `{generate: true}` makes a secret, `{}` begins a group. */
  value: unknown;
  /** What was stored when it began. */
  base: unknown;
}

/** By path. */
export type SettingEdits = Readonly<Record<string, SettingEdit>>;

export function setEdit(edits: SettingEdits, path: string, value: unknown, stored: unknown): SettingEdits {
  const base = edits[path]?.base ?? stored;
  const { [path]: _, ...others } = edits;
  const rest = isGroup(path) && value === null ? withoutParts(others, path) : others;
  return isEqual(value, stored) || (value === null && stored === undefined)
    ? rest
    : { ...rest, [path]: { value, base } };
}

function isGroup(path: string): boolean {
  return !path.includes('.');
}

function withoutParts(edits: SettingEdits, group: string): SettingEdits {
  return Object.fromEntries(Object.entries(edits).filter(([path]) => !path.startsWith(`${group}.`)));
}

/** The body of a change: only what is edited. */
export function toPatch(edits: SettingEdits): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  // Parts come after their group.
  for (const path of Object.keys(edits).sort()) {
    const { value } = edits[path]!;
    const [name = '', part] = path.split('.');
    if (part === undefined) patch[name] = value;
    else patch[name] = { ...(patch[name] as object | undefined), [part]: value };
  }
  return patch;
}

/** Edits of settings that others have changed meanwhile, to something else. */
export function conflictsOf(edits: SettingEdits, settings: SettingValues): string[] {
  return Object.entries(edits).flatMap(([path, { value, base }]) => {
    const stored = storedAt(settings, path);
    return isEqual(stored, base) || isEqual(stored, value) ? [] : [path];
  });
}

/** What is left to save after `sent` was: what was edited meanwhile. */
export function afterSave(edits: SettingEdits, sent: SettingEdits, settings: SettingValues): SettingEdits {
  const left = Object.entries(edits).filter(([path, { value }]) => !sent[path] || !isEqual(sent[path].value, value));
  return Object.fromEntries(left.map(([path, { value }]) => [path, { value, base: storedAt(settings, path) }]));
}

/** What is left of edits whose save had no answer: what the service has by now was saved. */
export function withoutStored(edits: SettingEdits, settings: SettingValues): SettingEdits {
  return Object.fromEntries(
    Object.entries(edits).filter(([path, { value, base }]) => {
      const stored = storedAt(settings, path);
      const isSecretStored = isSet(stored) && typeof value === 'string' && value.endsWith(stored.last4);
      return !isEqual(stored, value) && (!isSecretStored || isEqual(stored, base));
    }),
  );
}

/** The change that takes a saved one back; undefined if a secret cannot be brought back. */
export function undoOf(sent: SettingEdits, shape: SettingsOutline): Record<string, unknown> | undefined {
  const undo: Record<string, unknown> = {};
  for (const [path, { base }] of Object.entries(sent)) {
    // Groups have a secret in them.
    if (isSecretAt(shape, path) || path.includes('.') || shape.properties[path]?.properties) return undefined;
    undo[path] = isEqual(base, shape.properties[path]?.default) ? null : base;
  }
  return undo;
}

/** Stored secrets that saving this edit clears, because they act on what it names, and are not entered anew. */
export function secretsAtStake(
  path: string,
  edits: SettingEdits,
  stored: SettingValues,
  shape: SettingsOutline,
): string[] {
  const edit = edits[path];
  const { forgets = [], default: usual } = propertyAt(shape, path) ?? {};
  if (!edit || toEffective(edit.value, usual) === toEffective(storedAt(stored, path), usual)) return [];
  return forgets.filter((secret) => {
    const value = edits[secret]?.value;
    const isNew = typeof value === 'string' ? value !== '' : isMade(value);
    return isSet(storedAt(stored, secret)) && !isNew;
  });
}

/** As the service compares it. */
function toEffective(value: unknown, usual: unknown): unknown {
  if (value === null || value === undefined || value === '') return usual ?? '';
  return typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value;
}

function isMade(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { generate?: unknown }).generate === true;
}

/** Secrets that the service has forgotten because what they act on is another. */
export function forgottenSecrets(
  before: SettingValues,
  after: SettingValues,
  sent: SettingEdits,
  shape: SettingsOutline,
): string[] {
  const paths = Object.entries(shape.properties).flatMap(([name, { properties }]) => [
    name,
    ...Object.keys(properties ?? {}).map((part) => `${name}.${part}`),
  ]);
  return paths.filter(
    (path) => isSecretAt(shape, path) && !sent[path] && isSet(storedAt(before, path)) && isUnset(storedAt(after, path)),
  );
}

export function isSet(value: unknown): value is { set: true; last4: string } {
  return typeof value === 'object' && value !== null && (value as { set?: unknown }).set === true;
}

function isUnset(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { set?: unknown }).set === false;
}

/** Without secrets: the rest may wait in the tab. */
export function toKept(edits: SettingEdits, shape: SettingsOutline): SettingEdits {
  return Object.fromEntries(Object.entries(edits).filter(([path]) => !isSecretAt(shape, path)));
}

/** What a tab kept, of settings that the service still knows. */
export function parseKept(text: string | null, shape: SettingsOutline): SettingEdits {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) return {};
  return toKept(
    Object.fromEntries(
      Object.entries(parsed as SettingEdits).filter(
        ([path]) => shape.properties[path.split('.')[0] ?? ''] !== undefined,
      ),
    ),
    shape,
  );
}
