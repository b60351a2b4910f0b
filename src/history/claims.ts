// Commits that pass for the service's: under its name, or with the trailers that only it writes. What the service says of
// its changes is believed (commit-record.ts), so it may come from nobody else. Pure.
import { normalize } from '../lib/stream-safe.ts';
import { type Person, parseCommit } from '../store/objects.ts';

/** Trailers that say who did what, each in the form in which the service writes it; other tools use some of the names. */
const TRAILERS: Record<string, RegExp> = {
  event: /^[a-z]+\.[a-z]+$/,
  'document-id': /^[0-9A-Za-z]{12}$/,
  'also-changed': /^(?:\*|[0-9A-Za-z]{12}(?:, [0-9A-Za-z]{12})*)$/,
  actor: /^(?:user|ai|import|system)$/,
  'change-id': /^[0-9a-f]{20}$/,
  user: /^\S+$/,
  token: /^\S+$/,
  via: /^\S+$/,
  'pushed-by': /./,
  'request-id': /^\S+$/,
  'idempotency-key': /./,
  'ai-model': /^\S+$/,
  'restored-from': /^[0-9a-f]{7,40}$/,
  'renamed-from': /^\S+$/,
  documents: /^\d+$/,
};
const LINE = /^([A-Za-z][A-Za-z-]*)[ \t]*:(.*)$/;

/** Why a commit passes for one of the service's, in words for whoever pushed it; undefined where it does not. */
export function claimOf(body: Buffer, service: Person): string | undefined {
  const { committer, message } = parseCommit(body);
  if (fold(committer.name) === fold(service.name) || fold(committer.email) === fold(service.email)) {
    return `is committed as ${service.name}, which did not make it; commit as yourself`;
  }
  const [, ...lines] = message.split(/\r\n|\r|\n/);
  const keys = new Set<string>();
  for (const line of lines) {
    const [, key = '', value = ''] = LINE.exec(line) ?? [];
    if (Object.hasOwn(TRAILERS, key.toLowerCase()) && TRAILERS[key.toLowerCase()]!.test(value.trim())) keys.add(key);
  }
  if (keys.size === 0) return undefined;
  const which = keys.size > 1 ? 'trailers' : 'trailer';
  return `has the ${which} ${[...keys].join(', ')}, which only the service writes; take that out of the message`;
}

/** Whether the committer is the service, letter by letter: then its trailers would be believed. */
export function isInName(body: Buffer, service: Person): boolean {
  const { committer } = parseCommit(body);
  return committer.name === service.name && committer.email === service.email;
}

/** Names that look alike are one. */
function fold(text: string): string {
  return normalize(text, 'NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\s]/gu, '')
    .toLowerCase();
}
