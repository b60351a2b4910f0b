// The shape of the settings, from which forms are made: the JSON Schema of settings.ts with the words of described.ts,
// and the sections. Pure.
import { z } from 'zod';
import { anyObject } from '../lib/any-object.ts';
import { DESCRIBED, DESCRIBED_TARGET, type Described, SECTIONS } from './described.ts';
import { isTargetPart, REACH } from './reach.ts';
import { TARGET_SECRET } from './secrets.ts';
import { BackupTarget, isSecretKey, type SettingKey, SiteSettings, WEBHOOK_EVENTS } from './settings.ts';

type SettingSchema = Record<string, unknown>;

export const SettingsShape = z.object({
  sections: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      groups: z.array(
        z.object({
          title: z.string().optional(),
          providers: z
            .array(z.string())
            .optional()
            .meta({ description: 'values of `deployProvider` that read these settings; absent for all' }),
          settings: z.array(z.string()),
        }),
      ),
    }),
  ),
  properties: z.record(z.string(), anyObject()).meta({
    description:
      'a JSON Schema for each setting, with `title`, `description` and `default`; `writeOnly` for a secret, `canBeMade` if `{generate: true}` makes one, `isMasked` if a read shows only the origin, `unit` of a number, `names` of the values of `enum`, `fixed` with the reason if it cannot be changed on this site, `forgets` with the stored secrets that a change of it clears unless it sends them',
  }),
  webhookEvents: z.array(z.string()),
});

/** `fixed` has the reason why a setting cannot be changed, by its key. */
export function toSettingsShape(fixed: Readonly<Record<string, string>>): z.output<typeof SettingsShape> {
  const all = propertiesOf(SiteSettings);
  const target = propertiesOf(BackupTarget);
  const properties: Record<string, SettingSchema> = {};
  for (const [key, described] of Object.entries(DESCRIBED)) {
    properties[key] = {
      ...toProperty(all[key], described, isSecretKey(key)),
      ...(fixed[key] === undefined ? {} : { fixed: fixed[key] }),
      ...(forgetsOf(key).length > 0 && { forgets: forgetsOf(key) }),
    };
  }
  properties.backupTarget = {
    ...toProperty({ type: 'object', default: null }, DESCRIBED.backupTarget, false),
    properties: Object.fromEntries(
      Object.entries(DESCRIBED_TARGET).map(([key, described]) => [
        key,
        {
          ...toProperty(target[key], described, key === 'secretAccessKey'),
          ...(isTargetPart(key) && { forgets: [TARGET_SECRET] }),
        },
      ]),
    ),
  };
  return {
    sections: SECTIONS as z.output<typeof SettingsShape>['sections'],
    properties,
    webhookEvents: WEBHOOK_EVENTS,
  };
}

function forgetsOf(key: string): readonly string[] {
  return REACH[key as SettingKey].forgets;
}

function propertiesOf(schema: z.ZodType): Record<string, SettingSchema> {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return properties as Record<string, SettingSchema>;
}

function toProperty(schema: SettingSchema = {}, described: Described, isSecret: boolean): SettingSchema {
  return { ...schema, ...described, ...(isSecret ? { writeOnly: true } : {}) };
}
