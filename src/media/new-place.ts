// Checks a new folder and name for a file. What a file is decides about its extension, so the bytes may be looked at.
import { invalid, type Problem } from '../lib/errors.ts';
import type { Inspected } from './kinds/detect.ts';
import { extensionOf } from './kinds/kinds.ts';
import type { MediaFile } from './media.ts';
import { folderProblem, toName } from './names.ts';

export interface WantedPlace {
  folder?: string | undefined;
  name?: string | undefined;
}

export interface NewPlace {
  folder: string;
  name: string;
  /** As the bytes are served under the new name; undefined if the extension stays. */
  contentType: string | undefined;
}

/** `inspect` returns undefined if the bytes are missing, or no file of that name. @throws ServiceError 400. */
export async function checkPlace(
  before: MediaFile,
  { folder = before.folder, name = before.name }: WantedPlace,
  inspect: (name: string) => Promise<Inspected | undefined>,
): Promise<NewPlace> {
  const problems: Problem[] = [];
  const folderIs = folder === before.folder ? undefined : folderProblem(folder);
  if (folderIs) problems.push({ path: 'folder', message: folderIs });
  const nameIs = name === before.name ? undefined : nameProblem(name);
  if (nameIs) problems.push({ path: 'name', message: nameIs });
  if (problems.length > 0) throw invalid(problems);
  const extension = extensionOf(name);
  if (extension === extensionOf(before.name)) return { folder, name, contentType: undefined };
  const found = await inspect(name);
  if (found?.extension === extension) return { folder, name, contentType: toBareType(found.contentType) };
  const known = found ? `the file is ${toBareType(found.contentType)}` : 'the file cannot be looked at as one of these';
  throw invalid([{ path: 'name', message: `".${extension}" does not fit: ${known}` }]);
}

/** Without its charset. */
export function toBareType(contentType: string): string {
  return contentType.split(';')[0]!.trim();
}

/** A new name has to be one that an upload would get. */
function nameProblem(name: string): string | undefined {
  const extension = extensionOf(name);
  if (extension === '') return 'must end with a dot and an extension, such as ".jpg"';
  const wanted = toName(name, extension);
  return wanted === name ? undefined : `must be a name such as "${wanted}"`;
}
