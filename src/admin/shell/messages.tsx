// What was done, shown politely, with a way back if there is one; and what failed, announced at once. What has no way
// back in the service is held: it is done when its message has gone.
import { type Signal, signal } from '@preact/signals';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';

export interface Message {
  id: number;
  text: string;
  undo?: (() => void) | undefined;
}

export interface HeldAct {
  /** What it is about; it counts as done for those who show it. */
  key: string;
  text: string;
  /** Called once; `isLeaving` if the page is being left. Resolves in any case. */
  act(isLeaving: boolean): Promise<void>;
  onUndo?(): void;
}

export interface Messages {
  readonly told: Signal<readonly Message[]>;
  readonly failed: Signal<readonly Message[]>;
  notify(text: string, undo?: () => void): void;
  fail(text: string): void;
  /** Says that something is about to be done, and does it once the message has gone without an undo. */
  hold(act: HeldAct): void;
  /** Keys of what is held, or being done. */
  readonly held: Signal<ReadonlySet<string>>;
  /** Does at once what is held: nothing waits for a message that nobody sees. */
  settle(isLeaving?: boolean): Promise<void>;
  dismiss(id: number): void;
}

/** With an undo it stays long enough to be read, found and pressed. */
const SHOWN_MS = 6000;
const SHOWN_WITH_UNDO_MS = 15_000;

export function createMessages(): Messages {
  const told = signal<readonly Message[]>([]);
  const failed = signal<readonly Message[]>([]);
  const held = signal<ReadonlySet<string>>(new Set());
  /** What is done when a message goes. */
  const waiting = new Map<number, (isLeaving: boolean) => Promise<void>>();
  let count = 0;
  const dismiss = (id: number): void => {
    told.value = told.value.filter((message) => message.id !== id);
    failed.value = failed.value.filter((message) => message.id !== id);
  };
  /** Its time is over. */
  const expire = (id: number): void => {
    dismiss(id);
    void waiting.get(id)?.(false);
  };
  const notify = (text: string, undo?: () => void): number => {
    const id = ++count;
    told.value = [...told.value, { id, text, undo }];
    setTimeout(expire, undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS, id);
    return id;
  };
  return {
    ...{ told, failed, held, dismiss },
    notify: (text, undo) => void notify(text, undo),
    hold({ key, text, act, onUndo }) {
      held.value = new Set([...held.value, key]);
      const release = (): void => void (held.value = new Set([...held.value].filter((one) => one !== key)));
      const id = notify(text, () => {
        // A click may come just after the time was over.
        if (!waiting.delete(id)) return;
        release();
        onUndo?.();
      });
      waiting.set(id, async (isLeaving) => {
        waiting.delete(id);
        await act(isLeaving);
        release();
      });
    },
    async settle(isLeaving = false) {
      const all = [...waiting];
      for (const [id] of all) dismiss(id);
      await Promise.all(all.map(([, act]) => act(isLeaving)));
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
