// What a person may do with a document. Pure.
import type { DocumentStatus } from './stored-document.ts';

export interface Rights {
  mayCreate: boolean;
  mayEdit: boolean;
  mayPublish: boolean;
  mayDelete: boolean;
}

interface Publicity {
  status: DocumentStatus;
  publishAt?: string | undefined;
}

/** `document` is undefined for a new one. One that is scheduled becomes public without another look, so it counts. */
export function rightsOf(may: (permission: string) => boolean, document: Publicity | undefined): Rights {
  const writes = may('content:write');
  const mayCreate = may('content:draft');
  const isPublic = document?.status === 'published' || document?.publishAt !== undefined;
  const mayEdit = writes || (mayCreate && !isPublic);
  return { mayCreate, mayEdit, mayPublish: writes, mayDelete: mayEdit };
}
