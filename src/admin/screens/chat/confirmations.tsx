// What the model may not do by itself: each call is a question that names document and effect.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { toShownJson } from '../../ai/steps.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useAct } from '../../shell/use-act.ts';
import { t } from '../../text/translate.ts';
import type { Confirmation } from './chat-turn.ts';
import { toAsked, toDone, toOpenUrl } from './confirmation-texts.ts';

export interface ConfirmationsProps {
  waiting: readonly Confirmation[];
  /** Whether they have just come with an answer; then they get the focus, unless something is being typed. */
  hasCome: boolean;
  /** Called after an answer, whatever came of it. */
  onAnswered(): Promise<void>;
  /** Gives the focus to what comes next once nothing waits. */
  onLast(): void;
}

export function Confirmations({ waiting, hasCome, onAnswered, onLast }: ConfirmationsProps) {
  const { request, messages } = useAdmin();
  const act = useAct();
  const list = useRef<HTMLDivElement>(null);
  const first = waiting[0]?.id;
  const isNext = useRef(false);

  useLayoutEffect(() => {
    const wasAnswered = isNext.current;
    isNext.current = false;
    // Not a button: a key that was meant for the message must not answer.
    if (first !== undefined && (hasCome || wasAnswered)) list.current?.querySelector('h2')?.focus();
    else if (first === undefined && wasAnswered) onLast();
  }, [first]);

  const answer = (one: Confirmation, confirm: boolean): Promise<void> =>
    act(one.id, async () => {
      try {
        await request('POST', `/api/cms/chat/${encodeURIComponent(one.id)}/confirm`, { body: { confirm } });
        messages.notify(toDone(one, confirm));
      } finally {
        isNext.current = true;
        await onAnswered();
      }
    });

  return (
    <div class={first === undefined ? 'hidden' : 'confirmations'} ref={list}>
      <p class="hidden" role="status">
        {waiting.map(toAsked).join(' ')}
      </p>
      {waiting.map((one) => (
        <Question key={one.id} confirmation={one} onAnswer={(confirm) => void answer(one, confirm)} />
      ))}
    </div>
  );
}

function Question({ confirmation, onAnswer }: { confirmation: Confirmation; onAnswer(confirm: boolean): void }) {
  const { effect, document, input } = confirmation;
  const id = useId();
  const url = toOpenUrl(confirmation, toDocumentPath);
  return (
    <section class="no-provider confirmation" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {toAsked(confirmation)}
      </h2>
      <p class="help">{t('chat.confirmWhy')}</p>
      <details open={effect === 'update' || effect === 'schedule'}>
        <summary>{t('chat.confirmInput')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too long */}
        <pre tabIndex={0}>{toShownJson(input)}</pre>
      </details>
      <div class="buttons">
        <button type="button" class="primary" aria-describedby={id} onClick={() => onAnswer(true)}>
          {t('chat.confirm')}
        </button>
        <button type="button" aria-describedby={id} onClick={() => onAnswer(false)}>
          {t('chat.refuse')}
        </button>
        {document && url && (
          <a href={url} target="_blank" rel="noreferrer">
            {t('chat.look')}
          </a>
        )}
      </div>
    </section>
  );
}
