// Where things are on the volume. Outside readers may rely on `current` and `deploys/`; the rest is ours.
import path from 'node:path';

export interface Layout {
  root: string;
  /** A symbolic link to the live deploy. */
  current: string;
  deploys: string;
  /** Everything below here has no meaning without the server. */
  state: string;
  history: string;
  manifests: string;
  signatures: string;
  /** Bodies under way. Emptied at the start. */
  uploads: string;
  /** Trees that are being removed. Emptied at the start. */
  removed: string;
  /** A copy of the live tree for the next deploy. Made anew from whatever it has. */
  spare: string;
  deployFolder(id: string): string;
  manifestFile(id: string): string;
}

export function toLayout(root: string): Layout {
  const state = path.join(root, '.sync');
  const deploys = path.join(root, 'deploys');
  const manifests = path.join(state, 'manifests');
  return {
    root,
    current: path.join(root, 'current'),
    deploys,
    state,
    history: path.join(state, 'history.json'),
    manifests,
    signatures: path.join(state, 'signatures'),
    uploads: path.join(state, 'uploads'),
    removed: path.join(state, 'removed'),
    spare: path.join(state, 'spare'),
    deployFolder: (id) => path.join(deploys, id),
    manifestFile: (id) => path.join(manifests, `${id}.json`),
  };
}
