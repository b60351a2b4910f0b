// Stores a site's settings: plain values in `_data/site-config.json`, which backups contain; settings' secrets and the
// service's own in `secrets.json`, which they do not. A change of both is one write: the private file also keeps the
// new plain values until the other file has them, and the audit entry until the audit has it.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { type Audit, type AuditActor, type AuditChange, AuditEntry } from '../audit/entry.ts';
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
import { decideRestored } from './restored.ts';
import { type Given, join, type Plain, type Secrets, split, toSettings } from './secrets.ts';
import { type Settings, type SettingsListener, SiteSettings } from './settings.ts';

const PLAIN_FILE = 'site-config.json';
const SECRETS_FILE = 'secrets.json';

const NOT_ALONE = 'needs the operator’s permission if there are several sites: CMS_ALLOW_PRIVATE_TARGETS=on';

const Texts = z.record(z.string(), z.string());

const SecretsFile = z.object({
  version: z.literal(1),
  /** Counts the changes of settings. */
  revision: z.int(),
  /** Secrets of the settings, by dotted path. */
  settings: Texts,
  /** The service's own secrets, by name. */
  own: Texts,
  /** The new content of `_data/site-config.json`, until it is known to be durable there. */
  pending: z.record(z.string(), z.unknown()).optional(),
  /** The plain values that the secrets were stored with, known even if a restore was cut off after it replaced the file. */
  seen: z.record(z.string(), z.unknown()).optional(),
  /** Entries that the audit is not known to have yet. */
  unaudited: z.array(AuditEntry).optional(),
});
type SecretsFile = z.output<typeof SecretsFile>;

export interface SettingsParts {
  siteId: string;
  /** `<data>/sites/<id>`. */
  folder: string;
  /** The folder `_data`. */
  data: DataFolder;
  /** Returns a reason if another process has taken over the folder. */
  lost?: (() => string | undefined) | undefined;
  audit: Audit;
  /** Whether the site may set `allowPrivateTargets`. */
  mayAllowPrivate(): boolean;
  logger: InfoLogger;
  /** For problems that are corrected later, and secrets that are forgotten. */
  warn: Warn;
}

const BY_SERVICE: AuditActor = { id: null, name: 'Colophon', email: 'colophon@localhost' };

const MAKERS: Makers = {
  newId: () => randomBytes(9).toString('base64url').replace(/^[-_]/, 'w'),
  // Standard Webhooks: 24 to 64 bytes in base64 after the prefix.
  newWebhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  newSigningSecret: () => randomBytes(32).toString('hex'),
};

/** @throws Error with a message for people if a file cannot be read. */
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
  const found = decideRestored(readSeen(file.read()) ?? given, given);
  if (Object.keys(found.forgotten).length > 0) await keepRestored(found, plain);
  await settle();

  /** Copies pending values from the private file to the other two. The next change or start retries a failure. */
  async function settle(): Promise<void> {
    const { pending, unaudited } = file.read();
    if (!pending && !unaudited) return;
    try {
      if (pending) await data.write(PLAIN_FILE, `${JSON.stringify(pending, null, 2)}\n`);
      if (unaudited) await audit.append(unaudited);
      await file.update(({ pending: _, unaudited: __, ...rest }) => [rest, undefined]);
    } catch (error) {
      warn('a change of settings is durable, but not in all of its files yet; the next change or start retries', error);
    }
  }

  /** Stores secrets, plain values and audit entry in one write; unknown keys come from `base`. */
  async function store(next: Given, base: Plain, by: AuditActor, changes: AuditChange[]): Promise<void> {
    const { plain: pending, secrets } = split(next, base);
    const entry = audit.toEntry({ site: siteId, actor: by, action: 'settings.updated', target: siteId, changes });
    await file.update((value) => {
      const unaudited = [...(value.unaudited ?? []), ...(changes.length > 0 ? [entry] : [])];
      const stored = { settings: secrets, pending, seen: pending, unaudited };
      return [{ ...value, ...stored, revision: value.revision + 1 }, undefined];
    });
    await show(next, pending);
    await settle();
  }

  /** The audit has the change as the service’s own: who restored the backup is in an entry of the restore. */
  async function keepRestored({ given: next, forgotten }: ReturnType<typeof decideRestored>, base: Plain) {
    const gone = Object.keys(forgotten);
    if (gone.length > 0) warn(`restored settings act on something else; forgotten secrets: ${gone.join(', ')}`);
    await store(next, base, BY_SERVICE, listSettingChanges(settings, toSettings(next)));
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
        warn('a part of the service could not apply a change of settings', error);
      }
    }
  }

  function refuseStale(ifRevision: string | undefined): void {
    if (ifRevision === undefined || ifRevision === revision()) return;
    throw new ServiceError('precondition_failed', 'the settings have changed since they were read; read them again');
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
    fixed: () => (parts.mayAllowPrivate() || given.allowPrivateTargets ? {} : { allowPrivateTargets: NOT_ALONE }),

    update: (patch, by, { ifRevision } = {}) =>
      inOrder(async () => {
        refuseStale(ifRevision);
        const decided = decideSettings(given, patch, MAKERS);
        if (decided.given.allowPrivateTargets && !given.allowPrivateTargets && !parts.mayAllowPrivate()) {
          throw invalid([{ path: 'allowPrivateTargets', message: NOT_ALONE }]);
        }
        const changes = listSettingChanges(settings, toSettings(decided.given));
        if (changes.length === 0) return { settings, generated: {}, forgotten: {} };
        await audit.reserve([siteId], by);
        await store(decided.given, plain, by, changes);
        return { settings, generated: decided.generated, forgotten: decided.forgotten };
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
        const restored = checkGiven(data, fresh, file.read().settings);
        if (!parts.mayAllowPrivate()) delete restored.allowPrivateTargets;
        await keepRestored(decideRestored(given, restored), fresh);
      }),
  };
}

/** What the stored secrets act on; undefined if that was never stored, or if this version cannot read it. */
function readSeen({ seen, settings }: SecretsFile): Given | undefined {
  if (!seen) return undefined;
  const given = join(seen, settings);
  return SiteSettings.safeParse(given).success ? given : undefined;
}

/** Throws an Error with a message for people if a service would not start with the settings in this folder. */
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
    throw new Error(`"${file}" is not JSON; restore it from a backup, or move it away to start without it`, {
      cause: error,
    });
  }
  if (!isObject(json)) throw new Error(`"${file}" is damaged: it must be an object`);
  return json;
}

function checkGiven(data: DataFolder, plain: Plain, secrets: Secrets): Given {
  const given = join(plain, secrets);
  const parsed = SiteSettings.safeParse(given);
  if (parsed.success) return given;
  const [problem] = toProblems(parsed.error.issues);
  const summary = `"${path.join(data.path, PLAIN_FILE)}" has a value at ${problem?.path} that this version cannot read`;
  // The file has no version number: its keys come and go one by one.
  throw new Error(
    `${summary} (${problem?.message}); if a newer version wrote it, start that version; else correct it, or restore it from a backup`,
  );
}
