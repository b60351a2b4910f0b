// Uploads of media: bytes outside the repository, and the commits that name them.
import { hash } from 'node:crypto';
import { toPointerFile } from '../../../../src/lib/lfs-pointer.ts';
import type { MediaBytes } from '../../../../src/media/bytes/open-bytes.ts';
import { openBytesOn } from '../media-bytes.ts';
import type { Stage } from '../stage.ts';
import { textOf } from './text.ts';

async function upload(stage: Stage, bytes: MediaBytes, name: string, text: string): Promise<void> {
  const place = await bytes.receive();
  const file = stage.disk.beginFile(`${place.folder}/file`);
  file.append(Buffer.from(text));
  file.close();
  const sha256 = hash('sha256', text);
  const pointer = toPointerFile({ sha256, sizeBytes: text.length }).toString();
  const arrived = { path: `${place.folder}/file`, sha256, sizeBytes: text.length };
  await bytes.adopt(arrived, () => stage.submit({ [`media/images/${name}`]: pointer }));
  await place.end();
}

export async function uploads(stage: Stage): Promise<void> {
  const { time } = stage;
  stage.open();
  let bytes = await time.until(openBytesOn(stage.disk, stage.store, time));
  const shared = textOf(stage, 100, 300);
  await time.until(upload(stage, bytes, 'first.txt', textOf(stage, 1, 300)));
  await time.until(
    Promise.all([
      upload(stage, bytes, 'a.txt', shared),
      upload(stage, bytes, 'b.txt', shared),
      upload(stage, bytes, 'c.txt', textOf(stage, 1, 900)),
    ]),
  );
  await stage.flush();
  await stage.change({ 'media/images/a.txt': null, 'media/images/first.txt': null });
  // Killed in the middle of an upload, and continued.
  const cut = upload(stage, bytes, 'd.txt', textOf(stage, 1, 300));
  cut.catch(() => undefined); // it was killed
  for (let turns = stage.random.whole(0, 12); turns > 0; turns--) await Promise.resolve();
  stage.kill();
  stage.open();
  bytes = await time.until(openBytesOn(stage.disk, stage.store, time));
  await time.until(upload(stage, bytes, 'e.txt', shared));
  await stage.close();
}
