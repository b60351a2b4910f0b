// The shape of the settings as the service describes it, and what that means for a form. Pure.
import type { Problem } from '../../api/client.ts';

export const SETTINGS_URL = '/api/admin/site-config';
export const SHAPE_URL = `${SETTINGS_URL}/shape`;

export interface SiteWebhook {
  id: string;
  /** Only its origin. */
  url: string;
  events: readonly string[];
  secret: { set: true; last4: string } | { set: false };
}

export type SettingValues = Record<string, unknown> & {
  webhooks: readonly SiteWebhook[];
  /** Settings that have no effect as they are. */
  problems: readonly Problem[];
};

/** What a JSON Schema says about one setting, with the words and marks of the service. */
export interface SettingProperty {
  title: string;
  description?: string;
  type?: string;
  format?: string;
  default?: unknown;
  enum?: readonly string[];
  names?: Readonly<Record<string, string>>;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  unit?: string;
  writeOnly?: boolean;
  canBeMade?: boolean;
  isMasked?: boolean;
  /** Why it cannot be changed on this site. */
  fixed?: string;
  /** Stored secrets that a change of it clears, unless they are sent too. */
  forgets?: readonly string[];
  properties?: Readonly<Record<string, SettingProperty>>;
}

export interface ShapeGroup {
  title?: string;
  providers?: readonly string[];
  settings: readonly string[];
}

export interface SettingsOutline {
  sections: readonly { name: string; title: string; groups: readonly ShapeGroup[] }[];
  properties: Readonly<Record<string, SettingProperty>>;
  webhookEvents: readonly string[];
}

export type SettingKind =
  | 'switch'
  | 'choice'
  /** On, off or unset, each with a name. */
  | 'three-way'
  | 'number'
  | 'time-zone'
  | 'cron'
  | 'secret'
  | 'group'
  | 'address'
  | 'text';

export function kindOf(property: SettingProperty): SettingKind {
  if (property.writeOnly || property.isMasked) return 'secret';
  if (property.properties) return 'group';
  if (property.enum) return 'choice';
  if (property.names) return 'three-way';
  if (property.type === 'boolean') return 'switch';
  if (property.type === 'integer') return 'number';
  if (property.format === 'time-zone' || property.format === 'cron') return property.format;
  return property.format === 'uri' ? 'address' : 'text';
}

/** `timezone`, or `backupTarget.bucket` of a group. */
export function propertyAt({ properties }: SettingsOutline, path: string): SettingProperty | undefined {
  const [name = '', part] = path.split('.');
  return part === undefined ? properties[name] : properties[name]?.properties?.[part];
}

export function isSecretAt(shape: SettingsOutline, path: string): boolean {
  const property = propertyAt(shape, path);
  return property !== undefined && kindOf(property) === 'secret';
}

export function sectionOf({ sections }: SettingsOutline, path: string): string {
  const [name = ''] = path.split('.');
  if (name === 'webhooks') return name;
  return sections.find(({ groups }) => groups.some(({ settings }) => settings.includes(name)))?.name ?? 'general';
}

/** The first section has the address of the screen. */
export function toSectionPath(name: string): string {
  return name === 'general' ? '/admin/settings' : `/admin/settings/${name}`;
}

/** The stored value; undefined within a group that is not there. */
export function storedAt(settings: SettingValues, path: string): unknown {
  const [name = '', part] = path.split('.');
  const value = settings[name];
  if (part === undefined) return value;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
}

export interface SettingProblem {
  path: string;
  section: string;
  /** "Time zone: must be …" */
  text: string;
  message: string;
}

export function toSettingProblems(details: readonly Problem[], shape: SettingsOutline): SettingProblem[] {
  return details.map(({ path, message }) => {
    const title = propertyAt(shape, path)?.title ?? path;
    return { path, section: sectionOf(shape, path), text: `${title}: ${message}`, message };
  });
}

/** The id of a control, which problems lead to. */
export function settingId(path: string): string {
  return `setting-${path.replace('.', '-')}`;
}
