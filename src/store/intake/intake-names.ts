// Names that a clone can check out on every system. Git itself accepts nearly any bytes; Windows and macOS do not, and
// some names would write into the clone's own repository.
import { foldName } from '../../lib/text/stream-safe.ts';

/** Limits of file systems; macOS accepts paths of 1,024 bytes. */
const NAME_BYTES = 255;
const PATH_BYTES = 1024;

const FORBIDDEN = /[<>:"|?*\\]/;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\.|$)/i;

/** Why the name of a tree entry cannot be checked out everywhere; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) return 'name cannot be checked out';
  if (name.includes('\ufffd')) return 'name is not valid UTF-8';
  if (isGitFolder(name)) return `name would write into the clone's own repository`;
  if (/\p{Cc}/u.test(name)) return 'name has a control character';
  if (FORBIDDEN.test(name)) return 'name has one of < > : " | ? * \\, which Windows does not take';
  if (/[. ]$/.test(name)) return 'name ends with a dot or a space, which Windows leaves out';
  if (DEVICE.test(name)) return 'name is that of a Windows device';
  if (Buffer.byteLength(name) > NAME_BYTES) return `name is longer than ${NAME_BYTES} bytes`;
  return undefined;
}

export function pathProblem(path: string): string | undefined {
  return Buffer.byteLength(path) > PATH_BYTES ? `path is longer than ${PATH_BYTES} bytes` : undefined;
}

/** `.git` as HFS+ (which skips invisible characters) and NTFS (short names, trailing dots) understand it. */
function isGitFolder(name: string): boolean {
  const seen = foldName(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
  return /^(?:\.git|git~[0-9]+)(?:[. ]*$|:)/.test(seen);
}
