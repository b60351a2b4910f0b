// Password hashes: argon2id (RFC 9106) as PHC strings. It must never run more than two at once: each uses 19 MiB and
// one of the four pool threads, which the write path's fsync needs as well.
// Node has argon2 from version 24 on; on Node 22 the same hashes come from @noble/hashes, some twenty times as slowly.
import crypto, { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';
import { createSlots } from '../../lib/queues/slots.ts';
import { normalize } from '../../lib/text/stream-safe.ts';

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. About 25 ms. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const AT_ONCE = 2;
/** A longer queue would be answered after its clients have gone. */
const MAX_WAITING = 1_000;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** False for a wrong password. Without a hash (an unknown user) it returns false after just as long. */
  verify(password: string, phc: string | undefined): Promise<boolean>;
}

interface Parsed {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{22,88})$/;

export function isPhc(text: string): boolean {
  return PHC.test(text);
}

function parsePhc(text: string): Parsed {
  const match = PHC.exec(text);
  if (!match) throw new Error('a stored password hash is not an argon2id PHC string');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function deriveByNode(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((done, fail) =>
    crypto.argon2('argon2id', parameters, (error, tag) => (error ? fail(error) : done(tag))),
  );
}

/** In JavaScript on this thread, which it gives back every few milliseconds. */
async function deriveByNoble(parameters: Argon2Parameters): Promise<Buffer> {
  const { argon2idAsync } = await import('@noble/hashes/argon2.js');
  const { message, nonce, passes: t, memory: m, parallelism: p, tagLength: dkLen } = parameters;
  const tag = await argon2idAsync(message as Buffer, nonce as Buffer, { t, m, p, dkLen, asyncTick: 5 });
  return Buffer.from(tag);
}

/** The cost is an argument so that tests can be quick, and so is the implementation; the service uses the defaults. */
export function createPasswords(
  cost: { memoryKib?: number; passes?: number } = {},
  isNative = crypto.argon2 !== undefined,
): Passwords {
  const memory = cost.memoryKib ?? MEMORY_KIB;
  const passes = cost.passes ?? PASSES;
  const slots = createSlots({
    atOnce: AT_ONCE,
    waiting: MAX_WAITING,
    full: () => new ServiceError('unavailable', 'too many sign-ins at once; try again'),
  });
  // Unknown users are verified against this: no password hashes to a tag of zeros.
  const dummy: Parsed = { memory, passes, parallelism: 1, salt: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };

  function derive(password: string, by: Parsed): Promise<Buffer> {
    return slots.run(() => {
      const parameters: Argon2Parameters = {
        // Systems differ in whether they send typed characters composed or decomposed.
        message: Buffer.from(normalize(password, 'NFC')),
        nonce: by.salt,
        parallelism: by.parallelism,
        tagLength: by.tag.length,
        memory: by.memory,
        passes: by.passes,
      };
      return isNative ? deriveByNode(parameters) : deriveByNoble(parameters);
    });
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await derive(password, { ...dummy, salt });
      return `$argon2id$v=19$m=${memory},t=${passes},p=1$${toBase64(salt)}$${toBase64(tag)}`;
    },
    async verify(password, phc) {
      const known = phc === undefined ? dummy : parsePhc(phc);
      const matches = timingSafeEqual(await derive(password, known), known.tag);
      return matches && phc !== undefined;
    },
  };
}
