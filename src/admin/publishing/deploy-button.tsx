// The button that deploys, wherever it stands. While the request is on its way it keeps the focus.
import { useState } from 'preact/hooks';
import { useAct } from '../shell/use-act.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import type { DeployRun } from './deploys.ts';
import { type DeployWish, useTrigger } from './use-deploys.ts';

export interface DeployButtonProps {
  wish?: DeployWish;
  class?: string;
  /** More about it, such as how the last deploy ended. */
  title?: string;
  /** The id of the words that say why it cannot be pressed. */
  offBecause?: string | undefined;
  onAsked?(run: DeployRun): void;
}

export function DeployButton({ wish, class: name = '', title, offBecause, onAsked }: DeployButtonProps) {
  const trigger = useTrigger();
  const act = useAct();
  const [isBusy, setBusy] = useState(false);

  async function deploy(): Promise<void> {
    if (offBecause !== undefined) return;
    await act('deploy', async () => {
      setBusy(true);
      const run = await trigger(wish);
      setBusy(false);
      if (run) onAsked?.(run);
    });
  }

  return (
    <button
      type="button"
      data-once
      class={name}
      title={title}
      aria-disabled={isBusy || offBecause !== undefined}
      aria-describedby={offBecause}
      onClick={() => void deploy()}
    >
      <Icon name="rocket" />
      <span class="deploy-word">{t('deploy.button')}</span>
    </button>
  );
}
