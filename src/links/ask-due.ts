// Asks for the links that lead elsewhere, some at a time: first those of which least is known. Stops when the run has taken
// its time, or when the service ends.
import type { Outbound } from '../outbound/request.ts';
import { type Answered, createAsk } from './ask.ts';
import type { KnownLink } from './report.ts';

/** What was there a day ago still is. */
const FRESH_MS = 24 * 3600_000;

export interface LinkLimits {
  /** External addresses asked for in a run; the others' turn comes in the next ones. */
  maxAsked: number;
  atOnce: number;
  hostPauseMs: number;
  timeoutMs: number;
  /** After which nothing more is asked for. */
  maxRunMs: number;
}

export interface AskDueParts {
  outbound: Outbound;
  userAgent: string;
  limits: LinkLimits;
  now(): Date;
  /** Aborted when the service ends. */
  closing: AbortSignal;
  /** The work, or the end of the service, if that comes first. */
  orEnding<R>(work: Promise<R>): Promise<R>;
}

/** Asks for those of which least is known; `known` learns what comes of it. Returns how many were asked for. */
export async function askForDue(
  links: Iterable<string>,
  known: Map<string, KnownLink>,
  { outbound, userAgent, limits, now, closing, orEnding }: AskDueParts,
): Promise<number> {
  const [freshFrom, freshTo] = [new Date(now().getTime() - FRESH_MS).toISOString(), now().toISOString()];
  // What a clock that was ahead has dated is not fresh until then.
  const isFresh = (link: KnownLink | undefined): boolean =>
    link !== undefined && link.kind !== 'broken' && link.at > freshFrom && link.at <= freshTo;
  const at = (url: string): string => known.get(url)?.at ?? '';
  const due = [...links]
    .filter((url) => !isFresh(known.get(url)))
    .sort((a, b) => (at(a) < at(b) ? -1 : Number(at(a) > at(b))))
    .slice(0, limits.maxAsked);
  const over = new AbortController();
  const signal = AbortSignal.any([closing, over.signal]);
  const timer = setTimeout(() => over.abort(), limits.maxRunMs);
  const ask = createAsk({ outbound, userAgent, signal, ...limits });
  let asked = 0;
  try {
    const all = Promise.all(
      due.map(async (url) => {
        const answered = await ask(url).catch((error) => {
          if (!signal.aborted) throw error;
        });
        // What was cut off by the end says nothing of the link.
        if (!answered || closing.aborted) return;
        asked++;
        known.set(url, toKnown(answered, now()));
      }),
    );
    await orEnding(all);
  } finally {
    clearTimeout(timer);
    // Pauses that nobody waits for any more.
    over.abort();
  }
  return asked;
}

function toKnown(answered: Answered, at: Date): KnownLink {
  const { kind, status } = answered;
  return {
    at: at.toISOString(),
    kind,
    ...(status === undefined ? {} : { status }),
    ...(answered.kind === 'broken' ? { error: answered.error } : {}),
  };
}
