// The access tokens and MCP keys of others, for those who manage the team.
import { useState } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { t } from '../../text/translate.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { TOKENS_URL } from './addresses.ts';
import { TokenList } from './tokens.tsx';

export function OthersTokens() {
  const { session } = useAdmin();
  const { state, refresh } = useFresh<Answer<'/api/admin/users'>>('/api/admin/users');
  const [chosen, setChosen] = useState('');
  const me = session.state.value.kind === 'signed-in' ? session.state.value.profile.user.id : undefined;
  return (
    <Loaded state={state} onRetry={refresh}>
      {({ users }) => {
        const others = users.filter(({ id }) => id !== me);
        if (others.length === 0) return <Empty>{t('othersTokens.alone')}</Empty>;
        return (
          <>
            <label class="field others-tokens">
              <span>{t('othersTokens.person')}</span>
              <select value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                <option value="">{t('othersTokens.choose')}</option>
                {others.map(({ id, name, email }) => (
                  <option key={id} value={id}>
                    {`${name} (${email})`}
                  </option>
                ))}
              </select>
            </label>
            {chosen && (
              <TokenList
                key={chosen}
                url={`${TOKENS_URL}?user=${encodeURIComponent(chosen)}`}
                label={t('othersTokens.title')}
                empty={t('othersTokens.empty')}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
