// The unsaved work of the person who is signed in, on this device.
import type { Admin } from '../shell/admin.ts';
import { createDraftStore, type DraftStore, draftPrefix } from './draft-store.ts';

let store: DraftStore | undefined;

/** One for the page: each opens a database. */
export function draftStore(): DraftStore {
  store ??= createDraftStore();
  return store;
}

export function draftPrefixOf({ session, site }: Admin): string {
  const state = session.state.value;
  return draftPrefix(state.kind === 'signed-in' ? state.profile.user.id : '', site);
}
