// The interview on the screen, and the version that it ends in, beside the one before.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Markdown } from '../../ai/markdown.tsx';
import { MessageBox } from '../../ai/message-box.tsx';
import { useEndInView } from '../../ai/use-end-in-view.ts';
import { useKept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { useKeptInterview } from './kept-interview.ts';
import { useInterview } from './use-interview.ts';
import type { VoiceVersion } from './voice-record.ts';
import { useActivate } from './voice-versions.tsx';
import { VoiceChanges, VoiceParts } from './voice-view.tsx';

export interface InterviewProps {
  active: VoiceVersion | undefined;
  versions: readonly VoiceVersion[];
  onChanged(): void;
  onClose(): void;
}

export function Interview({ active, versions, onChanged, onClose }: InterviewProps) {
  const [begun] = useState({ active, ids: new Set(versions.map(({ id }) => id)) });
  const kept = useKeptInterview();
  const interview = useInterview(kept, onChanged);
  const { messages, coming, isBusy, problem, saved } = interview;
  const typed = useKept('interview-answer');
  const [text, setText] = useState(() => typed.read() ?? '');
  const [isLeaving, setLeaving] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const log = useEndInView();
  useEffect(() => box.current?.focus(), []);
  if (saved) {
    const theirs = versions.findLast(({ id }) => id !== saved.id && !begun.ids.has(id));
    return <SavedVersion {...{ saved, theirs, onChanged, onClose }} before={theirs ?? begun.active} />;
  }

  const type = (next: string): void => {
    setText(next);
    typed.keep(next);
  };
  const answer = (said: string): void => {
    interview.answer(said);
    type('');
    box.current?.focus();
  };
  const leave = (): void => {
    kept.keep('');
    typed.keep('');
    onClose();
  };
  return (
    <section class="interview" aria-label={t('voice.interview')}>
      <div class="talk">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too long */}
        <div class="log" role="log" aria-label={t('voice.interview')} aria-busy={isBusy} tabIndex={0} ref={log}>
          {messages.map(({ role, content }, at) => (
            <div class={`said ${role === 'user' ? 'by-person' : 'by-model'}`} key={`${at}`}>
              {role === 'user' ? <p class="words">{content}</p> : <Markdown text={content} />}
            </div>
          ))}
          {coming !== '' && (
            <div class="said by-model">
              <Markdown text={coming} />
            </div>
          )}
          {isBusy && coming === '' && <p class="thinking">{t('chat.thinking')}</p>}
          {problem && (
            <>
              <p class="error" role="alert">
                {t('chat.failed', { reason: problem })}
              </p>
              <button type="button" onClick={interview.again}>
                {t('voice.again')}
              </button>
            </>
          )}
        </div>
        <MessageBox
          label={t('voice.answer')}
          value={text}
          {...{ isBusy }}
          inputRef={box}
          onInput={type}
          onSend={() => answer(text.trim())}
          onStop={interview.stop}
        />
      </div>
      <p class="buttons">
        {messages.length > 1 && !isBusy && (
          <button
            type="button"
            onClick={() => answer([text.trim(), t('voice.finishText')].filter(Boolean).join('\n\n'))}
          >
            {t('voice.finish')}
          </button>
        )}
        <button
          type="button"
          class="plain"
          onClick={() => (messages.some(({ role }) => role === 'user') ? setLeaving(true) : leave())}
        >
          {t('voice.close')}
        </button>
      </p>
      {isLeaving && (
        <AlertDialog
          title={t('voice.close')}
          verb={t('voice.close')}
          cancel={t('app.cancel')}
          onConfirm={leave}
          onClose={() => setLeaving(false)}
        >
          <p>{t('voice.leaveText')}</p>
        </AlertDialog>
      )}
    </section>
  );
}

interface SavedVersionProps {
  saved: VoiceVersion;
  before: VoiceVersion | undefined;
  /** Saved by another person during the interview. */
  theirs: VoiceVersion | undefined;
  onChanged(): void;
  onClose(): void;
}

function SavedVersion({ saved, before, theirs, onChanged, onClose }: SavedVersionProps) {
  const activate = useActivate(onChanged);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section class="interview">
      <h2 ref={title} tabIndex={-1}>
        {t('voice.newVersion')}
      </h2>
      <p class="note" role="status">
        {t('voice.done')}
        {theirs && ` ${t('voice.doneInstead', { who: theirs.createdBy.name })}`}
      </p>
      <VoiceParts voice={saved} />
      {before && (
        <details open>
          <summary>{t('voice.comparedToBefore')}</summary>
          <VoiceChanges from={before} to={saved} />
        </details>
      )}
      <p class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          {t('voice.keep')}
        </button>
        {before && (
          <button
            type="button"
            onClick={() => {
              void activate(before, saved);
              onClose();
            }}
          >
            {t('voice.backTo')}
          </button>
        )}
      </p>
    </section>
  );
}
