// The first part of a push: which refs are to be moved from where to where (gitprotocol-pack(5), "Reference Update
// Request"). Everything here was written by a stranger; nothing is taken for granted, and all of it has a bound.
import { invalid } from '../../lib/errors.ts';
import { parseLength } from '../pkt-line.ts';

export interface Command {
  ref: string;
  /** Null where the ref is to be made. */
  from: string | null;
  /** Null where it is to be deleted. */
  to: string | null;
}

export interface PushRequest {
  /** As far as they were read, if the request is refused. */
  commands: Command[];
  capabilities: ReadonlySet<string>;
  /** What comes behind the commands that were read; empty where nothing is to be stored. */
  pack: AsyncIterable<Buffer>;
  /** Why nothing of it is taken: it has more commands than there may be. */
  refused?: string | undefined;
}

/** decisions.md, section 12. */
const MAX_COMMANDS = 1000;
const MAX_REF_BYTES = 1024;
const MAX_BYTES = 1 << 20;
/** Two ids, each with a space behind it. */
const IDS_BYTES = 82;
const NOTHING = '0'.repeat(40);
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^\0-\x20\x7f]+)\n?$/;
const SHALLOW = /^shallow [0-9a-f]{40}\n?$/;

/**
 * Reads as far as the pack, or to the first command that is one too many: a client is told why only in a report, and for
 * that the request need not be understood to its end.
 * @throws ServiceError 400
 */
export async function readPushRequest(body: AsyncIterable<Buffer>): Promise<PushRequest> {
  const input = createInput(body);
  const commands: Command[] = [];
  let capabilities: ReadonlySet<string> | undefined;
  let sizeBytes = 0;
  let refused: string | undefined;
  while (refused === undefined) {
    const length = parseLength(await input.take(4));
    if (length === undefined) break;
    sizeBytes += length;
    const bytes = await input.take(length);
    const end = bytes.indexOf(0);
    const line = end < 0 ? bytes : bytes.subarray(0, end);
    // Behind the first command, which stands behind the ends of a shallow clone.
    if (end >= 0)
      capabilities ??= new Set(
        bytes
          .toString('utf8', end + 1)
          .split(/[ \n]/)
          .filter(Boolean),
      );
    refused = refuse(sizeBytes, commands.length, line.length);
    if (refused !== undefined) break;
    const text = line.toString('utf8');
    // Where a shallow clone ends. It matters to nobody here: what is accepted stands on commits that are all here.
    if (SHALLOW.test(text)) continue;
    const [, from = '', to = '', ref = ''] = COMMAND.exec(text) ?? [];
    if (ref === '') throw invalid('the request has a command that is none');
    commands.push({ ref, from: from === NOTHING ? null : from, to: to === NOTHING ? null : to });
  }
  return { commands, capabilities: capabilities ?? new Set(), pack: input.rest(), refused };
}

function refuse(sizeBytes: number, commands: number, lineBytes: number): string | undefined {
  if (lineBytes > IDS_BYTES + MAX_REF_BYTES + 1) return `the name of a ref has at most ${MAX_REF_BYTES} bytes`;
  if (commands >= MAX_COMMANDS) return `a push has at most ${MAX_COMMANDS} refs`;
  if (sizeBytes > MAX_BYTES) return `the refs of a push are named in at most ${MAX_BYTES >> 20} MiB`;
  return undefined;
}

/** Bytes by their number, whatever pieces they come in; each is copied once at most. */
function createInput(body: AsyncIterable<Buffer>) {
  const chunks = body[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function next(): Promise<Buffer> {
    const { value, done } = await chunks.next();
    if (done) throw invalid('the request ends in the middle of its commands');
    return value;
  }

  return {
    async take(length: number): Promise<Buffer> {
      if (held.length < length) {
        const pieces = [held];
        let sizeBytes = held.length;
        while (sizeBytes < length) {
          const piece = await next();
          pieces.push(piece);
          sizeBytes += piece.length;
        }
        held = Buffer.concat(pieces, sizeBytes);
      }
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    },
    async *rest(): AsyncGenerator<Buffer> {
      if (held.length > 0) yield held;
      for (;;) {
        const { value, done } = await chunks.next();
        if (done) return;
        yield value;
      }
    },
  };
}
