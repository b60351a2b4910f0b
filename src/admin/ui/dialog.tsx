// A modal dialog of the platform: it traps the focus, closes by Escape, and gives the focus back.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  title: string;
  /** False hides the title from the eye, as where a search box says it all. */
  hasVisibleTitle?: boolean;
  class?: string;
  /** At the end of the title's line: the first to get the focus, so that a long text is read from its beginning. */
  beside?: ComponentChildren;
  role?: 'alertdialog';
  /** Undefined if it cannot be closed without an answer. */
  onClose?: (() => void) | undefined;
  children: ComponentChildren;
}

export function Dialog(props: DialogProps) {
  const { title, hasVisibleTitle = true, class: name = '', beside, role, onClose, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key, which is for what it asks.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      // While it is open, nothing behind it takes the focus.
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // What a button asked the service for may be shown once. What is only read or written by a model may be left.
  const leave = (): void => {
    if (!element.current?.querySelector('button[aria-busy="true"]')) onClose?.();
  };
  return (
    <dialog
      ref={element}
      class={`dialog ${name}`}
      role={role}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onKeyDown={(event) => {
        // A key that is held since before it opened answers nothing.
        if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault();
        // Below it nothing may hear the key.
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onClick={(event) => {
        if (event.target === element.current) leave();
      }}
    >
      <div class="dialog-body">
        <div class={beside ? 'dialog-head' : ''}>
          <h2 id={id} class={hasVisibleTitle ? '' : 'hidden'}>
            {title}
          </h2>
          {beside}
        </div>
        {children}
      </div>
    </dialog>
  );
}

export interface AlertDialogProps {
  title: string;
  /** What happens: the name of the button. */
  verb: string;
  cancel: string;
  onConfirm(): void;
  onClose(): void;
  children: ComponentChildren;
}

/** A question before something that cannot be undone. */
export function AlertDialog({ title, verb, cancel, onConfirm, onClose, children }: AlertDialogProps) {
  return (
    <Dialog title={title} role="alertdialog" onClose={onClose}>
      {children}
      <div class="buttons">
        <button type="button" class="primary" onClick={onConfirm}>
          {verb}
        </button>
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
      </div>
    </Dialog>
  );
}
