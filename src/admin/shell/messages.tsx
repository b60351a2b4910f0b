// What was done, shown politely, with a way back if there is one; and what failed, announced at once. What has no way
// back in the service is held: it is done when its message has gone.
import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';

export interface Message {
  id: number;
  text: string;
  undo?: (() => void) | undefined;
  links?: readonly MessageLink[];
}

export interface MessageLink {
  href: string;
  text: string;
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
  notify(text: string, undo?: () => void, links?: readonly MessageLink[]): void;
  fail(text: string): void;
  /** Says that something is about to be done, and does it once the message has gone without an undo. */
  hold(act: HeldAct): void;
  /** Keys of what is held, or being done. */
  readonly held: Signal<ReadonlySet<string>>;
  /** Does at once what is held: nothing waits for a message that nobody sees. */
  settle(isLeaving?: boolean): Promise<void>;
  dismiss(id: number): void;
  /** Takes a way back from the screen, with its message. */
  withdraw(undo: () => void): void;
  /** Set by what shows them: whether the pointer or the focus is on one. */
  isAttended: () => boolean;
}

/** With an undo it stays long enough to be read, found and pressed. */
const SHOWN_MS = 6000;
const SHOWN_WITH_UNDO_MS = 15_000;
/** How soon a message whose time is over is looked at again while a person is at it. */
const LOOK_AGAIN_MS = 500;
/** The key that leads to the newest message with a way back. */
const UNDO_KEY = 'F8';

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
  /** Its time is over, unless a person is at the messages, or just was (WCAG 2.2.1). */
  const expire = (id: number, wasAttended = false): void => {
    if (!told.value.some((message) => message.id === id)) return;
    if (messages.isAttended()) return void setTimeout(expire, LOOK_AGAIN_MS, id, true);
    if (wasAttended) return void setTimeout(expire, SHOWN_MS, id);
    dismiss(id);
    void waiting.get(id)?.(false);
  };
  const notify = (text: string, undo?: () => void, links: readonly MessageLink[] = []): number => {
    const id = ++count;
    told.value = [...told.value, { id, text, undo, links }];
    setTimeout(expire, undo || links.length > 0 ? SHOWN_WITH_UNDO_MS : SHOWN_MS, id);
    return id;
  };
  const messages: Messages = {
    ...{ told, failed, held, dismiss, isAttended: () => false },
    withdraw: (undo) => void (told.value = told.value.filter((message) => message.undo !== undo)),
    notify: (...message) => void notify(...message),
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
  return messages;
}

function isModified({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

export function MessageArea({ messages }: { messages: Messages }) {
  const area = useRef<HTMLDivElement>(null);
  /** What had the focus before a message had it, and gets it back. */
  const before = useRef<EventTarget | null>(null);
  const leave = (id: number): void => {
    const hasFocus = area.current?.contains(document.activeElement);
    messages.dismiss(id);
    if (hasFocus && before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  };
  useEffect(() => {
    messages.isAttended = () => area.current?.matches(':hover, :focus-within') ?? false;
    const onKeyDown = (event: KeyboardEvent): void => {
      const undo = area.current?.querySelector<HTMLElement>('[role="status"] > p:last-child :is(button, a)');
      if (event.key !== UNDO_KEY || !undo || isModified(event)) return;
      event.preventDefault();
      undo.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      messages.isAttended = () => false;
      document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return (
    <div
      class="messages"
      ref={area}
      onFocusIn={({ relatedTarget }) => {
        if (!area.current?.contains(relatedTarget as Node | null)) before.current = relatedTarget;
      }}
    >
      <div role="status" aria-label={t('app.messages')} aria-live="polite">
        {messages.told.value.map((message) => (
          <p class="message" key={message.id}>
            <span>
              {message.text}
              {message.links?.map(({ href, text }) => (
                <a href={href} key={href} onClick={() => messages.dismiss(message.id)}>
                  <bdi>{text}</bdi>
                </a>
              ))}
            </span>
            {message.undo && (
              <button
                type="button"
                class="plain"
                aria-keyshortcuts={UNDO_KEY}
                title={t('app.undoKey', { key: UNDO_KEY })}
                onClick={() => {
                  leave(message.id);
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
          <button type="button" class="plain" aria-label={t('app.dismiss')} onClick={() => leave(message.id)}>
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  );
}
