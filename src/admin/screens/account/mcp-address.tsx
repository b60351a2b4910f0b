import { useState } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useCopied } from '../../shell/use-copied.ts';
import { t } from '../../text/translate.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { TOKENS_URL } from './addresses.ts';
import { NewToken } from './new-token.tsx';
import { listGrantable } from './permissions.ts';

interface McpInfo {
  endpoints: { public: { path: string; enabled: boolean }; admin: { path: string } };
}

/** `permissions` are those that the person has. */
export function McpAddress({ permissions }: { permissions: readonly string[] }) {
  const { site, session, resources } = useAdmin();
  const [isMaking, setMaking] = useState(false);
  const { state, refresh } = useResource<McpInfo>('/api/mcp/info');
  const onCopy = useCopied();
  const toAddress = (path: string): string => withSite(new URL(path, location.origin).href, site);
  return (
    <Loaded state={state} onRetry={refresh}>
      {({ endpoints }) => (
        <>
          {session.may('tokens:manage') && (
            <CopyField
              label={t('mcp.address')}
              value={toAddress(endpoints.admin.path)}
              verb={t('mcp.copy')}
              help={t('mcp.text')}
              onCopy={onCopy}
            />
          )}
          {session.may('tokens:manage') && (
            <div class="buttons mcp-key">
              <button type="button" onClick={() => setMaking(true)}>
                <Icon name="plus" />
                {t('mcp.newKey')}
              </button>
            </div>
          )}
          {isMaking && (
            <NewToken
              grantable={listGrantable(permissions)}
              mcpAddress={toAddress(endpoints.admin.path)}
              onMade={() => resources.refresh(TOKENS_URL)}
              onClose={() => setMaking(false)}
            />
          )}
          {endpoints.public.enabled && (
            <CopyField
              label={t('mcp.public')}
              value={toAddress(endpoints.public.path)}
              verb={t('mcp.copyPublic')}
              help={t('mcp.publicText')}
              onCopy={onCopy}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
