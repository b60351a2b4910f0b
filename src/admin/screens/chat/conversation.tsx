// One conversation: what was said before, what is said now, and the box for the next message.
import { useEffect, useRef, useState } from 'preact/hooks';
import { AnswerView } from '../../ai/answer.tsx';
import { Markdown } from '../../ai/markdown.tsx';
import { MessageBox } from '../../ai/message-box.tsx';
import { NO_PROVIDER_ID } from '../../ai/no-provider.tsx';
import { useEndInView } from '../../ai/use-end-in-view.ts';
import type { Schema } from '../../api/answer.ts';
import { isMissing } from '../../api/failure.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useKept } from '../../shell/use-kept.ts';
import { toUsd } from '../../text/money.ts';
import { t } from '../../text/translate.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import type { ChatMessage, ChatTurn, Confirmation, TokenUsage } from './chat-turn.ts';
import { Confirmations } from './confirmations.tsx';
import { CONVERSATIONS } from './conversations.tsx';
import { parseUnanswered, toKeptText, toUnsent, withoutQuestion, withQuestion } from './unanswered.ts';
import { useChat } from './use-chat.ts';

export interface ConversationProps {
  id: string | undefined;
  /** Whether the service has what was said before this page began with it. */
  isKept: boolean;
  /** Whether there is a model. */
  isReady: boolean;
  onKept(id: string): void;
}

export function Conversation(props: ConversationProps) {
  // Asked for once: what is said on this page is shown from here.
  const [isKept] = useState(props.isKept);
  const url = isKept && props.id !== undefined ? `${CONVERSATIONS}/${encodeURIComponent(props.id)}` : undefined;
  const [fixed] = useState(url);
  const { state, refresh } = useResource<Schema<'Conversation'>>(fixed);
  const { resources } = useAdmin();
  // What is there from an earlier look lacks what was said since, and Talk takes what it is given once.
  const [isOld, setOld] = useState(fixed !== undefined && state.kind === 'ready');
  useEffect(() => {
    if (isOld && fixed !== undefined)
      void resources
        .get(fixed)
        .refresh()
        .then(() => setOld(false));
  }, []);
  if (fixed === undefined) return <Talk {...props} before={[]} asked={[]} />;
  if (state.kind === 'failed' && isMissing(state.error)) return <Empty>{t('chat.unknown')}</Empty>;
  return (
    <div class="talk">
      <Loaded state={isOld ? { kind: 'loading' } : state} onRetry={refresh}>
        {(data) => <Talk {...props} before={data.messages} asked={data.confirmations} />}
      </Loaded>
    </div>
  );
}

interface TalkProps extends ConversationProps {
  before: readonly ChatMessage[];
  asked: readonly Confirmation[];
}

function Talk({ id, isReady, onKept, before: given, asked: askedBefore }: TalkProps) {
  // If an answer comes to nothing, what its tools changed stays, and asking again would change it twice.
  const acted = useKept('chat-acted');
  // The service adds the turns of this page to what it keeps; here they are shown once.
  const [before] = useState(given);
  const chat = useChat({
    ...{ id, url: CONVERSATIONS, before, asked: askedBefore },
    onKept(kept, question) {
      keepAsked(withoutQuestion(readAsked(), question));
      acted.keep('');
      onKept(kept);
    },
    onActed: () => acted.keep('yes'),
  });
  const unsent = useKept('chat');
  // What was asked and not answered is in the box again after a reload: the service keeps whole turns only.
  const asked = useKept('chat-unanswered');
  const readAsked = (): string[] => parseUnanswered(asked.read());
  const keepAsked = (questions: readonly string[]): void => asked.keep(toKeptText(questions));
  const [text, setText] = useState(() => {
    const left = toUnsent(readAsked(), unsent.read(), before);
    // From here on it is what is typed, and gone if that is thrown away.
    unsent.keep(left);
    keepAsked([]);
    return left;
  });
  const [isWarned, setWarned] = useState(() => text !== '' && acted.read() !== null);
  const box = useRef<HTMLTextAreaElement>(null);
  const log = useEndInView();
  const isEmpty = before.length === 0 && chat.turns.length === 0;

  function type(next: string): void {
    setText(next);
    unsent.keep(next);
    if (next !== '') return;
    acted.keep('');
    setWarned(false);
  }

  return (
    <div class="talk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too long */}
      <div class="log" role="log" aria-label={t('chat.conversation')} aria-busy={chat.isBusy} tabIndex={0} ref={log}>
        {isEmpty && <p class="empty">{t('chat.text')}</p>}
        {before.map(({ role, content }, at) =>
          role === 'user' ? (
            <Question key={`${at}`} text={content} />
          ) : (
            <div class="said by-model" key={`${at}`}>
              <Speaker name={t('chat.assistant')} />
              <Markdown text={content} />
            </div>
          ),
        )}
        {chat.turns.map((turn, at) => (
          <Turn
            key={`turn ${at}`}
            turn={turn}
            onAgain={
              at === chat.turns.length - 1
                ? () => {
                    void chat.sendAgain();
                    box.current?.focus();
                  }
                : undefined
            }
          />
        ))}
      </div>
      <Confirmations
        waiting={chat.confirmations.filter(({ state }) => state === 'waiting')}
        hasCome={chat.turns.length > 0 && text === ''}
        onAnswered={chat.look}
        onLast={() => box.current?.focus()}
      />
      {isWarned && <p class="note">{t('chat.acted')}</p>}
      <MessageBox
        label={t('chat.message')}
        value={text}
        isBusy={chat.isBusy}
        offBecause={isReady ? undefined : NO_PROVIDER_ID}
        inputRef={box}
        onInput={type}
        onSend={() => {
          keepAsked(withQuestion(readAsked(), text.trim()));
          void chat.send(text.trim());
          type('');
          box.current?.focus();
        }}
        onStop={() => {
          chat.stop();
          box.current?.focus();
        }}
      />
    </div>
  );
}

function Speaker({ name }: { name: string }) {
  return <p class="speaker">{name}</p>;
}

function Question({ text }: { text: string }) {
  return (
    <div class="said by-person">
      <Speaker name={t('chat.you')} />
      <p class="words">
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}

function Turn({ turn, onAgain }: { turn: ChatTurn; onAgain: (() => void) | undefined }) {
  const { question, parts, state, reason, usage } = turn;
  const hasFailed = state === 'failed' || state === 'stopped';
  return (
    <>
      <Question text={question} />
      <div class="said by-model">
        <Speaker name={t('chat.assistant')} />
        <AnswerView parts={parts} />
        {state === 'working' && <p class="thinking">{t('chat.thinking')}</p>}
        {state === 'stopped' && <p class="help">{t('chat.stopped')}</p>}
        {state === 'failed' && (
          <p class="error" role="alert">
            {t('chat.failed', { reason: reason ?? '' })}
          </p>
        )}
        {hasFailed && onAgain && (
          <button type="button" onClick={onAgain}>
            {t('chat.again')}
          </button>
        )}
        {usage && <Usage usage={usage} />}
      </div>
    </>
  );
}

function Usage({ usage: { inputTokens, outputTokens, costUsd } }: { usage: TokenUsage }) {
  return (
    <p class="help usage">
      {t('ai.tokens', { count: inputTokens + outputTokens })}
      {costUsd !== null && ` · ${toUsd(costUsd)}`}
    </p>
  );
}
