// What a file of a site's folder is, so that the name of a call on it does not change from run to run.

/** Kinds such as `wal segment`, `pack` or `folder refs/heads`. */
export function kindOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (/^\d{8}\.wal$/.test(name)) return 'wal segment';
  if (/^\d{8}\.wal\.tmp$/.test(name)) return 'new wal segment';
  const fresh = /^colophon_new_(pack|idx|keep|HEAD|config|description|moved)/.exec(name)?.[1];
  if (fresh) return `new ${fresh}`;
  if (/\/colophon\.epochs\/\d+$/.test(file)) return 'epoch';
  if (name.startsWith('colophon_new_epoch')) return 'new epoch';
  if (name === 'colophon.epochs') return 'folder epochs';
  const extension = /^pack-.*\.(pack|idx|keep|rev|bitmap)$/.exec(name)?.[1];
  if (extension) return extension;
  if (name.startsWith('colophon-ref')) return 'own ref';
  if (name === 'colophon-moved') return 'moved branch';
  if (name === 'colophon-new') return 'folder of new files';
  if (/\/refs\/.*\.lock$/.test(file)) return 'ref lock';
  if (/\/refs\/(heads|tags|colophon\/kept)\/./.test(file)) return 'ref';
  if (/\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(file)) return 'object';
  if (/\/content\.git\/(HEAD|config|description|packed-refs)$/.test(file)) return name;
  const folder = /\/content\.git\/((?:objects|refs)(?:\/.*)?)$/.exec(file)?.[1];
  if (folder) return `folder ${folder}`;
  if (/\/(content\.git|wal)$/.test(file)) return `folder ${name}`;
  return `other ${name}`;
}
