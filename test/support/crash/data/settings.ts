// A change of settings is in three files: the private one, the plain one and the audit. Whatever a cut leaves of them,
// the next start has the whole change or none of it.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Audit } from '../../../../src/audit/entry.ts';
import { createAudit } from '../../../../src/audit/open-audit.ts';
import { openDataFolder } from '../../../../src/data/data-folder.ts';
import { createSettings } from '../../../../src/settings/service.ts';
import type { Settings } from '../../../../src/settings/settings.ts';
import type { DataScenario } from './enumerate.ts';

export type SettingsNote = { kind: 'asked' | 'done'; version: number };

const ADA = { id: 'u1', name: 'Ada', email: 'ada@example.com' };
const URL_OF = (version: number): string => `https://example.org/${version}`;
const SECRET_OF = (version: number): string =>
  `whsec_${Buffer.from(String(version).padStart(32, '0')).toString('base64')}`;

async function open(folder: string, start: string): Promise<{ settings: Settings; audit: Audit }> {
  let count = 0;
  const now = (): Date => new Date('2026-01-02T03:04:05.678Z');
  const audit = createAudit({ folder, now, newId: () => `${start}-${++count}` });
  const settings = await createSettings({
    siteId: 'default',
    folder,
    data: openDataFolder(path.join(folder, '_data')),
    audit,
    mayAllowPrivate: () => true,
    logger: { info: () => undefined },
    warn: (message, error) => assert.fail(`${message}: ${error}`),
  });
  return { settings, audit };
}

/** One part is public, one is a secret. */
const patchOf = (version: number): object => ({
  webhooks: [{ id: 'one', url: URL_OF(version), secret: SECRET_OF(version), events: ['*'] }],
});

export const settings: DataScenario<SettingsNote> = {
  async run(folder, note) {
    const site = path.join(folder, 'site');
    for (let version = 1; version <= 4; version++) {
      const opened = await open(site, `start-${version >> 1}-${version}`);
      note({ kind: 'asked', version });
      await opened.settings.update(patchOf(version), ADA);
      note({ kind: 'done', version });
    }
  },

  async check(folder, notes) {
    const site = path.join(folder, 'site');
    const { settings: found, audit } = await open(site, 'check');
    const [webhook] = found.read().webhooks;
    const version = webhook ? Number(webhook.url.split('/').at(-1)) : 0;
    const done = Math.max(0, ...notes.flatMap((one) => (one.kind === 'done' ? one.version : [])));
    const asked = Math.max(0, ...notes.map((one) => one.version));
    assert.ok(version >= done && version <= asked, `version ${version}, ${done} was answered and ${asked} requested`);
    assert.equal(webhook?.secret, version ? SECRET_OF(version) : undefined, 'the secret has the same version');
    const { total } = await audit.list({ sites: ['default'], withTeam: true }, { limit: 99, offset: 0 });
    assert.equal(total, version, 'each change is in the audit once');
    await found.update(patchOf(asked + 1), ADA);
    const again = await open(site, 'again');
    assert.equal(again.settings.read().webhooks[0]?.url, URL_OF(asked + 1));
  },
};
