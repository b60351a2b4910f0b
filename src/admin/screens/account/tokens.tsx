import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { TOKENS_URL } from './addresses.ts';
import { NewToken } from './new-token.tsx';
import { listGrantable } from './permissions.ts';

interface AccessToken {
  id: string;
  name: string;
  permissions: readonly string[];
  masked: string;
  notAfter: string | null;
  actor: 'user' | 'ai';
  lastUsedAt: string | null;
}

/** `permissions` are those that the person has. */
export function Tokens({ permissions }: { permissions: readonly string[] }) {
  const { refresh } = useResource(TOKENS_URL);
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <p class="help">{t('tokens.text')}</p>
      <TokenList url={TOKENS_URL} label={t('tokens.title')} empty={t('tokens.empty')} />
      <div class="buttons">
        <button type="button" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          {t('tokens.new')}
        </button>
      </div>
      {isMaking && (
        <NewToken grantable={listGrantable(permissions)} onMade={refresh} onClose={() => setMaking(false)} />
      )}
    </>
  );
}

/** Tokens at an address, each to be revoked. */
export function TokenList({ url, label, empty }: { url: string; label: string; empty: string }) {
  const { request, messages } = useAdmin();
  const { state, refresh } = useFresh<{ tokens: AccessToken[] }>(url);
  const [revoking, setRevoking] = useState<AccessToken>();

  async function revoke({ id, name }: AccessToken): Promise<void> {
    setRevoking(undefined);
    try {
      await request('DELETE', `${TOKENS_URL}/${encodeURIComponent(id)}`);
      messages.notify(t('tokens.revoked', { name }));
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      refresh();
    }
  }

  return (
    <>
      <Loaded state={state} onRetry={refresh}>
        {({ tokens }) => (
          <>
            <ul class="rows tokens" aria-label={label}>
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
            {tokens.length === 0 && <Empty>{empty}</Empty>}
          </>
        )}
      </Loaded>
      {revoking && (
        <AlertDialog
          title={t('tokens.revoke')}
          verb={t('tokens.revoke')}
          cancel={t('app.cancel')}
          onConfirm={() => void revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{t('tokens.revokeText', { name: revoking.name })}</p>
        </AlertDialog>
      )}
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: AccessToken; onRevoke(): void }) {
  const nowMs = useAdmin().now().getTime();
  const { name, masked, permissions, notAfter, lastUsedAt, actor } = token;
  const isOver = notAfter !== null && Date.parse(notAfter) <= nowMs;
  return (
    <li>
      <span class="row-title">
        <bdi>{name}</bdi> <code dir="ltr">{masked}</code>
      </span>
      <button type="button" aria-label={t('tokens.revokeOne', { name })} onClick={onRevoke}>
        {t('tokens.revoke')}
      </button>
      <span class="help">{permissions.join(', ')}</span>
      <span class="help">
        {[
          notAfter === null
            ? t('tokens.noEnd')
            : t(isOver ? 'tokens.ended' : 'tokens.ends', { when: toExact(notAfter) }),
          lastUsedAt === null ? t('tokens.unused') : t('tokens.used', { when: toRelative(lastUsedAt, nowMs) }),
          ...(actor === 'ai' ? [t('tokens.ai')] : []),
        ].join(' · ')}
      </span>
    </li>
  );
}
