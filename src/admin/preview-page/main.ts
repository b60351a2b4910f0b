// Runs in a preview of the site's theme: takes over what was typed, without a reload, so that the page stays at the place
// that is being looked at.
import morphdom from 'morphdom';

let isLoading = false;
let isOld = false;

async function refresh(): Promise<void> {
  isOld = true;
  if (isLoading) return;
  isLoading = true;
  try {
    while (isOld) {
      isOld = false;
      const answer = await fetch(location.href);
      take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    }
  } catch (error) {
    // Without a connection the page stays as it is; the next change asks again.
    console.error(error);
  } finally {
    isLoading = false;
  }
}

function take(next: Document): void {
  // This program is part of the page, and runs already.
  for (const script of next.querySelectorAll('script')) script.remove();
  document.title = next.title;
  morphdom(document.body, next.body, {
    onBeforeNodeDiscarded: (node) => node.nodeName !== 'SCRIPT',
    // What the reader has opened stays open.
    onBeforeElUpdated(from, to) {
      if (from instanceof HTMLDetailsElement && from.open) to.setAttribute('open', '');
      return !from.isEqualNode(to);
    },
  });
}

addEventListener('message', ({ data, source }: MessageEvent) => {
  // The admin is the frame's parent, or has opened the window.
  if (parent !== window && source !== parent) return;
  if ((data as { type?: unknown } | null)?.type === 'colophon:preview') void refresh();
});

// Other pages of the site are not here, and other sites open in a window of their own.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.hasAttribute('href') || link.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  if (link.origin !== new URL(location.href).origin) open(link.href, '_blank', 'noopener');
});
