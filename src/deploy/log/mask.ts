// Takes secrets out of a text that arrives in pieces: as they are, percent-encoded, inside JSON, and in base64 wherever
// they begin in it (basic auth). Holds back the end of a piece that could be the beginning of a secret.

export interface Masker {
  /** Returns what can be shown of everything so far. */
  write(text: string): string;
  /** Returns what was held back. */
  end(): string;
}

const MASK = '***';
/** A shorter secret protects nothing, and would blacken every word that contains it. */
const MIN_SECRET = 4;
/** So much base64 of a secret that it does not occur by chance. */
const MIN_BASE64 = 8;

/** `secrets` is called for each piece, and may return other ones later: both are masked from then on. */
export function createMasker(secrets: () => readonly string[]): Masker {
  let known: readonly string[] | undefined;
  const forms = new Set<string>();
  let find = /(?!)/g;
  let longest = 0;
  let firsts = new Set<string>();
  let held = '';

  function learn(): void {
    const now = secrets();
    if (now === known) return;
    known = now;
    for (const secret of now) for (const form of formsOf(secret)) forms.add(form);
    const sorted = [...forms].sort((a, b) => b.length - a.length);
    longest = sorted[0]?.length ?? 0;
    firsts = new Set(sorted.map((form) => form[0]!));
    find = sorted.length > 0 ? new RegExp(sorted.map(quotePattern).join('|'), 'g') : /(?!)/g;
  }

  /** The place from which the text may be the beginning of a secret that the next piece completes. */
  function openEnd(text: string): number {
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      if (!firsts.has(text[at]!)) continue;
      const rest = text.slice(at);
      for (const form of forms) if (form.length > rest.length && form.startsWith(rest)) return at;
    }
    return text.length;
  }

  /** The same, but never inside of a secret: one may begin with the end of another. */
  function cutBefore(text: string): number {
    let end = openEnd(text);
    for (const { index, 0: found } of text.matchAll(find)) {
      if (index < end && index + found.length > end) end = index;
    }
    return end;
  }

  return {
    write(piece) {
      learn();
      const text = held + piece;
      const end = cutBefore(text);
      held = text.slice(end);
      return text.slice(0, end).replace(find, MASK);
    },
    end() {
      const rest = held.replace(find, MASK);
      held = '';
      return rest;
    },
  };
}

function formsOf(secret: string): string[] {
  if (secret.length < MIN_SECRET) return [];
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    ...new Set([
      secret,
      encoded,
      encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      encoded.replaceAll('%20', '+'),
      JSON.stringify(secret).slice(1, -1),
      ...base64Of(secret),
    ]),
  ];
}

/** What base64 looks like wherever the secret begins in it, without the characters that its neighbours have a part in. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]);
    const whole = all.toString('base64').replace(/=+$/, '');
    const first = before === 0 ? 0 : before + 1;
    const core = whole.slice(first, all.length % 3 === 0 ? undefined : -1);
    if (core.length < MIN_BASE64) return [];
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
