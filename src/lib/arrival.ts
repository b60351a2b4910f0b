// How an external commit came into the repository: the text of its note in refs/notes/colophon, which people read with
// `git log --notes=colophon`. Lines of `Key: value`; a file format: add, never rename.

/** A push through the service, and who pushed it. */
export interface Push {
  via: 'push';
  /** ISO 8601. */
  at: string;
  /** The account as it was at the time; `id` is null if unknown. */
  by: { id: string | null; name: string; email: string };
  /** The access token that was used. */
  tokenId: string | null;
  /** The client's address. */
  address: string;
  /** The branch's commit before and after. */
  from: string | null;
  to: string;
}

/** The remote brought it, although it looks like a commit of the service. */
export interface FromRemote {
  via: 'remote';
  at: string;
}

export type Arrival = Push | FromRemote;

const NOBODY = '-';

export function toArrivalText(arrival: Arrival): string {
  const { via, at } = arrival;
  if (via === 'remote') return `Via: remote\nAt: ${at}\n`;
  const { by, tokenId, address, from, to } = arrival;
  return [
    'Via: push',
    `Pushed-By: ${toWord(by.name)} <${toWord(by.email).replaceAll(' ', '')}>`,
    `User: ${toWord(by.id ?? NOBODY)}`,
    `Token: ${toWord(tokenId ?? NOBODY)}`,
    `Address: ${toWord(address)}`,
    `At: ${at}`,
    `From: ${from ?? NOBODY}`,
    `To: ${to}`,
    '',
  ].join('\n');
}

/** Returns undefined for a text that the service did not write. */
export function parseArrival(text: string): Arrival | undefined {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^([A-Z][A-Za-z-]*): (.*)$/.exec(line) ?? [];
    if (key && !values.has(key)) values.set(key, value);
  }
  const [via, at = ''] = [values.get('Via'), values.get('At')];
  if (via === 'remote') return { via, at };
  if (via !== 'push') return undefined;
  const [, name = '', email = ''] = /^(.*) <([^<>]*)>$/.exec(values.get('Pushed-By') ?? '') ?? [];
  const known = (key: string): string | null => {
    const value = values.get(key) ?? NOBODY;
    return value === NOBODY ? null : value;
  };
  return {
    via,
    at,
    by: { id: known('User'), name, email },
    tokenId: known('Token'),
    address: values.get('Address') ?? '',
    from: known('From'),
    to: values.get('To') ?? '',
  };
}

/** One line, without the characters that end a name. */
function toWord(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>]/gu, ' ')
    .trim();
}
