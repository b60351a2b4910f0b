// Forms: their definitions, and what happens to a submission. The one door. Before a submission is answered, it and its
// notifications are durable.
import { hash } from 'node:crypto';
import type { FormConfig } from '../config/form-config.ts';
import { addressKey } from '../lib/address-key.ts';
import { invalid, notFound, type Problem, ServiceError } from '../lib/errors.ts';
import { createInOrderByKey } from '../lib/queues/in-order-by-key.ts';
import type { News } from '../lib/queues/news.ts';
import { type Challenge, TOKEN_FIELD } from './challenge.ts';
import { checkFields, isCaught, type PatternCheck, type SentFields } from './check-fields.ts';
import { type FormSchema, toFormSchema } from './form-schema.ts';
import { createSubmitLimit, WINDOW_MS } from './limit.ts';
import type { Patterns } from './patterns.ts';
import type { Removed } from './removed.ts';
import type { Submission } from './submission.ts';
import type { SubmissionNews, Submissions } from './submissions.ts';

const HONEYPOT_FIELD = '_hp_email';

export interface FormsService {
  /** In the order of the configuration. */
  list(): readonly FormConfig[];
  find(name: string): FormConfig | undefined;
  /** @throws ServiceError 404 */
  get(name: string): FormConfig;
  schema(form: FormConfig): FormSchema;
  /** The site key of the form's challenge; undefined if it has no challenge. */
  challengeKey(form: FormConfig): string | undefined;
  /**
   * Refuses an address that has used up its submissions, before its body is read. @throws ServiceError 429
   */
  admit(form: FormConfig, ip: string): Promise<void>;
  /**
   * A submission that falls into the honeypot gets the same answer as any other. @throws ServiceError 400 with a detail
   * for each invalid field, 429, 502 and 503 of the challenge, 507.
   */
  submit(form: FormConfig, sent: SentFields, from: Sender): Promise<{ id: string; message: string }>;
  submissions: Submissions;
  /** Calls the listener with what happens to submissions; returns the function that stops it. */
  listen: News<SubmissionNews>['listen'];
}

export interface Sender {
  /** Never stored and never logged; only its hash is. */
  ip: string;
  userAgent: string;
}

export interface FormsParts {
  forms: readonly FormConfig[];
  submissions: Submissions;
  listen: FormsService['listen'];
  removed: Removed;
  challenge: Challenge;
  patterns: Patterns;
  /** Makes the notifications of a submission durable. */
  announce(form: FormConfig, submission: Submission): Promise<void>;
  /** The site's salt for hashes of addresses. */
  salt(): Promise<string>;
  newId(atMs: number): string;
  now(): Date;
  pause(ms: number): Promise<unknown>;
}

const THANKS = 'Thank you. Your message has been sent.';
/** interface.md, "Limits". */
const HASH_DIGITS = 8;
const MAX_USER_AGENT_CHARS = 512;
/** For the fields as JSON; escapes can make them longer than the body. */
const MAX_DATA_BYTES = 1 << 20;
/** For one address: tests of patterns that run or wait. */
const MAX_CHECKS = 64;
const MAX_PAUSE_MS = 1000;

export function createForms(parts: FormsParts): FormsService {
  const { submissions, removed, challenge, patterns, now } = parts;
  const forms = new Map(parts.forms.map((form) => [form.name, form]));
  const limit = createSubmitLimit(now);
  const loading = new Map<string, Promise<void>>();
  const checks = createInOrderByKey({ most: MAX_CHECKS, full: tooManyChecks });
  /** How long the last real submission took; the honeypot's answer takes as long. */
  let lastMs = 5;

  /** Makes sure that the limit knows the submissions of the last hour, even those before this process. */
  async function loadLimit(form: string): Promise<void> {
    if (limit.isLoaded(form)) return;
    const found = loading.get(form) ?? load(form).finally(() => loading.delete(form));
    loading.set(form, found);
    await found;
  }

  async function load(form: string): Promise<void> {
    const past = await submissions.since(form, now().getTime() - WINDOW_MS);
    const counted = past.map(({ ipHash, createdAt }) => ({ ipHash, atMs: Date.parse(createdAt) }));
    limit.load(form, [...counted, ...removed.list(form)]);
  }

  /** One test at a time for each address, so that slow tests of one sender hardly delay others. */
  function patternProblems(ipHash: string, wanted: readonly PatternCheck[]): Promise<Problem[]> {
    return checks(ipHash, async () => {
      const problems: Problem[] = [];
      for (const { field: path, pattern, text } of wanted) {
        const result = await patterns.test(pattern, text);
        if (result === 'mismatch') problems.push({ path, message: 'does not have the required format' });
        if (result === 'undecided') problems.push({ path, message: 'takes too long to check; send something shorter' });
      }
      return problems;
    });
  }

  async function hashOf(ip: string): Promise<string> {
    return hash('sha256', `${await parts.salt()}\n${addressKey(ip)}`).slice(0, HASH_DIGITS);
  }

  async function store(form: FormConfig, sent: SentFields, { ip, userAgent }: Sender): Promise<Submission> {
    const { data, problems, patterns: wanted } = checkFields(form, sent);
    const ipHash = await hashOf(ip);
    if (wanted.length > 0) problems.push(...(await patternProblems(ipHash, wanted)));
    if (problems.length > 0) throw invalid(problems);
    if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES) {
      throw new ServiceError('too_large', `a submission has at most ${MAX_DATA_BYTES} bytes`);
    }
    await loadLimit(form.name);
    // Before the challenge, whose token works only once; and again after it, because others may have come first.
    limit.check(form.name, ipHash, form.spam.rateLimit);
    await challenge.verify(form, sent.values[TOKEN_FIELD], ip);
    const release = limit.reserve(form.name, ipHash, form.spam.rateLimit);
    try {
      const what = { data, ipHash, userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARS) };
      return await submissions.add(form.name, what, (submission) => parts.announce(form, submission));
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    list: () => parts.forms,
    find: (name) => forms.get(name),
    get(name) {
      const form = forms.get(name);
      if (!form) throw notFound(`form "${name}"`);
      return form;
    },
    schema: (form) => toFormSchema(form, form.successMessage ?? THANKS, challenge.siteKey(form)),
    challengeKey: challenge.siteKey,
    async admit(form, ip) {
      await loadLimit(form.name);
      limit.check(form.name, await hashOf(ip), form.spam.rateLimit);
    },
    async submit(form, sent, from) {
      const message = form.successMessage ?? THANKS;
      if (form.spam.honeypot && isCaught(sent, HONEYPOT_FIELD)) {
        await parts.pause(lastMs);
        return { id: parts.newId(now().getTime()), message };
      }
      const startedMs = performance.now();
      const { id } = await store(form, sent, from);
      lastMs = Math.min(MAX_PAUSE_MS, performance.now() - startedMs);
      return { id, message };
    },
    submissions,
    listen: parts.listen,
  };
}

function tooManyChecks(): ServiceError {
  const headers = { 'Retry-After': '5' };
  return new ServiceError('unavailable', 'too many submissions at once; try again in a moment', { headers });
}
