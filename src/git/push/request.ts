// The first part of a push: which refs to move, from which commit to which (gitprotocol-pack(5), "Reference Update
// Request"). All input here is untrusted: nothing is assumed, and everything has a limit.
import { invalid } from '../../lib/errors.ts';
import { parseLength } from '../pkt-line.ts';

export interface Command {
  ref: string;
  /** Null if the push creates the ref. */
  from: string | null;
  /** Null if the push deletes the ref. */
  to: string | null;
}

export interface PushRequest {
  /** If the request is refused, only the commands read so far. */
  commands: Command[];
  capabilities: ReadonlySet<string>;
  /** The bytes after the commands that were read; none if there is nothing to store. */
  pack: AsyncIterable<Buffer>;
  /** Why the request is refused: it exceeds a limit of its commands. */
  refused?: string | undefined;
}

/** decisions.md, section 12. */
const MAX_COMMANDS = 1000;
const MAX_REF_BYTES = 1024;
const MAX_BYTES = 1 << 20;
/** Two ids, each followed by a space. */
const IDS_BYTES = 82;
const NOTHING = '0'.repeat(40);
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^\0-\x20\x7f]+)\n?$/;
const SHALLOW = /^shallow [0-9a-f]{40}\n?$/;

/**
 * Reads up to the pack, or to the first command above a limit: a client shows the reason only if it comes in a report,
 * and a report does not need the rest of the request.
 * @throws ServiceError 400
 */
export async function readPushRequest(body: AsyncIterable<Buffer>): Promise<PushRequest> {
  const input = createInput(body);
  const commands: Command[] = [];
  let capabilities: ReadonlySet<string> | undefined;
  let sizeBytes = 0;
  let refused: string | undefined;
  while (refused === undefined) {
    const length = parseLength(await input.read(4));
    if (length === undefined) break;
    sizeBytes += length;
    const bytes = await input.read(length);
    const end = bytes.indexOf(0);
    const line = end < 0 ? bytes : bytes.subarray(0, end);
    // Capabilities follow the first command line, which comes after the shallow lines.
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
    // The boundary of a shallow clone, which does not matter here: an accepted push builds on complete history.
    if (SHALLOW.test(text)) continue;
    const [, from = '', to = '', ref = ''] = COMMAND.exec(text) ?? [];
    if (ref === '') throw invalid('the request has an invalid command');
    commands.push({ ref, from: from === NOTHING ? null : from, to: to === NOTHING ? null : to });
  }
  return { commands, capabilities: capabilities ?? new Set(), pack: input.rest(), refused };
}

function refuse(sizeBytes: number, commands: number, lineBytes: number): string | undefined {
  if (lineBytes > IDS_BYTES + MAX_REF_BYTES + 1) return `the name of a ref can have at most ${MAX_REF_BYTES} bytes`;
  if (commands >= MAX_COMMANDS) return `a push can have at most ${MAX_COMMANDS} refs`;
  if (sizeBytes > MAX_BYTES) return `the list of refs in a push can have at most ${MAX_BYTES >> 20} MiB`;
  return undefined;
}

/** Reads a given number of bytes, whatever chunks they arrive in; copies each byte at most once. */
function createInput(body: AsyncIterable<Buffer>) {
  const chunks = body[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function next(): Promise<Buffer> {
    const { value, done } = await chunks.next();
    if (done) throw invalid('the request ends in the middle of its commands');
    return value;
  }

  return {
    async read(length: number): Promise<Buffer> {
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
      const bytes = held.subarray(0, length);
      held = held.subarray(length);
      return bytes;
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
