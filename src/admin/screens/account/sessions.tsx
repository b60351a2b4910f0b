import { useId, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { useSignOut } from '../../shell/use-sign-out.ts';
import { t } from '../../text/translate.ts';
import { Loaded } from '../../ui/states.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { SESSIONS_URL } from './addresses.ts';
import { toDeviceName } from './device-name.ts';

interface OpenSession {
  id: string;
  userAgent: string;
  address: string;
  lastSeenAt: string;
  current: boolean;
}

export function Sessions() {
  const { request, messages } = useAdmin();
  const signOut = useSignOut();
  const { state, refresh } = useFresh<{ sessions: OpenSession[] }>(SESSIONS_URL);
  const [ending, setEnding] = useState<string>();
  const id = useId();

  async function end({ id: sessionId, userAgent, current }: OpenSession): Promise<void> {
    if (current) return signOut();
    setEnding(sessionId);
    try {
      await request('DELETE', `${SESSIONS_URL}/${encodeURIComponent(sessionId)}`);
      messages.notify(t('sessions.ended', { name: toName(userAgent) }));
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      setEnding(undefined);
      refresh();
    }
  }

  return (
    <Loaded state={state} onRetry={refresh}>
      {({ sessions }) => (
        <table class="sessions" aria-label={t('sessions.title')}>
          <TableHead columns={[t('sessions.browser'), t('sessions.lastSeen')]} actions={t('sessions.action')} />
          <tbody>
            {sessions.map((one) => (
              <tr key={one.id}>
                <th scope="row" id={`${id}-${one.id}`}>
                  <bdi>{toName(one.userAgent)}</bdi>
                  <span class="help">{one.address}</span>
                  {one.current && <span class="mark">{t('sessions.current')}</span>}
                </th>
                <td>
                  <Time at={one.lastSeenAt} />
                </td>
                <td>
                  <button
                    type="button"
                    aria-describedby={`${id}-${one.id}`}
                    disabled={ending === one.id}
                    onClick={() => void end(one)}
                  >
                    {t('account.signOut')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Loaded>
  );
}

function toName(userAgent: string): string {
  const { browser, system } = toDeviceName(userAgent);
  if (browser === undefined) return t('sessions.unknown');
  return system === undefined ? browser : t('sessions.on', { browser, system });
}
