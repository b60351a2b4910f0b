// A block whose type left the configuration may come back as it was: what the document had in one of its versions is no
// mistake of the request that brings it back, such as an undo after a save, or a draft that began before the block went.
import { ServiceError } from '../../lib/errors.ts';
import type { StoredDocument } from '../document.ts';

/** The newest versions of a document, the last one first. */
export type ReadVersions = (id: string, options: { newest: number }) => Promise<readonly StoredDocument[]>;

/** Read only after a refusal. */
export const EARLIER = { newest: 50 };

/** Decides without earlier versions, and once more with them if a block of no known type is what it refused. */
export async function withEarlierBlocks<T>(
  decide: (earlier: readonly StoredDocument[]) => Promise<T>,
  readVersions: () => Promise<readonly StoredDocument[]>,
): Promise<T> {
  try {
    return await decide([]);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'invalid_input' && refusesBlock(error))) throw error;
  }
  return decide(await readVersions());
}

function refusesBlock({ details = [] }: ServiceError): boolean {
  return details.some(({ path }) => path.endsWith('._block'));
}
