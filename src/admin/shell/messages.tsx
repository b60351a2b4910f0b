// What was done, shown politely, with a way back if there is one; and what failed, announced at once.
import { type Signal, signal } from '@preact/signals';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';

export interface Message {
  id: number;
  text: string;
  undo?: (() => void) | undefined;
}

export interface Messages {
  readonly told: Signal<readonly Message[]>;
  readonly failed: Signal<readonly Message[]>;
  notify(text: string, undo?: () => void): void;
  fail(text: string): void;
  dismiss(id: number): void;
}

/** With an undo it stays long enough to be read, found and pressed. */
const SHOWN_MS = 6000;
const SHOWN_WITH_UNDO_MS = 15_000;

export function createMessages(): Messages {
  const told = signal<readonly Message[]>([]);
  const failed = signal<readonly Message[]>([]);
  let count = 0;
  const dismiss = (id: number): void => {
    told.value = told.value.filter((message) => message.id !== id);
    failed.value = failed.value.filter((message) => message.id !== id);
  };
  return {
    ...{ told, failed, dismiss },
    notify(text, undo) {
      const id = ++count;
      told.value = [...told.value, { id, text, undo }];
      setTimeout(dismiss, undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS, id);
    },
    fail(text) {
      failed.value = [...failed.value.filter((message) => message.text !== text), { id: ++count, text }];
    },
  };
}

export function MessageArea({ messages }: { messages: Messages }) {
  return (
    <div class="messages">
      <div role="status" aria-label={t('app.messages')} aria-live="polite">
        {messages.told.value.map((message) => (
          <p class="message" key={message.id}>
            <span>{message.text}</span>
            {message.undo && (
              <button
                type="button"
                class="plain"
                onClick={() => {
                  messages.dismiss(message.id);
                  message.undo?.();
                }}
              >
                {t('app.undo')}
              </button>
            )}
          </p>
        ))}
      </div>
      {messages.failed.value.map((message) => (
        <div class="message failed" role="alert" key={message.id}>
          <span>{message.text}</span>
          <button
            type="button"
            class="plain"
            aria-label={t('app.dismiss')}
            onClick={() => messages.dismiss(message.id)}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  );
}
