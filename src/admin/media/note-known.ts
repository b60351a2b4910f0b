// Files that were sent and that the library had already: it keeps one of them, whose name may be another.
import type { Messages } from '../shell/messages.tsx';
import { t } from '../text/translate.ts';
import type { UploadedFile } from './media-file.ts';

/** Says so, with the way to what is there. Returns the files that are new. */
export function noteKnown(messages: Pick<Messages, 'notify'>, files: readonly UploadedFile[]): readonly UploadedFile[] {
  const known = files.filter(({ wasThere }) => wasThere);
  const slugs = [...new Set(known.map(({ url }) => slugOfUrl(url)))];
  if (slugs.length > 0) messages.notify(t('media.known', { count: known.length }), undefined, slugs.map(toLink));
  return files.filter(({ wasThere }) => !wasThere);
}

/** `/uploads/images/a%20b.jpg` is `images/a b.jpg`. */
function slugOfUrl(url: string): string {
  return decodeURIComponent(url.replace(/^\/uploads\//, '').replace(/\?.*/, ''));
}

function toLink(slug: string) {
  return { href: `/admin/media?file=${encodeURIComponent(slug)}`, text: slug };
}
