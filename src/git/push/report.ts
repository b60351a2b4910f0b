// The answer to a push: whether the pack was accepted, the result for each ref, and the reasons for people to read
// (gitprotocol-pack(5), "Report Status").
import { FLUSH, toBand, toPacket } from '../pkt-line.ts';

export interface Outcome {
  /** `ok`, or why the pack was not accepted. */
  unpack: string;
  /** Why each ref was not moved; undefined if it was moved. */
  refs: { ref: string; refused?: string | undefined }[];
  /** For people, a line each. */
  messages: readonly string[];
}

/** People read no more, and a bad push may have a reason for every file. */
const MAX_MESSAGES = 100;
const MAX_MESSAGE_CHARS = 500;

export function toReport({ unpack, refs, messages }: Outcome, capabilities: ReadonlySet<string>): Buffer {
  const lines = refs.map(({ ref, refused }) => (refused ? `ng ${ref} ${toLine(refused)}\n` : `ok ${ref}\n`));
  const status = capabilities.has('report-status')
    ? Buffer.concat([toPacket(`unpack ${toLine(unpack)}\n`), ...lines.map(toPacket), FLUSH])
    : Buffer.alloc(0);
  if (!capabilities.has('side-band-64k')) return status;
  const shown = messages.slice(0, MAX_MESSAGES).map(toLine);
  if (messages.length > MAX_MESSAGES) shown.push(`and ${messages.length - MAX_MESSAGES} more`);
  return Buffer.concat([toBand(2, shown.map((line) => `${line}\n`).join('')), toBand(1, status), FLUSH]);
}

/** One line without control characters, for a terminal: the pusher chooses the names of files. */
function toLine(text: string): string {
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)}...` : line;
}
