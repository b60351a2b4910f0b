// One's own conversations, newest first.
import { useState } from 'preact/hooks';
import type { Schema } from '../../api/answer.ts';
import type { ResourceState } from '../../api/resources.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';

type ConversationSummary = Schema<'Conversation'> extends infer C ? Omit<C, 'messages'> : never;

interface FoundConversations {
  state: ResourceState<{ conversations: readonly ConversationSummary[] }>;
  refresh(): void;
}

export const CONVERSATIONS = '/api/cms/chat/conversations';

export function useConversations(): FoundConversations {
  const found = useFresh<{ conversations: readonly ConversationSummary[] }>(CONVERSATIONS);
  useLive(['conversation'], found.refresh);
  return found;
}

export interface ConversationsProps extends FoundConversations {
  /** The one that is open. */
  id: string | undefined;
  onNew(): void;
  /** Undefined for all of them. */
  onDeleted(id: string | undefined): void;
}

export function Conversations({ state, refresh, id, onNew, onDeleted }: ConversationsProps) {
  const { request, messages } = useAdmin();
  const [asked, setAsked] = useState<ConversationSummary | 'all'>();

  async function remove(which: ConversationSummary | 'all'): Promise<void> {
    setAsked(undefined);
    try {
      const one = which === 'all' ? undefined : which.id;
      await request('DELETE', one === undefined ? CONVERSATIONS : `${CONVERSATIONS}/${encodeURIComponent(one)}`);
      messages.notify(t(one === undefined ? 'chat.deletedAll' : 'chat.deleted'));
      onDeleted(one);
      // The button that was pressed goes.
      document.querySelector<HTMLElement>('.chat-list > button')?.focus();
    } catch (error) {
      messages.fail(toSentence(error));
    }
    refresh();
  }

  return (
    <div class="chat-list">
      <button type="button" onClick={onNew}>
        <Icon name="plus" />
        {t('chat.new')}
      </button>
      <details class="chat-past" open={matchMedia('(min-width: 48rem)').matches}>
        <summary>{t('chat.conversations')}</summary>
        <Loaded state={state} onRetry={refresh}>
          {({ conversations }) =>
            conversations.length === 0 ? (
              <Empty>{t('chat.none')}</Empty>
            ) : (
              <>
                <ul class="queue" aria-label={t('chat.conversations')}>
                  {conversations.map((one) => (
                    <li key={one.id} class="with-button">
                      <a
                        href={`/admin/chat?c=${encodeURIComponent(one.id)}`}
                        aria-current={one.id === id ? 'true' : undefined}
                      >
                        <span class="row-title">
                          <bdi>{one.title}</bdi>
                        </span>
                        <span class="help">
                          <Time at={one.updatedAt} />
                        </span>
                      </a>
                      <button
                        type="button"
                        class="plain"
                        aria-label={t('chat.delete', { title: one.title })}
                        onClick={() => setAsked(one)}
                      >
                        <Icon name="trash" />
                      </button>
                    </li>
                  ))}
                </ul>
                {conversations.length > 1 && (
                  <button type="button" class="plain" onClick={() => setAsked('all')}>
                    {t('chat.deleteAll')}
                  </button>
                )}
              </>
            )
          }
        </Loaded>
      </details>
      {asked && (
        <AlertDialog
          title={t('chat.deleteVerb')}
          verb={t('chat.deleteVerb')}
          cancel={t('app.cancel')}
          onConfirm={() => void remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked === 'all' ? t('chat.deleteAllText') : t('chat.deleteText', { title: asked.title })}</p>
        </AlertDialog>
      )}
    </div>
  );
}
