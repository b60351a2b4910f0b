// The time that the texts of a page may take. Reading them takes a time that grows with their length (LinearLexer); this is
// for what that does not know, so that a text never ends the build, or holds up the previews of others.
import vm from 'node:vm';
import { isCode } from '../../lib/error-code.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml } from '../theme/safe-html.ts';

/** All texts of a page share it: well below the time of a page (engine.ts), which ends with an error. */
const PAGE_MS = 2000;
/** Watching a text costs a tenth of a millisecond, and a shorter one cannot take long. */
const WATCHED_CHARS = 16_000;

/** The call that is watched at the moment: a script finds it by a name that nothing else has. */
const CALL = Symbol.for('colophon.text-time');
const SCRIPT = new vm.Script(`globalThis[Symbol.for('${CALL.description}')]()`);
const globals = globalThis as unknown as Record<symbol, (() => void) | undefined>;

const spentMs = new WeakMap<PageContext, number>();

/** What `make` gives; after its time the text as it is written, with a warning. `make` may end anywhere, without `finally`. */
export function withinTime(text: string, page: PageContext, make: () => string): string {
  if (text.length < WATCHED_CHARS) return make();
  const spent = spentMs.get(page) ?? 0;
  const startedMs = performance.now();
  try {
    return spent < PAGE_MS ? watched(make, PAGE_MS - spent) : asWritten(text, page);
  } catch (error) {
    if (!isCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw error;
    return asWritten(text, page);
  } finally {
    spentMs.set(page, spent + performance.now() - startedMs);
  }
}

function watched(make: () => string, limitMs: number): string {
  const outer = globals[CALL];
  let made = '';
  globals[CALL] = () => {
    made = make();
  };
  try {
    SCRIPT.runInThisContext({ timeout: Math.max(1, Math.ceil(limitMs)) });
    return made;
  } finally {
    globals[CALL] = outer;
  }
}

function asWritten(text: string, page: PageContext): string {
  page.warn(`a text took longer than ${PAGE_MS / 1000} s: it is shown as it is written`);
  return `<p>${escapeHtml(text)}</p>\n`;
}
