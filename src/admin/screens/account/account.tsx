// One's own account: who one is, how large things are, and what else signs in as oneself.
import '../../text/en-account.ts';
import type { Profile } from '../../api/session.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Codes } from './codes.tsx';
import { LetterKeys } from './letter-keys.tsx';
import { McpAddress } from './mcp-address.tsx';
import { OthersTokens } from './others-tokens.tsx';
import { ProfileForm } from './profile-form.tsx';
import { Scale } from './scale.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

export default function Account() {
  const { session } = useAdmin();
  const state = session.state.value;
  return <Screen heading={t('account.title')}>{state.kind === 'signed-in' && <Sections {...state.profile} />}</Screen>;
}

function Sections({ user, oneTimeCodes, permissions, preferences }: Profile) {
  const { session } = useAdmin();
  const isOwed = oneTimeCodes.wanted && !oneTimeCodes.on && permissions.length === 0;
  return (
    <div class="account">
      {isOwed && (
        <p class="warned" role="alert">
          <Icon name="warning" />
          {t('codes.owed')}
        </p>
      )}
      <Card title={t('profile.title')} icon="account">
        <ProfileForm user={user} />
      </Card>
      <Card title={t('scale.title')} icon="settings">
        <Scale zoom={user.zoom} />
        <LetterKeys preferences={preferences} />
      </Card>
      <Card title={t('codes.title')} icon="lock">
        <Codes state={oneTimeCodes} />
      </Card>
      <Card title={t('sessions.title')} icon="globe">
        <Sessions />
      </Card>
      {session.may('tokens:manage') && (
        <Card title={t('tokens.title')} icon="clipboard">
          <Tokens permissions={permissions} />
        </Card>
      )}
      {session.may('team:manage') && (
        <Card title={t('othersTokens.title')} icon="lock">
          <OthersTokens />
        </Card>
      )}
      {!isOwed && (
        <Card title={t('mcp.title')} icon="message">
          <McpAddress permissions={permissions} />
        </Card>
      )}
    </div>
  );
}
