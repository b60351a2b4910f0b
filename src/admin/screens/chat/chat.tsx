// A chat with a model that may do what the person may: conversations on one side, one of them on the other.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { NoProvider, useAiState } from '../../ai/no-provider.tsx';
import { useAdmin } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound, Screen } from '../../shell/screen.tsx';
import { useIsMissing } from '../../shell/use-is-missing.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Conversation } from './conversation.tsx';
import { Conversations, useConversations } from './conversations.tsx';
import '../../text/en-ai.ts';

export default function ChatScreen() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <Chat />;
}

function toChatPath(id: string | undefined): string {
  return id === undefined ? '/admin/chat' : `/admin/chat?c=${encodeURIComponent(id)}`;
}

function Chat() {
  const { query } = useLocation();
  const navigate = useNavigate();
  const found = useConversations();
  const isReady = useAiState()?.ready !== false;
  const id = query.c;
  const isMissing = useIsMissing(id && `/api/cms/chat/conversations/${encodeURIComponent(id)}`);
  // What this page has begun stays the same conversation when it gets its id.
  const [begun, setBegun] = useState<{ id: string; key: string }>();
  const [count, setCount] = useState(0);
  const key = id === undefined ? `new ${count}` : begun?.id === id ? begun.key : id;
  if (isMissing) return <NotFound />;
  return (
    <Screen heading={t('chat.title')}>
      <NoProvider />
      <div class="chat">
        <Conversations
          {...found}
          id={id}
          onNew={() => {
            setCount(count + 1);
            navigate(toChatPath(undefined));
          }}
          onDeleted={(gone) => {
            if (gone !== undefined && gone !== id) return;
            setCount(count + 1);
            navigate(toChatPath(undefined), true);
          }}
        />
        <Conversation
          key={key}
          id={id}
          isKept={id !== undefined && begun?.id !== id}
          isReady={isReady}
          onKept={(kept) => {
            found.refresh();
            if (kept === id) return;
            setBegun({ id: kept, key });
            // The next new one is another one.
            setCount(count + 1);
            navigate(toChatPath(kept), true);
          }}
        />
      </div>
    </Screen>
  );
}
