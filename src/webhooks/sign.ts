// Headers by which a receiver checks the sender, the body and the time of a request, with the secret that it shares
// with us. There are two sets: our own, and the one of Standard Webhooks (standardwebhooks.com).
import { createHmac } from 'node:crypto';

const STANDARD_PREFIX = 'whsec_';

export interface SignedDelivery {
  /** Id of the delivery; the same at each attempt. */
  id: string;
  event: string;
  secret: string;
  /** The bytes that are sent. */
  body: Buffer;
  at: Date;
}

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export function signatureHeaders({ id, event, secret, body, at }: SignedDelivery): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const standard = createHmac('sha256', standardKey(secret)).update(`${id}.${seconds}.`).update(body);
  return {
    'x-cms-event': event,
    'x-cms-delivery': id,
    'x-cms-timestamp': seconds,
    'x-cms-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standard.digest('base64')}`,
  };
}

/** Decodes a secret of that standard, Base64 after a prefix; any other secret is used as the bytes of its text. */
function standardKey(secret: string): Buffer {
  const decoded = Buffer.from(secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : '', 'base64');
  return decoded.length > 0 ? decoded : Buffer.from(secret);
}
