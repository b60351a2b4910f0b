// Reads the versions that the restorations of a bulk request bring back, before anything is decided: decisions wait for
// nothing.
import { ServiceError } from '../../lib/errors.ts';
import type { RestoreCommand } from '../commands.ts';
import { toBodyText } from '../stored.ts';
import type { BulkRequest, RestoreOperation } from './bulk-request.ts';

/** What each restoration writes, or why it cannot. */
export type Restores = ReadonlyMap<RestoreOperation, RestoreCommand | ServiceError>;

/** @throws ServiceError 413 if they are too large together */
export async function readRestores(request: BulkRequest, maxBytes: number): Promise<Restores> {
  const restores = new Map<RestoreOperation, RestoreCommand | ServiceError>();
  let bytes = 0;
  for (const operation of request.operations) {
    if (operation.op !== 'restore') continue;
    const command = await readRestore(request, operation);
    restores.set(operation, command);
    if (!(command instanceof ServiceError)) bytes += Buffer.byteLength(toBodyText(command.version));
    if (bytes > maxBytes) throw tooLarge();
  }
  return restores;
}

export async function readRestore(
  { restorable }: Pick<BulkRequest, 'restorable'>,
  { id, slug, commit }: RestoreOperation,
): Promise<RestoreCommand | ServiceError> {
  try {
    return await restorable((id ?? slug)!, commit);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

export function tooLarge(): ServiceError {
  return new ServiceError(
    'too_large',
    'the documents of an atomic request are too many, or too large together: send fewer',
  );
}
