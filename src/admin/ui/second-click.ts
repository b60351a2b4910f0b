// The second click of a double click hits what the first one brought: the button of a question that has just opened, the
// page below one that has closed, "Cancel" in the place of "Run", the next submission. It is about none of them.

interface FirstClick {
  dialog: Element | null;
  button: Element | null;
  text: string | null | undefined;
}

/** On buttons that lead to the next thing at once. */
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
      if (event.detail <= 1) first = { dialog, button, text: button?.textContent };
      else if (first && isAboutOther(first, button, dialog)) {
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
  // Who sorts the other way round clicks twice.
  const isRenamed =
    button === first.button && button.textContent !== first.text && !button.closest('th, [role="columnheader"]');
  return isRenamed || button.matches(ONCE);
}
