// The second click of a double click hits what the first one brought: the button of a question that has just opened, the
// page below one that has closed, "Cancel" in the place of "Run", the next submission. It is about none of them.

/** Two keys within this time are one. */
const DOUBLE_MS = 400;

interface FirstClick {
  atMs: number;
  isKey: boolean;
  dialog: Element | null;
  button: Element | null;
  text: string | null | undefined;
}

/** On buttons that would do it again, or to the next thing. */
const ONCE = '[data-once]';

export function ignoreSecondClicks(): void {
  let first: FirstClick | undefined;
  document.addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof Element)) return;
      const button = event.target.closest('button');
      const dialog = event.target.closest('dialog');
      // Keys click with 0.
      const isKey = event.detail === 0;
      const isSecondKey = isKey && first?.isKey && event.timeStamp - first.atMs < DOUBLE_MS && isSame(first, button);
      if (event.detail <= 1 && !isSecondKey) {
        first = { atMs: event.timeStamp, isKey, dialog, button, text: button?.textContent };
      } else if (isSecondKey || (first && isAboutOther(first, button, dialog))) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    },
    true,
  );
}

function isAboutOther(first: FirstClick, button: Element | null, dialog: Element | null): boolean {
  if (dialog !== first.dialog) return true;
  if (!button) return false;
  return isRenamed(first, button) || button.matches(ONCE);
}

/** Whether a second key on a button is about what the first one did. */
function isSame(first: FirstClick, button: Element | null): boolean {
  return button !== null && button === first.button && (button.matches(ONCE) || isRenamed(first, button));
}

function isRenamed(first: FirstClick, button: Element | null): boolean {
  // Who sorts the other way round presses twice.
  if (!button || button !== first.button || button.closest('th, [role="columnheader"]')) return false;
  return button.textContent !== first.text;
}
