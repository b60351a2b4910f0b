// Secrets of settings and webhooks that the service has just made.
import { useCopied } from '../../shell/use-copied.ts';
import { t } from '../../text/translate.ts';
import { ShownOnce, type ShownOnceProps } from '../../ui/shown-once.tsx';

export function MadeSecrets(props: Pick<ShownOnceProps, 'secrets' | 'onDone'>) {
  return (
    <ShownOnce
      {...props}
      verb={t('secret.copy')}
      help={t('tokens.once')}
      done={t('tokens.done')}
      onCopy={useCopied()}
    />
  );
}
