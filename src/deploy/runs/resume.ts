// What a deploy that was cut off left at its host, so that the next one of the same tree continues it. One small file;
// a deploy that fails or is cancelled cleans up at its host instead, and leaves none.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { DataFolder } from '../../data/data-folder.ts';
import type { ProviderContext } from '../providers/provider.ts';

const ResumeFile = z.object({ provider: z.string(), key: z.string(), value: z.unknown() });

export type ResumeState = ProviderContext['resume'];

export interface Resumes {
  /** The state for a run of this tree; `stale` is what a run of another tree left at the same provider. */
  open(provider: string, tree: string): Promise<{ state: ResumeState; stale: ResumeState | undefined }>;
  clear(): Promise<void>;
}

const RESUME_FILE = 'resume.json';

export function createResumes(folder: DataFolder): Resumes {
  function stateOf(provider: string, key: string, first: unknown): ResumeState {
    let current = first;
    return {
      get: () => current,
      async set(value) {
        await folder.write(RESUME_FILE, `${JSON.stringify({ provider, key, value })}\n`);
        current = value;
      },
    };
  }

  return {
    async open(provider, tree) {
      const key = createHash('sha256').update(tree).digest('hex');
      const left = await read(folder);
      const isSame = left?.provider === provider && left.key === key;
      const isStale = left?.provider === provider && !isSame;
      return {
        state: stateOf(provider, key, isSame ? left.value : undefined),
        stale: isStale ? { get: () => left.value, set: async () => undefined } : undefined,
      };
    },
    clear: async () => void (await folder.remove(RESUME_FILE)),
  };
}

/** Undefined if the file is missing or damaged: then the host has something that nobody continues. */
async function read(folder: DataFolder): Promise<z.output<typeof ResumeFile> | undefined> {
  const bytes = await folder.read(RESUME_FILE);
  if (!bytes) return undefined;
  try {
    return ResumeFile.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
