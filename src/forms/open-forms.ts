// Puts together the forms of a site on its folder.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FormConfig } from '../config/form-config.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { openPrivateFile } from '../data/private-file.ts';
import type { Logger } from '../lib/logger.ts';
import type { Mailer } from '../outbound/mailer.ts';
import type { Outbound } from '../outbound/request.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Settings } from '../settings/settings.ts';
import type { Events } from '../webhooks/events.ts';
import { createChallenge } from './challenge.ts';
import { createNotifications } from './notifications.ts';
import type { Patterns } from './patterns.ts';
import { createRemoved, RemovedFile } from './removed.ts';
import { createForms, type FormsService } from './service.ts';
import { toSubmissionId } from './submission.ts';
import { createSubmissions, withNews } from './submissions.ts';

export interface OpenFormsParts {
  forms: readonly FormConfig[];
  /** `<data>/sites/<id>`. */
  folder: string;
  /** `_data`. */
  data: DataFolder;
  settings: Pick<Settings, 'secret'>;
  events: Events;
  outbox: Outbox;
  outbound: Outbound;
  mailer: Mailer;
  patterns: Patterns;
  variables: Readonly<Record<string, string | undefined>>;
  /** The way out to the verifier of challenges. */
  fetch: typeof fetch;
  now(): Date;
  /** Returns a reason if another process has taken over the folder. */
  lost?: (() => string | undefined) | undefined;
  logger: Pick<Logger, 'info' | 'warn'>;
}

export function openForms(parts: OpenFormsParts): FormsService {
  const { forms, folder, data, settings, now, logger, lost } = parts;
  const file = openPrivateFile<RemovedFile>({
    path: path.join(folder, 'forms.json'),
    schema: RemovedFile,
    empty: { version: 1, removed: [] },
    logger,
    lost,
  });
  const removed = createRemoved(file, now);
  const newId = (atMs: number): string => toSubmissionId(atMs, randomBytes(16));
  const { submissions, listen } = withNews(
    createSubmissions({ folder: data.folder('submissions'), now, newId, noteRemoved: removed.note, logger }),
  );
  const byName = new Map(forms.map((form) => [form.name, form]));
  const announce = createNotifications({ ...parts, submissions, findForm: (name) => byName.get(name) });
  return createForms({
    forms,
    submissions,
    listen,
    removed,
    challenge: createChallenge({ variables: parts.variables, fetch: parts.fetch, logger }),
    patterns: parts.patterns,
    announce,
    salt: () => settings.secret('form-addresses'),
    newId,
    now,
    pause,
  });
}
