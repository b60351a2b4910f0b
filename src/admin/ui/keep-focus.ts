// The focus when the element that has it is taken away: it goes to what stands in that place now, and not to the top of
// the page. A screen that places it elsewhere comes first.

interface FocusStep {
  parent: Element;
  /** The place among the parent's children. */
  index: number;
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"], [hidden]), select:not(:disabled), textarea';

/** Parts that are drawn by a change have a moment to take the focus themselves. */
const PATIENCE_MS = 60;

function toSteps(element: Element): FocusStep[] {
  const steps: FocusStep[] = [];
  for (let at = element; at.parentElement; at = at.parentElement) {
    steps.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  }
  return steps;
}

/** The nearest element to what stood there; the heading of the screen if there is nothing in its list. */
function findNear(steps: readonly FocusStep[]): HTMLElement | null {
  for (const { parent, index } of steps) {
    if (!parent.isConnected) continue;
    if (parent.matches('main, body, #app, .shell')) break;
    const children = [...parent.children];
    const around = [...children.slice(index), ...children.slice(0, index).reverse()];
    for (const child of around) {
      const found = child.matches(FOCUSABLE) ? child : child.querySelector(FOCUSABLE);
      if (found instanceof HTMLElement && found.checkVisibility()) return found;
    }
  }
  return document.querySelector<HTMLElement>('main h1');
}

export function keepFocus(): void {
  let last: Element | undefined;
  let steps: readonly FocusStep[] = [];
  let isWaiting = false;

  function restore(): void {
    isWaiting = false;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost || !last || last.isConnected || document.querySelector('dialog[open]')) return;
    last = undefined;
    findNear(steps)?.focus();
  }

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    steps = toSteps(target);
  });
  // Who clicks beside everything has left it.
  document.addEventListener('pointerdown', () => (last = document.activeElement === document.body ? undefined : last));
  new MutationObserver(() => {
    if (isWaiting || !last || last.isConnected) return;
    isWaiting = true;
    setTimeout(restore, PATIENCE_MS);
  }).observe(document.body, { childList: true, subtree: true });
}
