const BUTTONS = new Set(['checkbox', 'radio', 'button', 'submit', 'file', 'range', 'color']);

/** Whether a key pressed there writes a letter, so that it is no shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !BUTTONS.has(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
