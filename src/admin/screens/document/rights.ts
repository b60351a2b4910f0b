// What a person may do with a document. Pure.
import type { DocumentStatus } from '../../document/stored-document.ts';

export interface Rights {
  mayEdit: boolean;
  mayPublish: boolean;
  mayDelete: boolean;
}

/** `status` is undefined for a new document. */
export function rightsOf(may: (permission: string) => boolean, status: DocumentStatus | undefined): Rights {
  const writes = may('content:write');
  const drafts = may('content:draft') && status !== 'published';
  return { mayEdit: writes || drafts, mayPublish: writes, mayDelete: writes || drafts };
}
