// Requests external links, a few at a time: first those that were checked longest ago. Stops when the run has used up
// its time, or when the service ends.
import type { Outbound } from '../outbound/request.ts';
import { type Answered, createAsk } from './ask.ts';
import type { KnownLink } from './report.ts';

/** An address that was fine within this time is not requested again. */
const FRESH_MS = 24 * 3600_000;

export interface LinkLimits {
  /** Limit for external addresses in one run; the next runs check the rest. */
  maxAsked: number;
  atOnce: number;
  hostPauseMs: number;
  timeoutMs: number;
  /** After this time nothing more is requested. */
  maxRunMs: number;
}

export interface AskDueParts {
  outbound: Outbound;
  userAgent: string;
  limits: LinkLimits;
  now(): Date;
  /** Aborted when the service ends. */
  closing: AbortSignal;
  /** Resolves with the work; rejects if the service ends before. */
  orEnding<R>(work: Promise<R>): Promise<R>;
  onAsked(asked: number, due: number): void;
}

/** Requests the links that are due, and adds the results to `known`. Returns how many were requested. */
export async function askForDue(
  links: Iterable<string>,
  known: Map<string, KnownLink>,
  { outbound, userAgent, limits, now, closing, orEnding, onAsked }: AskDueParts,
): Promise<number> {
  const [freshFrom, freshTo] = [new Date(now().getTime() - FRESH_MS).toISOString(), now().toISOString()];
  // A date in the future, from a clock that was ahead, is not fresh.
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
  onAsked(asked, due.length);
  try {
    const all = Promise.all(
      due.map(async (url) => {
        const answered = await ask(url).catch((error) => {
          if (!signal.aborted) throw error;
        });
        // A request that was cut off by the end of the service says nothing about the link.
        if (!answered || closing.aborted) return;
        onAsked(++asked, due.length);
        known.set(url, toKnown(answered, now()));
      }),
    );
    await orEnding(all);
  } finally {
    clearTimeout(timer);
    // Ends pauses that no request waits for.
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
