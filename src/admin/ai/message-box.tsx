// The box that a message to a model is typed into: Enter sends it.
import type { Ref } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../text/translate.ts';

export interface MessageBoxProps {
  label: string;
  value: string;
  isBusy: boolean;
  /** The id of the words that say why nothing can be sent. */
  offBecause?: string | undefined;
  inputRef?: Ref<HTMLTextAreaElement>;
  onInput(text: string): void;
  onSend(): void;
  onStop(): void;
}

const MAX_CHARS = 20_000;

export function MessageBox(props: MessageBoxProps) {
  const { label, value, isBusy, offBecause, inputRef, onInput, onSend, onStop } = props;
  const id = useId();
  const canSend = offBecause === undefined && !isBusy && value.trim() !== '';
  const send = (): void => {
    if (canSend) onSend();
  };
  return (
    <form
      class="message-box"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for={id}>{label}</label>
      <textarea
        id={id}
        {...(inputRef ? { ref: inputRef } : {})}
        rows={2}
        maxLength={MAX_CHARS}
        value={value}
        aria-describedby={[offBecause, `${id}-help`].filter(Boolean).join(' ')}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => {
          // While a word is being composed, Enter ends it.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="buttons">
        {isBusy ? (
          <button type="button" onClick={onStop}>
            {t('chat.stop')}
          </button>
        ) : (
          <button type="submit" class="primary" aria-disabled={!canSend} aria-describedby={offBecause}>
            {t('chat.send')}
          </button>
        )}
        <p class="help" id={`${id}-help`}>
          {t('chat.sendHelp')}
        </p>
      </div>
    </form>
  );
}
