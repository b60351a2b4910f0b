import { withSite } from '../../api/client.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useCopied } from '../../shell/use-copied.ts';
import { t } from '../../text/translate.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Loaded } from '../../ui/states.tsx';

interface McpInfo {
  endpoints: { public: { path: string; enabled: boolean }; admin: { path: string } };
}

export function McpAddress() {
  const { site, session } = useAdmin();
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
