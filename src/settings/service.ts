// A site's settings where they are kept: plain values in `_data/site-config.json`, which backups take along, secrets and
// what the service needs for itself in `secrets.json` beside it, which they do not. A change of both is one write: the
// private file has the new plain values too until the other file has them, and its audit entry until the audit does.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { type Audit, AuditEntry } from '../audit/entry.ts';
import type { DataFolder } from '../data/data-folder.ts';
import type { InfoLogger } from '../data/info-logger.ts';
import { openPrivateFile } from '../data/private-file.ts';
import { invalid, ServiceError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import { toProblems } from '../lib/parse-input.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import type { Warn } from '../lib/warn.ts';
import { listSettingChanges } from './changes.ts';
import { decideSettings, type Makers } from './patch.ts';
import { type Given, join, type Plain, type Secrets, split, toSettings } from './secrets.ts';
import { type Settings, type SettingsListener, SiteSettings } from './settings.ts';

const PLAIN_FILE = 'site-config.json';
const SECRETS_FILE = 'secrets.json';

const NOT_ALONE = 'is for the operator to allow where there are several sites: CMS_ALLOW_PRIVATE_TARGETS=on';

const Texts = z.record(z.string(), z.string());

const SecretsFile = z.object({
  version: z.literal(1),
  /** Counts the changes of settings. */
  revision: z.int(),
  /** Of the settings, by dotted path. */
  settings: Texts,
  /** The service's own, by name. */
  own: Texts,
  /** What `_data/site-config.json` shall be, where that is not known to be durable yet. */
  pending: z.record(z.string(), z.unknown()).optional(),
  /** What the audit is not known to have yet. */
  unaudited: z.array(AuditEntry).optional(),
});
type SecretsFile = z.output<typeof SecretsFile>;

export interface SettingsParts {
  siteId: string;
  /** `<data>/sites/<id>`. */
  folder: string;
  /** `_data`. */
  data: DataFolder;
  /** Why the folder is another process's by now, if it is. */
  lost?: (() => string | undefined) | undefined;
  audit: Audit;
  /** Whether the site may set `allowPrivateTargets`. */
  mayAllowPrivate(): boolean;
  logger: InfoLogger;
  /** Something that is put right later. */
  warn: Warn;
}

const MAKERS: Makers = {
  newId: () => randomBytes(9).toString('base64url').replace(/^[-_]/, 'w'),
  // Standard Webhooks: 24 to 64 bytes in base64 behind the prefix.
  newWebhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  newSigningSecret: () => randomBytes(32).toString('hex'),
};

/** @throws Error with a sentence about the file that cannot be read. */
export async function createSettings(parts: SettingsParts): Promise<Settings> {
  const { siteId, folder, data, audit, logger, warn, lost } = parts;
  const file = openPrivateFile<SecretsFile>({
    path: path.join(folder, SECRETS_FILE),
    schema: SecretsFile,
    empty: { version: 1, revision: 0, settings: {}, own: {} },
    logger,
    lost,
  });
  const listeners = new Set<SettingsListener>();
  let plain: Plain = file.read().pending ?? (await readPlain(data));
  let given = checkGiven(data, plain, file.read().settings);
  let settings = toSettings(given);
  const inOrder = createInOrder();
  await settle();

  /** Brings the other two files to what the private one says. What fails is tried again with the next change or start. */
  async function settle(): Promise<void> {
    const { pending, unaudited } = file.read();
    if (!pending && !unaudited) return;
    try {
      if (pending) await data.write(PLAIN_FILE, `${JSON.stringify(pending, null, 2)}\n`);
      if (unaudited) await audit.append(unaudited);
      await file.update(({ pending: _, unaudited: __, ...rest }) => [rest, undefined]);
    } catch (error) {
      warn('a change of settings is durable, and not in all of its files yet', error);
    }
  }

  async function show(next: Given, nextPlain: Plain): Promise<void> {
    const before = settings;
    plain = nextPlain;
    given = next;
    settings = toSettings(next);
    for (const listener of listeners) {
      try {
        await listener(settings, before);
      } catch (error) {
        warn('a part of the service could not follow a change of settings', error);
      }
    }
  }

  function refuseStale(ifRevision: string | undefined): void {
    if (ifRevision === undefined || ifRevision === revision()) return;
    throw new ServiceError('precondition_failed', 'the settings have changed meanwhile');
  }

  const revision = (): string => String(file.read().revision);

  async function makeOwn(name: string, isWanted: (present: string | undefined) => boolean): Promise<string> {
    return file.update((value) => {
      const present = value.own[name];
      if (present !== undefined && !isWanted(present)) return [value, present];
      const made = randomBytes(32).toString('hex');
      return [{ ...value, own: { ...value.own, [name]: made } }, made];
    });
  }

  return {
    read: () => settings,
    revision,

    update: (patch, by, { ifRevision } = {}) =>
      inOrder(async () => {
        refuseStale(ifRevision);
        const decided = decideSettings(given, patch, MAKERS);
        if (decided.given.allowPrivateTargets && !given.allowPrivateTargets && !parts.mayAllowPrivate()) {
          throw invalid([{ path: 'allowPrivateTargets', message: NOT_ALONE }]);
        }
        const changes = listSettingChanges(settings, toSettings(decided.given));
        if (changes.length === 0) return { settings, generated: {} };
        const next = split(decided.given, plain);
        const entry = audit.toEntry({ site: siteId, actor: by, action: 'settings.updated', target: siteId, changes });
        await file.update((value) => [
          {
            ...value,
            revision: value.revision + 1,
            settings: next.secrets,
            pending: next.plain,
            unaudited: [...(value.unaudited ?? []), entry],
          },
          undefined,
        ]);
        await show(decided.given, next.plain);
        await settle();
        return { settings, generated: decided.generated };
      }),

    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async secret(name) {
      return file.read().own[name] ?? (await makeOwn(name, () => false));
    },
    rotate: (name) => makeOwn(name, () => true),

    reload: () =>
      inOrder(async () => {
        const fresh = await readPlain(data);
        const checked = checkGiven(data, fresh, file.read().settings);
        await file.update(({ pending: _, ...value }) => [{ ...value, revision: value.revision + 1 }, undefined]);
        await show(checked, fresh);
      }),
  };
}

/** Throws, with a sentence, where a service would not start with the settings of this folder. */
export async function checkSettings(data: DataFolder): Promise<void> {
  checkGiven(data, await readPlain(data), {});
}

async function readPlain(data: DataFolder): Promise<Plain> {
  const bytes = await data.read(PLAIN_FILE);
  if (!bytes) return {};
  const file = path.join(data.path, PLAIN_FILE);
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new Error(`${file} is not JSON: restore it from a backup, or move it away to start without it`, {
      cause: error,
    });
  }
  if (!isObject(json)) throw new Error(`${file} is damaged: it must be an object`);
  return json;
}

function checkGiven(data: DataFolder, plain: Plain, secrets: Secrets): Given {
  const given = join(plain, secrets);
  const parsed = SiteSettings.safeParse(given);
  if (parsed.success) return given;
  const [problem] = toProblems(parsed.error.issues);
  const what = `${path.join(data.path, PLAIN_FILE)} has a value at ${problem?.path} that this Colophon does not read`;
  // The file has no version of its own: its values come and go one by one.
  throw new Error(
    `${what} (${problem?.message}): if it was written by a newer version, start that one; else mend it, or restore it from a backup`,
  );
}
