// Decides what of the stored secrets stays when `_data/site-config.json` was replaced under them, as a restore does: as in
// a change of settings, no secret follows what it acts on to another place. Pure.
import { isObject } from '../lib/json.ts';
import { type Decided, forgetSecrets } from './patch.ts';
import { type Given, TARGET_SECRET, toSettings } from './secrets.ts';

/** `before` is what the secrets were stored for, `after` the same secrets with the replaced values. */
export function decideRestored(before: Given, after: Given): Pick<Decided, 'given' | 'forgotten'> {
  const known = new Map(toSettings(before).webhooks.map(({ id, url }) => [id, url]));
  const moved = toSettings(after).webhooks.filter(({ id, url, secret }) => secret !== '' && known.get(id) !== url);
  const ofWebhooks = Object.fromEntries(moved.map(({ id }) => [`webhooks.${id}.secret`, [`webhooks.${id}.url`]]));
  const { given, forgotten } = forgetSecrets(before, after, {}, ofWebhooks);
  if (Array.isArray(given.webhooks)) {
    given.webhooks = given.webhooks.map((webhook) =>
      moved.some(({ id }) => id === webhook.id) ? { ...webhook, secret: '' } : webhook,
    );
  }
  // A key without a target was left by one that is gone; a change of settings would have cleared it.
  if (!before.backupTarget && isObject(given.backupTarget) && given.backupTarget.secretAccessKey !== '') {
    given.backupTarget = { ...given.backupTarget, secretAccessKey: '' };
    forgotten[TARGET_SECRET] = ['backupTarget'];
  }
  return { given, forgotten };
}
