// What a file looks like in a grid: its picture or the mark of its kind, its name, and its size.
import { useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { type FileKind, kindOf, type MediaFile, thumbnailOf, toSize } from './media-file.ts';

const MARKS: Record<FileKind, IconName> = { image: 'image', video: 'video', audio: 'audio', file: 'file' };
const SIDE_PX = 360;

/** What the link or button of a tile consists of: it is named by the file. */
export function FileTile({ file }: { file: MediaFile }) {
  return (
    <>
      <FilePicture file={file} />
      <bdi class="tile-name">{file.name}</bdi>
    </>
  );
}

/** Stands beside the link. */
export function FileFacts({ file: { size, width, height } }: { file: MediaFile }) {
  return (
    <span class="help">
      {width && height ? `${width} × ${height} · ` : ''}
      {toSize(size)}
    </span>
  );
}

export function FilePicture({ file, sidePx = SIDE_PX }: { file: MediaFile; sidePx?: number }) {
  const [isBroken, setBroken] = useState(false);
  const picture = thumbnailOf(file, sidePx);
  return (
    <span class="tile-picture">
      {picture && !isBroken ? (
        <img src={picture} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      ) : (
        <Icon name={MARKS[kindOf(file)]} />
      )}
    </span>
  );
}
