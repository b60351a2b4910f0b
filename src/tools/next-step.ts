// What a refusal says to a model: the service's sentence and code, and what to do next.
import { type ErrorCode, type Problem, ServiceError } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { Tool } from './tool.ts';

export interface ToolRefusal {
  code: ErrorCode;
  error: string;
  details?: Problem[];
  /** What to do. */
  next: string;
}

const MAX_NAMES = 100;

interface RefusedCall {
  tool: Tool | undefined;
  /** The input as it came, of any form. */
  given: unknown;
  /** The collections that the caller may know of. */
  collections: readonly CollectionSchema[];
  /** Whether the caller has propose_change. */
  mayPropose: boolean;
}

export function toRefusal(error: ServiceError, call: RefusedCall): ToolRefusal {
  const { code, message, details } = error;
  return { code, error: message, ...(details ? { details } : {}), next: nextStep(error, call) };
}

function nextStep({ code, details }: ServiceError, { tool, given, collections, mayPropose }: RefusedCall): string {
  const named = (given ?? {}) as { collection?: unknown; slug?: unknown };
  const collection = collections.find(({ name }) => name === named.collection);
  switch (code) {
    case 'invalid_input':
      if (collection && details?.some(({ path }) => path.startsWith('data'))) {
        return `fields of "${collection.name}": ${names(collection.fields.keys())}; get_schema has their types`;
      }
      return tool ? `arguments of ${tool.name}: ${names(Object.keys(tool.input.shape))}` : 'correct the arguments';
    case 'not_found':
      if (tool?.name.endsWith('_item')) return 'list_curation has the items';
      if (named.collection !== undefined && !collection)
        return `collections: ${names(collections.map(({ name }) => name))}`;
      return collection ? `list_documents or search shows what "${collection.name}" has` : 'list what there is first';
    case 'forbidden':
      return mayPropose
        ? 'this is not allowed with these credentials; propose_change asks a person to make the change'
        : 'this is not allowed with these credentials; ask a person to do it, or for a token with the permission';
    case 'draft_needed':
      return 'send the change without publishAt to publish it now, or ask the person whether it may be hidden until then';
    case 'fields_locked':
      return 'a person has locked these fields; leave them out, or ask that person';
    case 'conflict':
      if (tool?.name.endsWith('_item')) return 'read the item with list_curation, and the document with get_document';
      return 'read what is stored now, and choose another slug or change';
    case 'precondition_failed':
      if (tool?.name.endsWith('_item')) return 'list_curation has the item as it is now';
      return 'the document has changed since; read it with get_document, and send its new etag as ifMatch';
    case 'too_large':
      return 'send less at once';
    case 'too_many_requests':
    case 'unavailable':
    case 'in_progress':
      return 'wait a little and try again';
    case 'outcome_unknown':
      return 'read what is stored now before you send it again';
    default:
      return 'report this to the person you work for';
  }
}

function names(all: Iterable<string>): string {
  const some = [...all];
  const shown = some.slice(0, MAX_NAMES).join(', ');
  if (some.length === 0) return 'none';
  return some.length > MAX_NAMES ? `${shown} and ${some.length - MAX_NAMES} more` : shown;
}

export function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code !== 'internal';
}
