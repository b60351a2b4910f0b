// A site's settings in their own folder, without the rest of the service, and with parts that fail on demand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Audit, AuditActor, AuditEntry } from '../../src/audit/entry.ts';
import { type AuditParts, createAudit } from '../../src/audit/open-audit.ts';
import { openDataFolder } from '../../src/data/data-folder.ts';
import { createSettings } from '../../src/settings/service.ts';
import type { Settings } from '../../src/settings/settings.ts';

export const ADA: AuditActor = { id: 'u1', name: 'Ada', email: 'ada@example.com' };

export interface Place extends Disposable {
  folder: string;
  /** Opens the audit, with smaller limits if given. */
  audit(parts?: Partial<AuditParts>): Audit;
  /** The audit's clock. */
  now: Date;
  /** Opens the settings, as a start does. `broken` names the file that cannot be written. */
  open(broken?: 'data' | 'audit' | { audit: Audit }): Promise<Settings>;
  warnings: string[];
  /** Whether the site may set `allowPrivateTargets`. */
  mayAllowPrivate: boolean;
}

export function makePlace(folder = mkdtempSync(path.join(tmpdir(), 'colophon-site-'))): Place {
  let count = 0;
  const warnings: string[] = [];

  function audit(parts?: Partial<AuditParts>): Audit {
    return createAudit({ folder, now: () => place.now, newId: () => `${process.pid}-${++count}`, ...parts });
  }

  const place: Place = {
    folder,
    audit,
    now: new Date('2026-01-02T03:04:05.678Z'),
    warnings,
    mayAllowPrivate: true,
    open(broken) {
      const fails = async (): Promise<never> => {
        throw new Error('broken on purpose');
      };
      const data = openDataFolder(path.join(folder, '_data'));
      return createSettings({
        siteId: 'default',
        folder,
        data: broken === 'data' ? { ...data, write: fails } : data,
        audit: typeof broken === 'object' ? broken.audit : broken === 'audit' ? { ...audit(), append: fails } : audit(),
        mayAllowPrivate: () => place.mayAllowPrivate,
        logger: { info: () => undefined },
        warn: (message) => void warnings.push(message),
      });
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  return place;
}

/** All entries of these sites, newest first; by default those of the service and the site `default`. */
export async function listAll(audit: Audit, sites: (string | null)[] = [null, 'default']): Promise<AuditEntry[]> {
  return (await audit.list({ sites, withTeam: true }, { limit: 100_000, offset: 0 })).entries;
}
