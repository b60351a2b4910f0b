// One error class and one table of codes. A refusal carries a code that a program can compare and a sentence that a
// person can act on; anything that is not a ServiceError is a bug and answers 500 with a fixed text.
import { codeOf } from './error-code.ts';
import { isNoSpace } from './shortage.ts';

/** A problem in one place of the input; `path` is dotted, like `data.gallery.0.url`. */
export interface Problem {
  path: string;
  message: string;
}

/** Every machine-readable code the service answers with, and the HTTP status it stands for. */
export const STATUS = {
  invalid_input: 400,
  site_required: 400,
  unauthenticated: 401,
  one_time_code_required: 401,
  budget_used_up: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  draft_needed: 409,
  fields_locked: 409,
  in_progress: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_mismatch: 422,
  too_many_requests: 429,
  internal: 500,
  upstream_failed: 502,
  provider_refused: 502,
  provider_busy: 502,
  model_output: 502,
  unavailable: 503,
  outcome_unknown: 503,
  storage_full: 507,
  quota_exceeded: 507,
} as const;

export type ErrorCode = keyof typeof STATUS;

/**
 * The most problems reported for one input: enough for its author to know what is wrong, and the answer stays smaller
 * than the input.
 */
export const MAX_PROBLEMS = 100;
/** Keys come from the client; repeated in each path, one of a megabyte would make an answer of a hundred. */
export const MAX_PATH_LENGTH = 500;

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** At most MAX_PROBLEMS problems. */
  readonly details: Problem[] | undefined;
  /** Response headers that belong to the refusal: `ETag` of a 412, `Retry-After` of a 429, `Allow` of a 405. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Problem[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = STATUS[code];
    this.details = options.details?.slice(0, MAX_PROBLEMS).map(withShortPath);
    this.headers = options.headers ?? {};
  }
}

/** 400 with one or more problems, at most MAX_PROBLEMS of them; the message names the first. */
export function invalid(problems: Problem[] | string): ServiceError {
  if (typeof problems === 'string') return new ServiceError('invalid_input', problems);
  const details = problems.slice(0, MAX_PROBLEMS);
  const first = details[0] && withShortPath(details[0]);
  const message = first ? (first.path ? `${first.path}: ${first.message}` : first.message) : 'invalid input';
  return new ServiceError('invalid_input', message, { details });
}

function withShortPath(problem: Problem): Problem {
  if (problem.path.length <= MAX_PATH_LENGTH) return problem;
  return { ...problem, path: `${problem.path.slice(0, MAX_PATH_LENGTH).toWellFormed()}...` };
}

export function notFound(what: string): ServiceError {
  return new ServiceError('not_found', `${what} not found`);
}

export function unauthenticated(message = 'authentication required'): ServiceError {
  return new ServiceError('unauthenticated', message);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}

/** 403 for a missing permission; a principal that is held back for now gets that reason instead. */
export function lacksPermission({ heldBack }: { heldBack?: string }, permission: string): ServiceError {
  return forbidden(heldBack ?? `the permission ${permission} is needed`);
}

const NO_SPACE_SENTENCES: Record<string, string> = {
  EDQUOT: 'the disk quota is used up; free space and try again',
  EFBIG: 'a file would exceed the limit on file sizes (ulimit -f, or the file system); raise it and try again',
};

/** Returns the refusal if the disk has no space for a file (isNoSpace); otherwise the error itself. */
export function toStorageError(error: unknown): unknown {
  if (!isNoSpace(error)) return error;
  const sentence = NO_SPACE_SENTENCES[codeOf(error) ?? ''];
  return new ServiceError('storage_full', sentence ?? 'the disk is full; free space and try again', { cause: error });
}

/** Returns true for the refusal of a full disk; for callers that go on without having written. */
export function isStorageFull(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'storage_full';
}

export function conflict(message: string, details?: Problem[]): ServiceError {
  return new ServiceError('conflict', message, details ? { details } : {});
}

/** The refusal of a change that could not be replayed on external commits; it is kept as this commit. */
export function setAside(commit: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `the change could not be replayed on an external commit and was set aside as ${commit}`,
  );
}
